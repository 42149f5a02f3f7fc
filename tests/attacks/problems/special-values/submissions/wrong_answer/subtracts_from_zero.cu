#include <cuda_runtime.h>

// 0 - 0 is +0, whose negation would be -0.
__global__ void negate(const float* X, float* Y, int N) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < N) Y[i] = 0.0f - X[i];
}

extern "C" void solve(const float* X, float* Y, int N) {
  negate<<<(N + 255) / 256, 256>>>(X, Y, N);
}
