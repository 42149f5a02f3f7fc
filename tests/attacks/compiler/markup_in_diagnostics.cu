// Markup and terminal controls where the compiler's words are shown.
#include <cuda_runtime.h>

#line 1 "<img src=x onerror=alert(1)>"
#error "</pre><script>alert(document.cookie)</script> [2J]0;owned"

__global__ void add(const float* A, const float* B, float* C, int N) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < N) C[i] = A[i] + B[i];
}

extern "C" void solve(const float* A, const float* B, float* C, int N) {
  add<<<(N + 255) / 256, 256>>>(A, B, C, N);
}
