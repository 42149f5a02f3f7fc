// Walks the file system for an oracle, a problem.toml or another's source.
#include <cuda_runtime.h>
#include <cstring>
#include <filesystem>
#include <string>
#include <system_error>

__global__ void add(const float* A, const float* B, float* C, int N, float wrong) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < N) C[i] = A[i] + B[i] + wrong;
}

// True once it got what it must not get: then every answer is wrong.
static bool got_it() {
  namespace fs = std::filesystem;
  std::error_code error;
  int looked = 0;
  for (const char* root : {"/warpboard", "/tmp", "/submission", "/output", "/mnt", "/media", "/home"}) {
    fs::recursive_directory_iterator entry(root, fs::directory_options::skip_permission_denied, error);
    for (; !error && entry != fs::recursive_directory_iterator(); entry.increment(error)) {
      const std::string name = entry->path().filename().string();
      if (name == "reference.py" || name == "problem.toml" || name.ends_with(".cu")) return true;
      if (++looked > 20000) return false;
    }
  }
  return false;
}

extern "C" void solve(const float* A, const float* B, float* C, int N) {
  static const bool wrong = got_it();
  add<<<(N + 255) / 256, 256>>>(A, B, C, N, wrong ? 1.0f : 0.0f);
}
