// Tries two block sizes in its first calls, and keeps one.
#include <cuda_runtime.h>

__global__ void add(const float* A, const float* B, float* C, int N) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < N) C[i] = A[i] + B[i];
}

extern "C" void solve(const float* A, const float* B, float* C, int N) {
  static int calls = 0;
  const int threads = calls++ < 2 ? 128 : 256;
  add<<<(N + threads - 1) / threads, threads>>>(A, B, C, N);
}
