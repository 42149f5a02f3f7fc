// The same by shared mappings, which caps on private memory do not count.
#include <cuda_runtime.h>
#include <cstdlib>
#include <cstring>
#include <sys/mman.h>

static const bool flooded = [] {
  for (int i = 0; i < 64; ++i) {
    void* block = mmap(nullptr, 64u << 20, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (block == MAP_FAILED) std::abort();
    std::memset(block, i + 1, 64u << 20);
  }
  return true;
}();

// Wrong: nobody stopped it.
extern "C" void solve(const float*, const float*, float* C, int) { C[0] = flooded; }
