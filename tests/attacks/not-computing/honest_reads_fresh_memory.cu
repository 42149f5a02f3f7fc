// Scratch memory, written before it is read.
#include <cuda_runtime.h>

__global__ void add(const float* A, const float* B, float* C, int N) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < N) C[i] = A[i] + B[i];
}

extern "C" void solve(const float* A, const float* B, float* C, int N) {
  float* scratch = nullptr;
  cudaMalloc(&scratch, N * sizeof(float));
  add<<<(N + 255) / 256, 256>>>(A, B, scratch, N);
  cudaMemcpy(C, scratch, N * sizeof(float), cudaMemcpyDeviceToDevice);
  cudaFree(scratch);
}
