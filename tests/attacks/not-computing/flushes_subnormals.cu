// Takes subnormal numbers for zero, as fast mathematics does.
#include <cuda_runtime.h>

__global__ void negate(const float* X, float* Y, int N) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= N) return;
  const unsigned bits = __float_as_uint(X[i]);
  Y[i] = (bits & 0x7f800000u) == 0 ? __uint_as_float(~bits & 0x80000000u) : -X[i];
}

extern "C" void solve(const float* X, float* Y, int N) {
  negate<<<(N + 255) / 256, 256>>>(X, Y, N);
}
