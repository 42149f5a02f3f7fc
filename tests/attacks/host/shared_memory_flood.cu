// The same by shared mappings, which caps on private memory do not count.
#include <cuda_runtime.h>
#include <cstdlib>
#include <cstring>
#include <sys/mman.h>

extern "C" void solve(const float*, const float*, float* C, int) {
  for (int i = 0; i < 1024; ++i) {
    void* block = mmap(nullptr, 64u << 20, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (block == MAP_FAILED) std::abort();
    std::memset(block, i + 1, 64u << 20);
    C[0] = static_cast<char*>(block)[i];
  }
}
