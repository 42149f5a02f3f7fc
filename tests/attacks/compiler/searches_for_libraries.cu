// Searches the file system for vendor libraries; one that can be opened makes the result wrong.
#include <cuda_runtime.h>
#include <cstring>
#include <dlfcn.h>
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
  int looked = 0;
  for (const char* root : {"/usr/local", "/opt", "/usr/lib/python3", "/usr/lib/x86_64-linux-gnu", "/usr/lib/aarch64-linux-gnu"}) {
    std::error_code error;
    fs::recursive_directory_iterator entry(root, fs::directory_options::skip_permission_denied, error);
    for (; !error && entry != fs::recursive_directory_iterator(); entry.increment(error)) {
      if (++looked > 50000) return false;
      const std::string name = entry->path().filename().string();
      for (const char* library : {"libcublas", "libcudnn", "libcufft", "libcusolver", "libcusparse", "libnvrtc", "libtorch"}) {
        if (name.rfind(library, 0) != 0 || name.find(".so") == std::string::npos) continue;
        if (dlopen(entry->path().c_str(), RTLD_NOW | RTLD_LOCAL) != nullptr) return true;
      }
    }
  }
  return false;
}

extern "C" void solve(const float* A, const float* B, float* C, int N) {
  static const bool wrong = got_it();
  add<<<(N + 255) / 256, 256>>>(A, B, C, N, wrong ? 1.0f : 0.0f);
}
