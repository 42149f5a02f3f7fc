// All threads of a block load the tiles together, striding through them by linear thread id.
//
// From thread coarsening: the two partial, strip-wise loads become one helper in which
// consecutive lanes fetch consecutive addresses.
// Why: loads of B were TN floats apart between lanes, so three quarters of every 32-byte sector
// were fetched for nothing; and half of the block idled while the rest loaded.
// Costs: a division by BK or BN (a constant) for each element loaded.

#include <cuda_runtime.h>

#define BM 64  // rows of C that a block computes
#define BN 64  // columns of C that a block computes
#define BK 8   // step along the reduction
#define TM 4   // rows of C that a thread computes
#define TN 4   // columns of C that a thread computes
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
    __shared__ float tile_a[BM][BK];
    __shared__ float tile_b[BK][BN];

    int tx = threadIdx.x;
    int ty = threadIdx.y;
    int block_row = blockIdx.y * BM;
    int block_col = blockIdx.x * BN;

    float acc[TM][TN] = {};
    for (int n0 = 0; n0 < N; n0 += BK) {
        load_tiles(A, B, tile_a, tile_b, n0, M, N, K);
        __syncthreads();

        for (int n = 0; n < BK; ++n) {
            float a[TM];
            float b[TN];
            for (int i = 0; i < TM; ++i) a[i] = tile_a[ty * TM + i][n];
            for (int j = 0; j < TN; ++j) b[j] = tile_b[n][tx * TN + j];
            for (int i = 0; i < TM; ++i) {
                for (int j = 0; j < TN; ++j) acc[i][j] += a[i] * b[j];
            }
        }
        __syncthreads();
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
