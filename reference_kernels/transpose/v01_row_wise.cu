// One block transposes one row; each of its threads takes a contiguous slice of the columns.
//
// From: nothing; this is where the ladder starts.
// Why: the division of work one would choose on a CPU, where a core likes neighbouring addresses.
// Costs: at any instant the lanes of a warp read a slice apart and write a column apart: one
// 32-byte sector moves for every 4 bytes, on both sides.

#include <cuda_runtime.h>

#define THREADS 256

__global__ void transpose(const float* input, float* output, int rows, int cols) {
    int row = blockIdx.x;
    int slice = (cols + THREADS - 1) / THREADS;
    int first = threadIdx.x * slice;
    for (int col = first; col < first + slice && col < cols; ++col) {
        output[col * rows + row] = input[row * cols + col];
    }
}

extern "C" void solve(const float* input, float* output, int rows, int cols) {
    transpose<<<rows, THREADS>>>(input, output, rows, cols);
}
