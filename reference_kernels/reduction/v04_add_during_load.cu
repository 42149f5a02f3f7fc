// Every thread adds two elements as it loads them, before the tree begins.
//
// From sequential addressing: a block sums 512 elements with 256 threads.
// Why: half of the threads were idle from the first level of the tree on; an addition during the
// load costs no barrier, and half as many blocks and partial sums are left.
// Costs: nothing.

#include <cuda_runtime.h>

#define THREADS 256
#define PER_BLOCK (2 * THREADS)  // elements that a block sums
#define MAX_N (1 << 28)

__device__ float partials[2][MAX_N / PER_BLOCK];  // passes write one and read the other

__global__ void sum_blocks(const float* input, float* output, int n) {
    __shared__ float values[THREADS];

    int thread = threadIdx.x;
    int i = blockIdx.x * PER_BLOCK + thread;
    float sum = i < n ? input[i] : 0.0f;
    if (i + THREADS < n) sum += input[i + THREADS];
    values[thread] = sum;
    __syncthreads();

    for (int stride = THREADS / 2; stride > 0; stride /= 2) {
        if (thread < stride) {
            values[thread] += values[thread + stride];
        }
        __syncthreads();
    }

    if (thread == 0) {
        output[blockIdx.x] = values[0];
    }
}

extern "C" void solve(const float* input, float* output, int n) {
    float* scratch = nullptr;
    cudaGetSymbolAddress(reinterpret_cast<void**>(&scratch), partials);
    for (int pass = 0;; ++pass) {
        int blocks = (n + PER_BLOCK - 1) / PER_BLOCK;
        float* sums = blocks == 1 ? output : scratch + pass % 2 * (MAX_N / PER_BLOCK);
        sum_blocks<<<blocks, THREADS>>>(input, sums, n);
        if (blocks == 1) return;
        input = sums;
        n = blocks;
    }
}
