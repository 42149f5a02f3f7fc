// Reads the clock and computes anyway.
#include <cuda_runtime.h>
#include <chrono>

__global__ void add(const float* A, const float* B, float* C, int N) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < N) C[i] = A[i] + B[i];
}

extern "C" void solve(const float* A, const float* B, float* C, int N) {
  static auto last = std::chrono::steady_clock::now();
  last = std::chrono::steady_clock::now();
  add<<<(N + 255) / 256, 256>>>(A, B, C, N);
}
