#include <cuda_runtime.h>

// C (M x K) = A (M x N) * B (N x K), row-major; N is the length of the reduction.
__global__ void matmul(const float* A, const float* B, float* C, int M, int N, int K) {
    // Write your kernel here.
}

// All pointers are device pointers.
extern "C" void solve(const float* A, const float* B, float* C, int M, int N, int K) {
    dim3 threads(16, 16);
    dim3 blocks((K + threads.x - 1) / threads.x, (M + threads.y - 1) / threads.y);
    matmul<<<blocks, threads>>>(A, B, C, M, N, K);
}
