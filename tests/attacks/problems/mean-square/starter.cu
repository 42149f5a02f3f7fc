#include <cuda_runtime.h>

extern "C" void solve(const float* X, float* Y, int N) {
}
