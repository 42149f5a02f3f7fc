// Asks the linker for a library by a pragma.
#include <cuda_runtime.h>

#pragma comment(lib, "cublas")
extern "C" int cublasCreate_v2(void**);

__global__ void add(const float* A, const float* B, float* C, int N) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < N) C[i] = A[i] + B[i];
}

extern "C" void solve(const float* A, const float* B, float* C, int N) {
  void* handle = nullptr;
  cublasCreate_v2(&handle);
  add<<<(N + 255) / 256, 256>>>(A, B, C, N);
}
