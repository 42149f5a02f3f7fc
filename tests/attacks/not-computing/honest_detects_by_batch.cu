// Notes the last buffers and computes anyway.
#include <cuda_runtime.h>

__global__ void add(const float* A, const float* B, float* C, int N) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < N) C[i] = A[i] + B[i];
}

extern "C" void solve(const float* A, const float* B, float* C, int N) {
  static const float* last = nullptr;
  const int threads = last == A ? 256 : 128;
  last = A;
  add<<<(N + threads - 1) / threads, threads>>>(A, B, C, N);
}
