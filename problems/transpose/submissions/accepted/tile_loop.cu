// A 32 x 8 block moves a 32 x 32 tile, four rows a thread.

__global__ void transpose(const float* input, float* output, int rows, int cols) {
    __shared__ float tile[32][33];
    int row0 = blockIdx.y * 32;
    int col0 = blockIdx.x * 32;
    for (int i = threadIdx.y; i < 32; i += 8) {
        int row = row0 + i;
        int col = col0 + threadIdx.x;
        if (row < rows && col < cols) tile[i][threadIdx.x] = input[row * cols + col];
    }
    __syncthreads();
    for (int i = threadIdx.y; i < 32; i += 8) {
        int row = row0 + threadIdx.x;
        int col = col0 + i;
        if (row < rows && col < cols) output[col * rows + row] = tile[threadIdx.x][i];
    }
}

extern "C" void solve(const float* input, float* output, int rows, int cols) {
    dim3 blocks((cols + 31) / 32, (rows + 31) / 32);
    transpose<<<blocks, dim3(32, 8)>>>(input, output, rows, cols);
}
