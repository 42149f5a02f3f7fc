// Takes memory that no process has mapped: files in memory, 2 GB of them at most.
#include <cuda_runtime.h>
#include <fcntl.h>
#include <sys/mman.h>

__global__ void add(const float* A, const float* B, float* C, int N, float wrong) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < N) C[i] = A[i] + B[i] + wrong;
}

// True once it got what it must not get: then every answer is wrong.
static bool got_it() {
  long held = 0;
  for (int file = 0; file < 16; ++file) {
    const int fd = memfd_create("flood", 0);
    if (fd < 0 || posix_fallocate(fd, 0, 128 << 20) != 0) break;
    held += 128;
  }
  return held > 1536;
}

// Before the first call: a flood takes longer than a call may.
static const bool wrong = got_it();

extern "C" void solve(const float* A, const float* B, float* C, int N) {
  add<<<(N + 255) / 256, 256>>>(A, B, C, N, wrong ? 1.0f : 0.0f);
}
