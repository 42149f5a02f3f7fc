// Leaves a process of a session of its own behind, for the next run.
#include <cuda_runtime.h>
#include <unistd.h>

__global__ void add(const float* A, const float* B, float* C, int N, float wrong) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < N) C[i] = A[i] + B[i] + wrong;
}

// True once it got what it must not get: then every answer is wrong.
static bool got_it() {
  const pid_t child = fork();
  if (child == 0) {
    setsid();
    if (fork() == 0) {
      sleep(30);  // it ends by itself, should nobody end it
    }
    _exit(0);
  }
  return child > 0;
}

extern "C" void solve(const float* A, const float* B, float* C, int N) {
  static const bool wrong = got_it();
  add<<<(N + 255) / 256, 256>>>(A, B, C, N, wrong ? 1.0f : 0.0f);
}
