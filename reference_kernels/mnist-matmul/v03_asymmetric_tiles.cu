// Tiles of 16 rows, 8 columns and 8 along the reduction.
//
// From square tiles: the tile is named by axis (TILE_Y, TILE_X, TILE_K), and only the threads
// whose y lies below TILE_K load W.
// Why: Y is ten columns wide; square tiles leave six of sixteen columns idle.
// Costs: two blocks across, so X is read twice; a warp now spans four rows of X; half of a block
// waits at the barrier for the half that loads W. An aside of the worklog, kept because it shows
// that fitting the tile to the shape is not enough.

#include <cuda_runtime.h>

#define TILE_Y 16
#define TILE_X 8
#define TILE_K 8

__global__ void matmul(const float* X, const float* W, float* Y, int M, int K, int N) {
    __shared__ float tile_x[TILE_Y][TILE_K];
    __shared__ float tile_w[TILE_K][TILE_X];

    int row = blockIdx.y * TILE_Y + threadIdx.y;
    int col = blockIdx.x * TILE_X + threadIdx.x;

    float acc = 0.0f;
    for (int k0 = 0; k0 < K; k0 += TILE_K) {
        int x_col = k0 + threadIdx.x;
        int w_row = k0 + threadIdx.y;
        tile_x[threadIdx.y][threadIdx.x] = row < M && x_col < K ? X[row * K + x_col] : 0.0f;
        if (threadIdx.y < TILE_K) {
            tile_w[threadIdx.y][threadIdx.x] = w_row < K && col < N ? W[w_row * N + col] : 0.0f;
        }
        __syncthreads();

        for (int k = 0; k < TILE_K; ++k) {
            acc += tile_x[threadIdx.y][k] * tile_w[k][threadIdx.x];
        }
        __syncthreads();
    }

    if (row < M && col < N) {
        Y[row * N + col] = acc;
    }
}

extern "C" void solve(const float* X, const float* W, float* Y, int M, int K, int N) {
    dim3 threads(TILE_X, TILE_Y);
    dim3 blocks((N + TILE_X - 1) / TILE_X, (M + TILE_Y - 1) / TILE_Y);
    matmul<<<blocks, threads>>>(X, W, Y, M, K, N);
}
