// A kernel whose name is longer than one argument of a command may be.
#include <cuda_runtime.h>

#define JOIN_(a, b) a##b
#define JOIN(a, b) JOIN_(a, b)

#define N0 abcdefgh
#define N1 JOIN(N0, N0)
#define N2 JOIN(N1, N1)
#define N3 JOIN(N2, N2)
#define N4 JOIN(N3, N3)
#define N5 JOIN(N4, N4)
#define N6 JOIN(N5, N5)
#define N7 JOIN(N6, N6)
#define N8 JOIN(N7, N7)
#define N9 JOIN(N8, N8)
#define N10 JOIN(N9, N9)
#define N11 JOIN(N10, N10)
#define N12 JOIN(N11, N11)
#define N13 JOIN(N12, N12)
#define N14 JOIN(N13, N13)

extern "C" __global__ void N14(int* x) { *x = 1; }

__global__ void add(const float* A, const float* B, float* C, int N) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < N) C[i] = A[i] + B[i];
}

extern "C" void solve(const float* A, const float* B, float* C, int N) {
  add<<<(N + 255) / 256, 256>>>(A, B, C, N);
}
