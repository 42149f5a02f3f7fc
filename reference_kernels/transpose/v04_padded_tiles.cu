// One unused column at the end of every row of the tile.
//
// From shared tiles: the tile is 33 floats wide.
// Why: the 32 elements of a tile's column lay in the same bank and were served one by one; with
// rows 33 floats apart they lie in 32 different banks.
// Costs: 128 bytes of shared memory.

#include <cuda_runtime.h>

#define TILE 32

__global__ void transpose(const float* input, float* output, int rows, int cols) {
    __shared__ float tile[TILE][TILE + 1];

    int row = blockIdx.y * TILE + threadIdx.y;
    int col = blockIdx.x * TILE + threadIdx.x;
    if (row < rows && col < cols) {
        tile[threadIdx.y][threadIdx.x] = input[row * cols + col];
    }
    __syncthreads();

    row = blockIdx.y * TILE + threadIdx.x;
    col = blockIdx.x * TILE + threadIdx.y;
    if (row < rows && col < cols) {
        output[col * rows + row] = tile[threadIdx.x][threadIdx.y];
    }
}

extern "C" void solve(const float* input, float* output, int rows, int cols) {
    dim3 threads(TILE, TILE);
    dim3 blocks((cols + TILE - 1) / TILE, (rows + TILE - 1) / TILE);
    transpose<<<blocks, threads>>>(input, output, rows, cols);
}
