// A host thread launches the work, and is waited for.
#include <cuda_runtime.h>
#include <thread>

__global__ void add(const float* A, const float* B, float* C, int N) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < N) C[i] = A[i] + B[i];
}

extern "C" void solve(const float* A, const float* B, float* C, int N) {
  std::thread([=] { add<<<(N + 255) / 256, 256>>>(A, B, C, N); }).join();
}
