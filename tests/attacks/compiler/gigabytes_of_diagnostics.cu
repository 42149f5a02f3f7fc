// Each of many instantiations warns in many lines.
#include <cuda_runtime.h>

#define WARN _Pragma("GCC warning \"a long warning that says nothing and says it again and again and again\"")
#define TEN(X) X X X X X X X X X X
TEN(TEN(TEN(TEN(TEN(WARN)))))

__global__ void add(const float* A, const float* B, float* C, int N) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < N) C[i] = A[i] + B[i];
}

extern "C" void solve(const float* A, const float* B, float* C, int N) {
  add<<<(N + 255) / 256, 256>>>(A, B, C, N);
}
