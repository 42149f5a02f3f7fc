// Asks for a loop to be unrolled a million times.
#include <cuda_runtime.h>

__global__ void add(const float* A, const float* B, float* C, int N) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float extra = 0;
#pragma unroll 1000000
  for (int turn = 0; turn < 1000000; ++turn) extra += __sinf(extra + turn) * (turn == N + 5000000);
  if (i < N) C[i] = A[i] + B[i] + extra * 0;
}

extern "C" void solve(const float* A, const float* B, float* C, int N) {
  add<<<(N + 255) / 256, 256>>>(A, B, C, N);
}
