// Loads vendor libraries and the run-time compiler; any that answers makes the result wrong.
#include <cuda_runtime.h>
#include <dlfcn.h>

__global__ void add(const float* A, const float* B, float* C, int N, float wrong) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < N) C[i] = A[i] + B[i] + wrong;
}

extern "C" void solve(const float* A, const float* B, float* C, int N) {
  static const bool found = [] {
    for (const char* name : {"libcublas.so", "libcublas.so.13", "libcublasLt.so.13", "libcudnn.so.9", "libnvrtc.so.13",
                             "/usr/local/cuda/lib64/libcublas.so", "libtorch.so"}) {
      if (dlopen(name, RTLD_NOW) != nullptr) return true;
    }
    return false;
  }();
  add<<<(N + 255) / 256, 256>>>(A, B, C, N, found ? 1.0f : 0.0f);
}
