// Has the driver compile PTX at run time, where there is a driver.
#include <cuda_runtime.h>
#include <dlfcn.h>

__global__ void add(const float* A, const float* B, float* C, int N, float wrong) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < N) C[i] = A[i] + B[i] + wrong;
}

// True once it got what it must not get: then every answer is wrong.
static bool got_it() {
  void* driver = dlopen("libcuda.so.1", RTLD_NOW);
  if (driver == nullptr) return false;
  using Load = int (*)(void**, const void*);
  const auto load = reinterpret_cast<Load>(dlsym(driver, "cuModuleLoadData"));
  void* module = nullptr;
  const char* ptx = ".version 7.0\n.target sm_70\n.address_size 64\n.visible .entry nothing() { ret; }\n";
  if (load != nullptr) load(&module, ptx);
  return false;  // it is the submission's own code, and whatever it costs is within a timed call
}

extern "C" void solve(const float* A, const float* B, float* C, int N) {
  static const bool wrong = got_it();
  add<<<(N + 255) / 256, 256>>>(A, B, C, N, wrong ? 1.0f : 0.0f);
}
