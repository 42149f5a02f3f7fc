// Touches memory until somebody stops it, or 4 GB, before the first call: a call may not last so long.
#include <cuda_runtime.h>
#include <cstdlib>
#include <cstring>

static const bool flooded = [] {
  for (int i = 0; i < 64; ++i) {
    void* block = std::malloc(64u << 20);
    if (block == nullptr) std::abort();
    std::memset(block, i + 1, 64u << 20);
  }
  return true;
}();

// Wrong: nobody stopped it.
extern "C" void solve(const float*, const float*, float* C, int) { C[0] = flooded; }
