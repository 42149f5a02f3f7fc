// Looks at a first value to choose between two ways that both compute.
#include <cuda_runtime.h>

__global__ void add(const float* A, const float* B, float* C, int N) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < N) C[i] = A[i] + B[i];
}

extern "C" void solve(const float* A, const float* B, float* C, int N) {
  float first = 0;
  cudaMemcpy(&first, A, sizeof first, cudaMemcpyDeviceToHost);
  if (first > 0) add<<<(N + 255) / 256, 256>>>(A, B, C, N);
  else add<<<(N + 127) / 128, 128>>>(A, B, C, N);
}
