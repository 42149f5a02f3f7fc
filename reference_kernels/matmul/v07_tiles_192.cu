// Larger tiles still: a block covers 192 x 192, a thread 12 x 12, the reduction step is 16.
//
// From tiles of 128: the tile sizes alone.
// Why: reuse in registers was still paying: one shared load for six FMAs, 48 FLOP a byte at the
// block.
// Costs: 144 accumulators a thread, near the cap of 255 registers, and 48 KiB of shared memory,
// all that a block may declare: one block an SM on many devices.

#include <cuda_runtime.h>

#define BM 192  // rows of C that a block computes
#define BN 192  // columns of C that a block computes
#define BK 16   // step along the reduction
#define TM 12   // rows of C that a thread computes
#define TN 12   // columns of C that a thread computes
#define THREADS (BM / TM * (BN / TN))

__device__ void load_tiles(const float* A, const float* B, float (*tile_a)[BK],
                           float (*tile_b)[BN], int n0, int M, int N, int K) {
    int thread = threadIdx.y * (BN / TN) + threadIdx.x;
    for (int i = thread; i < BM * BK; i += THREADS) {
        int row = blockIdx.y * BM + i / BK;
        int col = n0 + i % BK;
        tile_a[i / BK][i % BK] = row < M && col < N ? A[row * N + col] : 0.0f;
    }
    for (int i = thread; i < BK * BN; i += THREADS) {
        int row = n0 + i / BN;
        int col = blockIdx.x * BN + i % BN;
        tile_b[i / BN][i % BN] = row < N && col < K ? B[row * K + col] : 0.0f;
    }
}

__global__ void matmul(const float* A, const float* B, float* C, int M, int N, int K) {
    __shared__ float tile_a[2][BM][BK];
    __shared__ float tile_b[2][BK][BN];

    int tx = threadIdx.x;
    int ty = threadIdx.y;
    int block_row = blockIdx.y * BM;
    int block_col = blockIdx.x * BN;

    float acc[TM][TN] = {};
    int current = 0;
    load_tiles(A, B, tile_a[current], tile_b[current], 0, M, N, K);
    __syncthreads();
    for (int n0 = 0; n0 < N; n0 += BK) {
        if (n0 + BK < N) {
            load_tiles(A, B, tile_a[1 - current], tile_b[1 - current], n0 + BK, M, N, K);
        }

        for (int n = 0; n < BK; ++n) {
            float a[TM];
            float b[TN];
            for (int i = 0; i < TM; ++i) a[i] = tile_a[current][ty * TM + i][n];
            for (int j = 0; j < TN; ++j) b[j] = tile_b[current][n][tx * TN + j];
            for (int i = 0; i < TM; ++i) {
                for (int j = 0; j < TN; ++j) acc[i][j] += a[i] * b[j];
            }
        }
        __syncthreads();
        current = 1 - current;
    }

    for (int i = 0; i < TM; ++i) {
        for (int j = 0; j < TN; ++j) {
            int row = block_row + ty * TM + i;
            int col = block_col + tx * TN + j;
            if (row < M && col < K) C[row * K + col] = acc[i][j];
        }
    }
}

extern "C" void solve(const float* A, const float* B, float* C, int M, int N, int K) {
    dim3 threads(BN / TN, BM / TM);
    dim3 blocks((K + BN - 1) / BN, (M + BM - 1) / BM);
    matmul<<<blocks, threads>>>(A, B, C, M, N, K);
}
