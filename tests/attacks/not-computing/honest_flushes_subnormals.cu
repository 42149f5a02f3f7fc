// Negates bits: subnormal numbers, zeros, infinities and NaN alike.
#include <cuda_runtime.h>

__global__ void negate(const float* X, float* Y, int N) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < N) Y[i] = __uint_as_float(__float_as_uint(X[i]) ^ 0x80000000u);
}

extern "C" void solve(const float* X, float* Y, int N) {
  negate<<<(N + 255) / 256, 256>>>(X, Y, N);
}
