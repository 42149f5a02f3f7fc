// Adds in half precision.

#include <cuda_fp16.h>

__global__ void sum(const float* input, float* output, int n) {
    __half acc = __float2half(0.0f);
    for (int i = 0; i < n; ++i) acc = __float2half(__half2float(acc) + input[i]);
    *output = __half2float(acc);
}

extern "C" void solve(const float* input, float* output, int n) {
    sum<<<1, 1>>>(input, output, n);
}
