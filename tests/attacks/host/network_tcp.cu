// Connects to the outside, to the host and to itself.
#include <cuda_runtime.h>
#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

__global__ void add(const float* A, const float* B, float* C, int N, float wrong) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < N) C[i] = A[i] + B[i] + wrong;
}

// True once it got what it must not get: then every answer is wrong.
static bool got_it() {
  for (const char* address : {"192.0.2.1", "127.0.0.1", "169.254.169.254"}) {
    for (int port : {80, 6379, 5432, 2375}) {
      const int fd = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0);
      if (fd < 0) continue;
      sockaddr_in to{};
      to.sin_family = AF_INET;
      to.sin_port = htons(static_cast<uint16_t>(port));
      inet_pton(AF_INET, address, &to.sin_addr);
      // In a network of its own there is no way to anywhere: even "in progress" would be one.
      const bool reached = connect(fd, reinterpret_cast<sockaddr*>(&to), sizeof to) == 0;
      close(fd);
      if (reached) return true;
    }
  }
  return false;
}

extern "C" void solve(const float* A, const float* B, float* C, int N) {
  static const bool wrong = got_it();
  add<<<(N + 255) / 256, 256>>>(A, B, C, N, wrong ? 1.0f : 0.0f);
}
