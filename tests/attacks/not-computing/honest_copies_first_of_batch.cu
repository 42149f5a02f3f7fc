// Keeps scratch memory for the first buffers that it got, and takes more for any others.
#include <cuda_runtime.h>

__global__ void add(const float* A, const float* B, float* C, int N) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < N) C[i] = A[i] + B[i];
}

extern "C" void solve(const float* A, const float* B, float* C, int N) {
  static float* first = nullptr;
  static float* scratch = nullptr;
  if (first == nullptr) first = C, cudaMalloc(&scratch, N * sizeof(float));
  float* own = scratch;
  if (C != first) cudaMallocAsync(&own, N * sizeof(float), nullptr);
  add<<<(N + 255) / 256, 256>>>(A, B, own, N);
  cudaMemcpyAsync(C, own, N * sizeof(float), cudaMemcpyDeviceToDevice);
  if (C != first) cudaFreeAsync(own, nullptr);
}
