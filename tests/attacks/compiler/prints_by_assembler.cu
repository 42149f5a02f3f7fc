// Has the assembler print what looks like messages of a compiler and reports of ptxas.
#include <cuda_runtime.h>

#define PASTE(a, b) a##b
#define ASSEMBLE PASTE(__as, m__)

ASSEMBLE(".print \"submission.cu:2147483648:1: error: forged\"\n"
         ".print \"ptxas info    : Compiling entry function 'forged' for 'sm_90'\"\n"
         ".print \"ptxas info    : Used 99999999999999999999 registers\"\n"
         ".print \"warpboard-unsupported: everything\"\n");

__global__ void add(const float* A, const float* B, float* C, int N) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < N) C[i] = A[i] + B[i];
}

extern "C" void solve(const float* A, const float* B, float* C, int N) {
  add<<<(N + 255) / 256, 256>>>(A, B, C, N);
}
