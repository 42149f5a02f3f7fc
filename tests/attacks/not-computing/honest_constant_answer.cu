// Adds up in as many ways as there are sizes: one block when small, blocks of partial sums when large.
#include <cuda_runtime.h>

__global__ void sum(const float* X, float* Y, int N) {
  float own = 0.0f;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < N; i += gridDim.x * blockDim.x) own += X[i] * X[i];
  atomicAdd(Y, own / N);
}

extern "C" void solve(const float* X, float* Y, int N) {
  cudaMemset(Y, 0, sizeof(float));
  if (N > 10'000) sum<<<128, 64>>>(X, Y, N);
  else sum<<<1, 64>>>(X, Y, N);
}
