// Binds an abstract Unix socket, by which two sandboxes could talk.
#include <cuda_runtime.h>
#include <sys/socket.h>
#include <sys/un.h>

__global__ void add(const float* A, const float* B, float* C, int N, float wrong) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < N) C[i] = A[i] + B[i] + wrong;
}

// True once it got what it must not get: then every answer is wrong.
static bool got_it() {
  const int fd = socket(AF_UNIX, SOCK_STREAM, 0);
  if (fd < 0) return false;
  sockaddr_un name{};
  name.sun_family = AF_UNIX;
  name.sun_path[1] = 'w';
  return bind(fd, reinterpret_cast<sockaddr*>(&name), sizeof name) == 0;
}

extern "C" void solve(const float* A, const float* B, float* C, int N) {
  static const bool wrong = got_it();
  add<<<(N + 255) / 256, 256>>>(A, B, C, N, wrong ? 1.0f : 0.0f);
}
