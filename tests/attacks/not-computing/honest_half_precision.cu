// Another order of rounding in full precision.
#include <cuda_runtime.h>

__global__ void ordered(const float* A, const float* B, float* C, int N) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < N) C[i] = fmaf(B[i], 1.0f, A[i]);
}

extern "C" void solve(const float* A, const float* B, float* C, int N) {
  ordered<<<(N + 255) / 256, 256>>>(A, B, C, N);
}
