// Defines the functions by which the runner would confine itself, so that they do nothing.
#include <cuda_runtime.h>
#include <cerrno>
#include <cstdarg>
#include <sys/socket.h>
#include <unistd.h>

__global__ void add(const float* A, const float* B, float* C, int N, float wrong) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < N) C[i] = A[i] + B[i] + wrong;
}

extern "C" {
int prctl(int, ...) { return 0; }
long syscall(long, ...) { return 0; }
int setrlimit(unsigned, const void*) { return 0; }
int close_range(unsigned, unsigned, int) { return 0; }
}

// True once it got what it must not get: then every answer is wrong.
static bool got_it() {
  return socket(AF_INET, SOCK_STREAM, 0) >= 0;
}

extern "C" void solve(const float* A, const float* B, float* C, int N) {
  static const bool wrong = got_it();
  add<<<(N + 255) / 256, 256>>>(A, B, C, N, wrong ? 1.0f : 0.0f);
}
