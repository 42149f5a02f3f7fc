// The host never comes back from a call.
#include <cuda_runtime.h>
#include <mutex>

extern "C" void solve(const float*, const float*, float*, int) {
  static std::mutex held;
  held.lock();
  held.lock();
}
