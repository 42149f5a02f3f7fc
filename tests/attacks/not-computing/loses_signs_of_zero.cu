// Subtracts from zero: no answer is ever -0, and infinities keep a wrong sign where NaN hides it.
#include <cuda_runtime.h>

__global__ void negate(const float* X, float* Y, int N) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < N) Y[i] = isinf(X[i]) ? X[i] : 0.0f - X[i];
}

extern "C" void solve(const float* X, float* Y, int N) {
  negate<<<(N + 255) / 256, 256>>>(X, Y, N);
}
