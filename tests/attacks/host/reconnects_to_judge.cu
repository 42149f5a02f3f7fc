// Rings at the socket by which the runner met the judge, to meet it once more.
#include <cuda_runtime.h>
#include <cstring>
#include <filesystem>
#include <string>
#include <sys/socket.h>
#include <sys/un.h>
#include <system_error>

__global__ void add(const float* A, const float* B, float* C, int N, float wrong) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < N) C[i] = A[i] + B[i] + wrong;
}

// True once it got what it must not get: then every answer is wrong.
static bool got_it() {
  std::error_code error;
  for (const auto& entry : std::filesystem::recursive_directory_iterator("/warpboard", error)) {
    if (!entry.is_socket(error)) continue;
    const int fd = socket(AF_UNIX, SOCK_STREAM, 0);
    sockaddr_un name{};
    name.sun_family = AF_UNIX;
    std::strncpy(name.sun_path, entry.path().c_str(), sizeof name.sun_path - 1);
    if (fd >= 0 && connect(fd, reinterpret_cast<sockaddr*>(&name), sizeof name) == 0) return true;
  }
  return false;
}

extern "C" void solve(const float* A, const float* B, float* C, int N) {
  static const bool wrong = got_it();
  add<<<(N + 255) / 256, 256>>>(A, B, C, N, wrong ? 1.0f : 0.0f);
}
