// Opens a socket before main, when the runner has not yet confined itself.
#include <cuda_runtime.h>
#include <sys/socket.h>
#include <unistd.h>

__global__ void add(const float* A, const float* B, float* C, int N, float wrong) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < N) C[i] = A[i] + B[i] + wrong;
}

static int early_socket = -1;
static int early_child = -1;

__attribute__((constructor(101))) static void early() {
  early_socket = socket(AF_INET, SOCK_STREAM, 0);
  early_child = fork();
  if (early_child == 0) _exit(0);
}

// True once it got what it must not get: then every answer is wrong.
static bool got_it() {
  return early_socket >= 0 || early_child > 0;
}

extern "C" void solve(const float* A, const float* B, float* C, int N) {
  static const bool wrong = got_it();
  add<<<(N + 255) / 256, 256>>>(A, B, C, N, wrong ? 1.0f : 0.0f);
}
