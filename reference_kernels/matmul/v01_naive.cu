// One thread computes one element of C, reading its row of A and its column of B from global
// memory.
//
// From: nothing; this is where the ladder starts.
// Why: the plainest kernel that is right, and the measure of every later step.
// Costs: 2N loads for 2N operations, 0.25 FLOP a byte; only the caches soften it.

#include <cuda_runtime.h>

#define TILE 16

__global__ void matmul(const float* A, const float* B, float* C, int M, int N, int K) {
    int row = blockIdx.y * TILE + threadIdx.y;
    int col = blockIdx.x * TILE + threadIdx.x;

    float acc = 0.0f;
    if (row < M && col < K) {
        for (int n = 0; n < N; ++n) {
            acc += A[row * N + n] * B[n * K + col];
        }
        C[row * K + col] = acc;
    }
}

extern "C" void solve(const float* A, const float* B, float* C, int M, int N, int K) {
    dim3 threads(TILE, TILE);
    dim3 blocks((K + TILE - 1) / TILE, (M + TILE - 1) / TILE);
    matmul<<<blocks, threads>>>(A, B, C, M, N, K);
}
