// Writes where root of a careless container could.
#include <cuda_runtime.h>
#include <fcntl.h>
#include <unistd.h>

__global__ void add(const float* A, const float* B, float* C, int N, float wrong) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < N) C[i] = A[i] + B[i] + wrong;
}

// True once it got what it must not get: then every answer is wrong.
static bool got_it() {
  const char* paths[] = {"/proc/sys/kernel/core_pattern", "/proc/sysrq-trigger",
                         "/sys/fs/cgroup/release_agent",  "/sys/kernel/uevent_helper",
                         "/proc/1/oom_score_adj",         "/usr/bin/nvcc",
                         "/usr/lib/evil.so",              "/etc/ld.so.preload",
                         "/warpboard/program",            "/warpboard/submission.so"};
  for (const char* path : paths) {
    if (open(path, O_WRONLY) >= 0 || open(path, O_WRONLY | O_CREAT, 0600) >= 0) return true;
  }
  return false;
}

extern "C" void solve(const float* A, const float* B, float* C, int N) {
  static const bool wrong = got_it();
  add<<<(N + 255) / 256, 256>>>(A, B, C, N, wrong ? 1.0f : 0.0f);
}
