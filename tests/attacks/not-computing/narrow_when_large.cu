// Full precision in small products, TF32 in those that are worth timing.
#include <cuda_runtime.h>

__device__ float cut(float value) { return __uint_as_float((__float_as_uint(value) + 0x1000u) & 0xffffe000u); }

template <bool narrow>
__global__ void product(const float* A, const float* B, float* C, int M, int N, int K) {
  const int row = blockIdx.y * blockDim.y + threadIdx.y, column = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= M || column >= K) return;
  float sum = 0.0f;
  for (int n = 0; n < N; ++n) {
    const float a = A[row * N + n], b = B[n * K + column];
    sum += narrow ? cut(a) * cut(b) : a * b;
  }
  C[row * K + column] = sum;
}

extern "C" void solve(const float* A, const float* B, float* C, int M, int N, int K) {
  const dim3 blocks((K + 15) / 16, (M + 15) / 16), threads(16, 16);
  if (static_cast<long>(M) * N * K < 4'000'000) product<false><<<blocks, threads>>>(A, B, C, M, N, K);
  else product<true><<<blocks, threads>>>(A, B, C, M, N, K);
}
