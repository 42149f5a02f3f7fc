// Touches memory until somebody stops it, or 64 GB.
#include <cuda_runtime.h>
#include <cstdlib>
#include <cstring>

extern "C" void solve(const float*, const float*, float* C, int) {
  for (int i = 0; i < 1024; ++i) {
    char* block = static_cast<char*>(std::malloc(64u << 20));
    if (block == nullptr) std::abort();
    std::memset(block, i + 1, 64u << 20);
    C[0] = block[i];
  }
}
