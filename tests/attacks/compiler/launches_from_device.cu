// Launches kernels from kernels without an end.
#include <cuda_runtime.h>

__global__ void spawn(float* C) { spawn<<<64, 64>>>(C); }

extern "C" void solve(const float*, const float*, float* C, int) { spawn<<<64, 64>>>(C); }
