// Chooses its block by the size.
#include <cuda_runtime.h>

__global__ void add(const float* A, const float* B, float* C, int N) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < N) C[i] = A[i] + B[i];
}

extern "C" void solve(const float* A, const float* B, float* C, int N) {
  if (N < 5000) add<<<(N + 63) / 64, 64>>>(A, B, C, N);
  else add<<<(N + 255) / 256, 256>>>(A, B, C, N);
}
