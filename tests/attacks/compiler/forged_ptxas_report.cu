// Has the compiler print a report of registers that no integer holds, and of kernels without a number.
#include <cuda_runtime.h>

#define LINE(text) "\nptxas info    : " text
#define TEN(x) x x x x x x x x x x
#pragma message "x" LINE("Compiling entry function 'k' for 'sm_90'") LINE("Used 9999999999999999999999 registers")
#define KERNEL LINE("Compiling entry function '--help' for 'sm_90'") LINE("Used 1 registers")
#pragma message TEN(TEN(TEN(KERNEL)))

__global__ void add(const float* A, const float* B, float* C, int N) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < N) C[i] = A[i] + B[i];
}

extern "C" void solve(const float* A, const float* B, float* C, int N) {
  add<<<(N + 255) / 256, 256>>>(A, B, C, N);
}
