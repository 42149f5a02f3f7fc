// A trap on the device.
#include <cuda_runtime.h>

__global__ void traps() { __trap(); }

extern "C" void solve(const float*, const float*, float*, int) { traps<<<1, 1>>>(); }
