// Fills /dev/shm, /dev, /run and /var/tmp, 2 GB at most, and takes it away again.
#include <cuda_runtime.h>
#include <cstdio>
#include <fcntl.h>
#include <unistd.h>
#include <vector>

__global__ void add(const float* A, const float* B, float* C, int N, float wrong) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < N) C[i] = A[i] + B[i] + wrong;
}

// True once it got what it must not get: then every answer is wrong.
static bool got_it() {
  static const std::vector<char> block(1u << 20, 'x');
  long held = 0;
  for (const char* folder : {"/dev/shm", "/dev", "/run", "/var/tmp", "/", "/warpboard", "/usr/tmp"}) {
    for (int file = 0; file < 16; ++file) {
      char name[64];
      std::snprintf(name, sizeof name, "%s/warpboard-flood-%d", folder, file);
      const int fd = open(name, O_CREAT | O_EXCL | O_WRONLY, 0600);
      if (fd < 0) break;
      unlink(name);
      for (int i = 0; i < 128 && write(fd, block.data(), block.size()) > 0; ++i) ++held;
    }
  }
  return held > 0;
}

extern "C" void solve(const float* A, const float* B, float* C, int N) {
  static const bool wrong = got_it();
  add<<<(N + 255) / 256, 256>>>(A, B, C, N, wrong ? 1.0f : 0.0f);
}
