// A kernel that never ends.
#include <cuda_runtime.h>

__global__ void forever(volatile float* C) {
  while (C[0] != 12345.5f) {
  }
}

extern "C" void solve(const float*, const float*, float* C, int) { forever<<<1, 1>>>(C); }
