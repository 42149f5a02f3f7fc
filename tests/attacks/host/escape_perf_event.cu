// Opens a performance counter.
// Anything but a flat refusal counts as got: the kernel looked at the arguments.
#include <cuda_runtime.h>
#include <cerrno>
#include <sys/syscall.h>
#include <unistd.h>

__global__ void add(const float* A, const float* B, float* C, int N, float wrong) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < N) C[i] = A[i] + B[i] + wrong;
}

// True once it got what it must not get: then every answer is wrong.
static bool got_it() {
  errno = 0;
  const long got = syscall(SYS_perf_event_open, nullptr, 0, -1, -1, 0);
  return got >= 0 || errno != EPERM;
}

extern "C" void solve(const float* A, const float* B, float* C, int N) {
  static const bool wrong = got_it();
  add<<<(N + 255) / 256, 256>>>(A, B, C, N, wrong ? 1.0f : 0.0f);
}
