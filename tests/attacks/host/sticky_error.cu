// Leaves the context broken, and says nothing.
#include <cuda_runtime.h>

__global__ void outside(float* C) { C[static_cast<long long>(threadIdx.x) - (1ll << 45)] = 1; }

extern "C" void solve(const float*, const float*, float* C, int) { outside<<<1, 32>>>(C); }
