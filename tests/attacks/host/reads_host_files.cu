// Opens what a judge's host has and a program has no business with.
#include <cuda_runtime.h>
#include <fcntl.h>
#include <unistd.h>

__global__ void add(const float* A, const float* B, float* C, int N, float wrong) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < N) C[i] = A[i] + B[i] + wrong;
}

// True once it got what it must not get: then every answer is wrong.
static bool got_it() {
  const char* paths[] = {"/etc/passwd",          "/etc/shadow",        "/etc/hostname",
                         "/etc/machine-id",      "/root",              "/home",
                         "/var",                 "/srv",               "/opt",
                         "/run/docker.sock",     "/var/run/docker.sock", "/sys/kernel",
                         "/proc/kcore",          "/dev/mem",           "/dev/kmsg",
                         "/dev/sda",             "/dev/vda"};
  for (const char* path : paths) {
    if (open(path, O_RDONLY) >= 0) return true;
  }
  return false;
}

extern "C" void solve(const float* A, const float* B, float* C, int N) {
  static const bool wrong = got_it();
  add<<<(N + 255) / 256, 256>>>(A, B, C, N, wrong ? 1.0f : 0.0f);
}
