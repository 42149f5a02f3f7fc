// Extra work on the timed stream: slow, and honestly so.
#include <cuda_runtime.h>

__global__ void heat(float* sink) {
  float x = threadIdx.x;
  for (int i = 0; i < 20000; ++i) x = fmaf(x, 1.0000001f, 0.5f);
  if (x == 12345.0f) *sink = x;
}

__global__ void add(const float* A, const float* B, float* C, int N) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < N) C[i] = A[i] + B[i];
}

extern "C" void solve(const float* A, const float* B, float* C, int N) {
  heat<<<132, 1024>>>(C);
  add<<<(N + 255) / 256, 256>>>(A, B, C, N);
}
