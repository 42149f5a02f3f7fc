// Never gets as far as being ready.
#include <cuda_runtime.h>
#include <unistd.h>

static const int never = [] {
  for (;;) sleep(1000);
  return 0;
}();

extern "C" void solve(const float*, const float*, float* C, int) { C[0] = static_cast<float>(never); }
