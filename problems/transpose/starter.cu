#include <cuda_runtime.h>

// output (cols x rows) = transpose of input (rows x cols), both row-major.
__global__ void transpose(const float* input, float* output, int rows, int cols) {
    // Write your kernel here.
}

// All pointers are device pointers.
extern "C" void solve(const float* input, float* output, int rows, int cols) {
    dim3 threads(16, 16);
    dim3 blocks((cols + threads.x - 1) / threads.x, (rows + threads.y - 1) / threads.y);
    transpose<<<blocks, threads>>>(input, output, rows, cols);
}
