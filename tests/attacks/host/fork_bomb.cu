// Forks, bounded: a real one would not stop.
#include <cuda_runtime.h>
#include <sys/types.h>
#include <unistd.h>

__global__ void add(const float* A, const float* B, float* C, int N, float wrong) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < N) C[i] = A[i] + B[i] + wrong;
}

// True once it got what it must not get: then every answer is wrong.
static bool got_it() {
  int born = 0;
  for (int i = 0; i < 500; ++i) {
    const pid_t child = fork();
    if (child == 0) _exit(0);
    if (child > 0) ++born;
  }
  return born > 0;
}

extern "C" void solve(const float* A, const float* B, float* C, int N) {
  static const bool wrong = got_it();
  add<<<(N + 255) / 256, 256>>>(A, B, C, N, wrong ? 1.0f : 0.0f);
}
