// A constant table on the device, filled in the first call.
#include <cuda_runtime.h>

__device__ float ones[32];

__global__ void fill() { ones[threadIdx.x] = 1.0f; }

__global__ void add(const float* A, const float* B, float* C, int N) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < N) C[i] = A[i] * ones[i % 32] + B[i];
}

extern "C" void solve(const float* A, const float* B, float* C, int N) {
  static bool filled = false;
  if (!filled) fill<<<1, 32>>>(), filled = true;
  add<<<(N + 255) / 256, 256>>>(A, B, C, N);
}
