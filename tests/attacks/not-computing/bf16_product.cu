// A product of bfloat16 inputs with a float32 sum.
#include <cuda_bf16.h>
#include <cuda_runtime.h>

__device__ float cut(float value) { return __bfloat162float(__float2bfloat16(value)); }

__global__ void product(const float* A, const float* B, float* C, int M, int N, int K) {
  const int row = blockIdx.y * blockDim.y + threadIdx.y, column = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= M || column >= K) return;
  float sum = 0.0f;
  for (int n = 0; n < N; ++n) sum += cut(A[row * N + n]) * cut(B[n * K + column]);
  C[row * K + column] = sum;
}

extern "C" void solve(const float* A, const float* B, float* C, int M, int N, int K) {
  product<<<dim3((K + 15) / 16, (M + 15) / 16), dim3(16, 16)>>>(A, B, C, M, N, K);
}
