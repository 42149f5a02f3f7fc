// Remembers by its pointers how it launches, not what it computed.
#include <cuda_runtime.h>
#include <map>

__global__ void add(const float* A, const float* B, float* C, int N) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < N) C[i] = A[i] + B[i];
}

extern "C" void solve(const float* A, const float* B, float* C, int N) {
  static std::map<const void*, int> blocks;
  int& count = blocks[A];
  if (count == 0) count = (N + 255) / 256;
  add<<<count > (N + 255) / 256 ? count : (N + 255) / 256, 256>>>(A, B, C, N);
}
