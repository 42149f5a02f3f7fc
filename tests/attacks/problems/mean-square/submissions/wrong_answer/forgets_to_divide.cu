#include <cuda_runtime.h>

__global__ void sum(const float* X, float* Y, int N) {
  float own = 0.0f;
  for (int i = threadIdx.x; i < N; i += blockDim.x) own += X[i] * X[i];
  atomicAdd(Y, own);
}

extern "C" void solve(const float* X, float* Y, int N) {
  cudaMemset(Y, 0, sizeof(float));
  sum<<<1, 64>>>(X, Y, N);
}
