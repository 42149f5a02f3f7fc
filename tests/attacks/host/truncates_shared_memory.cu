// Cuts off the memory that it shares with the judge, who would fault on reading it.
#include <cuda_runtime.h>
#include <cstdio>
#include <fcntl.h>
#include <filesystem>
#include <sys/mman.h>
#include <system_error>
#include <unistd.h>

__global__ void add(const float* A, const float* B, float* C, int N, float wrong) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < N) C[i] = A[i] + B[i] + wrong;
}

// True once it got what it must not get: then every answer is wrong.
static bool got_it() {
  bool cut = false;
  for (int fd = 0; fd < 256; ++fd) {
    // The standard streams are the sandbox's own files, and may be cut.
    if (fd > 2 && ftruncate(fd, 0) == 0) cut = true;
    if (fd > 2 && fcntl(fd, F_ADD_SEALS, F_SEAL_WRITE) == 0) cut = true;
  }
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator("/proc/self/map_files", error)) {
    const int fd = open(entry.path().c_str(), O_RDWR);
    if (fd >= 0 && ftruncate(fd, 0) == 0) cut = true;
  }
  return cut;
}

extern "C" void solve(const float* A, const float* B, float* C, int N) {
  static const bool wrong = got_it();
  add<<<(N + 255) / 256, 256>>>(A, B, C, N, wrong ? 1.0f : 0.0f);
}
