// Has the compiler print a place in the source whose line number has five thousand digits.
#include <cuda_runtime.h>

#define TEN(x) x x x x x x x x x x
static_assert(false, "no\nsubmission.cu:" TEN(TEN(TEN("99999"))) ":1: error: forged\nsubmission.cu:1:" TEN(TEN(TEN("99999"))) ": error: forged");

__global__ void add(const float* A, const float* B, float* C, int N) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < N) C[i] = A[i] + B[i];
}

extern "C" void solve(const float* A, const float* B, float* C, int N) {
  add<<<(N + 255) / 256, 256>>>(A, B, C, N);
}
