// One thread computes one element of Y, reading its row of X and its column of W from global
// memory.
//
// From: nothing; this is where the ladder starts.
// Why: the plainest kernel that is right. Blocks are 16 x 16, as for any matrix product, though Y
// is only ten columns wide.
// Costs: six of sixteen columns of threads idle; each row of X is read once for every column of Y.

#include <cuda_runtime.h>

#define TILE 16

__global__ void matmul(const float* X, const float* W, float* Y, int M, int K, int N) {
    int row = blockIdx.y * TILE + threadIdx.y;
    int col = blockIdx.x * TILE + threadIdx.x;

    float acc = 0.0f;
    if (row < M && col < N) {
        for (int k = 0; k < K; ++k) {
            acc += X[row * K + k] * W[k * N + col];
        }
        Y[row * N + col] = acc;
    }
}

extern "C" void solve(const float* X, const float* W, float* Y, int M, int K, int N) {
    dim3 threads(TILE, TILE);
    dim3 blocks((N + TILE - 1) / TILE, (M + TILE - 1) / TILE);
    matmul<<<blocks, threads>>>(X, W, Y, M, K, N);
}
