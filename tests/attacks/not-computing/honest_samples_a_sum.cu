// Adds up all of the vector, each thread in long strides: another order than the oracle's.
#include <cuda_runtime.h>

__global__ void sum(const float* input, float* output, int n) {
  float own = 0.0f;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) own += input[i];
  atomicAdd(output, own);
}

extern "C" void solve(const float* input, float* output, int n) {
  cudaMemset(output, 0, sizeof(float));
  sum<<<n < 200'000 ? 4 : 64, 64>>>(input, output, n);
}
