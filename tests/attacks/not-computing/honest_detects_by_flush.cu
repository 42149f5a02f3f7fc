// Times a load of its input and chooses a block size by it.
#include <cuda_runtime.h>

__global__ void add(const float* A, const float* B, float* C, int N) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < N) C[i] = A[i] + B[i];
}

__global__ void probe(const float* A, int N, long long* ticks, float* sink) {
  const long long began = clock64();
  const float value = *static_cast<const volatile float*>(A + N / 2);
  const long long ended = clock64() + (value == 12345.678f ? 1 : 0);
  *ticks = ended - began;
  *sink = value;
}

extern "C" void solve(const float* A, const float* B, float* C, int N) {
  static long long* ticks = nullptr;
  static float* sink = nullptr;
  if (ticks == nullptr) cudaMalloc(&ticks, sizeof *ticks), cudaMalloc(&sink, sizeof *sink);
  probe<<<1, 1>>>(A, N, ticks, sink);
  long long took = 0;
  cudaMemcpy(&took, ticks, sizeof took, cudaMemcpyDeviceToHost);
  const int threads = took < 500 ? 128 : 256;
  add<<<(N + threads - 1) / threads, threads>>>(A, B, C, N);
}
