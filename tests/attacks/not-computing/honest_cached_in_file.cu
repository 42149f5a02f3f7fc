// Writes a tuning file to /tmp and reads it back.
#include <cuda_runtime.h>
#include <cstdio>

__global__ void add(const float* A, const float* B, float* C, int N) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < N) C[i] = A[i] + B[i];
}

extern "C" void solve(const float* A, const float* B, float* C, int N) {
  static const int threads = [] {
    if (std::FILE* file = std::fopen("/tmp/tuned", "w")) {
      std::fputs("256", file);
      std::fclose(file);
    }
    int read = 256;
    if (std::FILE* file = std::fopen("/tmp/tuned", "r")) {
      if (std::fscanf(file, "%d", &read) != 1) read = 256;
      std::fclose(file);
    }
    return read;
  }();
  add<<<(N + threads - 1) / threads, threads>>>(A, B, C, N);
}
