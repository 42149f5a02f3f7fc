// Ends itself by a signal.
#include <cuda_runtime.h>
#include <cstdlib>

extern "C" void solve(const float*, const float*, float*, int) { std::abort(); }
