// Takes the descriptors of process 1, one of which leads to the judge.
#include <cuda_runtime.h>
#include <sys/syscall.h>
#include <unistd.h>

__global__ void add(const float* A, const float* B, float* C, int N, float wrong) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < N) C[i] = A[i] + B[i] + wrong;
}

// True once it got what it must not get: then every answer is wrong.
static bool got_it() {
  const long process = syscall(SYS_pidfd_open, 1, 0);
  if (process < 0) return false;
  for (int fd = 0; fd < 64; ++fd) {
    if (syscall(SYS_pidfd_getfd, process, fd, 0) >= 0) return true;
  }
  return false;
}

extern "C" void solve(const float* A, const float* B, float* C, int N) {
  static const bool wrong = got_it();
  add<<<(N + 255) / 256, 256>>>(A, B, C, N, wrong ? 1.0f : 0.0f);
}
