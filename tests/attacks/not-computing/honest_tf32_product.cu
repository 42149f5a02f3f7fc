// Splits each factor into a part that TF32 holds and the rest, and adds all four products.
#include <cuda_runtime.h>

__device__ float cut(float value) { return __uint_as_float(__float_as_uint(value) & 0xffffe000u); }

__global__ void product(const float* A, const float* B, float* C, int M, int N, int K) {
  const int row = blockIdx.y * blockDim.y + threadIdx.y, column = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= M || column >= K) return;
  float large = 0.0f, small = 0.0f;
  for (int n = 0; n < N; ++n) {
    const float a = A[row * N + n], b = B[n * K + column];
    const float a_high = cut(a), b_high = cut(b);
    small += (a - a_high) * (b - b_high) + (a - a_high) * b_high + a_high * (b - b_high);
    large += a_high * b_high;
  }
  C[row * K + column] = large + small;
}

extern "C" void solve(const float* A, const float* B, float* C, int M, int N, int K) {
  product<<<dim3((K + 15) / 16, (M + 15) / 16), dim3(16, 16)>>>(A, B, C, M, N, K);
}
