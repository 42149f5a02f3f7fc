// Looks at the supervisor's memory, environment and files in /proc.
#include <cuda_runtime.h>
#include <fcntl.h>
#include <unistd.h>
#include <cstdio>

__global__ void add(const float* A, const float* B, float* C, int N, float wrong) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < N) C[i] = A[i] + B[i] + wrong;
}

// True once it got what it must not get: then every answer is wrong.
static bool got_it() {
  const char* paths[] = {"/proc/1/mem", "/proc/1/environ", "/proc/1/maps", "/proc/1/fd/3"};
  for (const char* path : paths) {
    const int fd = open(path, O_RDONLY);
    char byte = 0;
    if (fd >= 0 && read(fd, &byte, 1) == 1) return true;
  }
  // Nobody else's either: in this sandbox there are process 1 and the runner.
  for (int pid = 2; pid < 2000; ++pid) {
    char path[64];
    std::snprintf(path, sizeof path, "/proc/%d/environ", pid);
    const int fd = pid == getpid() ? -1 : open(path, O_RDONLY);
    char byte = 0;
    if (fd >= 0 && read(fd, &byte, 1) == 1) return true;
  }
  return false;
}

extern "C" void solve(const float* A, const float* B, float* C, int N) {
  static const bool wrong = got_it();
  add<<<(N + 255) / 256, 256>>>(A, B, C, N, wrong ? 1.0f : 0.0f);
}
