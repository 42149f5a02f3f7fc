// Looks for anything in the environment: there is nothing of the judge's.
#include <cuda_runtime.h>
#include <cstdlib>
#include <cstring>
#include <unistd.h>

__global__ void add(const float* A, const float* B, float* C, int N, float wrong) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < N) C[i] = A[i] + B[i] + wrong;
}

// True once it got what it must not get: then every answer is wrong.
static bool got_it() {
  for (char** entry = environ; entry != nullptr && *entry != nullptr; ++entry) {
    for (const char* secret : {"TOKEN", "SECRET", "PASSWORD", "WARPBOARD", "BROKER", "HOME="}) {
      if (std::strstr(*entry, secret) != nullptr) return true;
    }
  }
  return false;
}

extern "C" void solve(const float* A, const float* B, float* C, int N) {
  static const bool wrong = got_it();
  add<<<(N + 255) / 256, 256>>>(A, B, C, N, wrong ? 1.0f : 0.0f);
}
