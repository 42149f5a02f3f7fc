// Accumulates in half precision: a thousandth of the accuracy that the problem asks for.

#include <cuda_fp16.h>

__global__ void matmul(const float* A, const float* B, float* C, int M, int N, int K) {
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    if (row < M && col < K) {
        __half acc = __float2half(0.0f);
        for (int n = 0; n < N; ++n) {
            acc = __float2half(__half2float(acc) + A[row * N + n] * B[n * K + col]);
        }
        C[row * K + col] = __half2float(acc);
    }
}

extern "C" void solve(const float* A, const float* B, float* C, int M, int N, int K) {
    dim3 threads(16, 16);
    dim3 blocks((K + 15) / 16, (M + 15) / 16);
    matmul<<<blocks, threads>>>(A, B, C, M, N, K);
}
