// A fast way for one shape, and a general one.
#include <cuda_runtime.h>

__global__ void add(const float* A, const float* B, float* C, int N) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < N) C[i] = A[i] + B[i];
}

extern "C" void solve(const float* A, const float* B, float* C, int N) {
  if (N == 1009) add<<<4, 256>>>(A, B, C, 1009);
  else add<<<(N + 255) / 256, 256>>>(A, B, C, N);
}
