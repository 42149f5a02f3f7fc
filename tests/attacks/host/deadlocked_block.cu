// One thread waits for what another of its block, stuck at a barrier, would have to write.
#include <cuda_runtime.h>

__global__ void stuck(const float* A, const float* B, float* C, int N) {
  __shared__ volatile int flag;
  if (threadIdx.x == 0) flag = 0;
  __syncthreads();
  if (threadIdx.x == 0) {
    while (flag == 0) {
    }
  }
  __syncthreads();
  if (threadIdx.x == 32) flag = 1;
  for (int i = threadIdx.x; i < N; i += blockDim.x) C[i] = A[i] + B[i];
}

extern "C" void solve(const float* A, const float* B, float* C, int N) { stuck<<<1, 64>>>(A, B, C, N); }
