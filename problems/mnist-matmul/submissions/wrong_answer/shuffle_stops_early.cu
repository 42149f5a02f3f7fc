// The last step of the shuffle reduction is missing: odd lanes never reach lane 0.

#define WARP 32
#define WARPS 8     // rows that a block computes
#define COLUMNS 10  // columns of Y accumulated in one pass

__global__ void matmul(const float* X, const float* W, float* Y, int M, int K, int N) {
    int lane = threadIdx.x;
    int row = blockIdx.x * WARPS + threadIdx.y;
    if (row >= M) return;  // a whole warp at a time, so the shuffles below stay complete

    for (int col0 = 0; col0 < N; col0 += COLUMNS) {
        float acc[COLUMNS] = {};
        for (int k = lane; k < K; k += WARP) {
            float x = X[row * K + k];
            for (int j = 0; j < COLUMNS; ++j) {
                if (col0 + j < N) acc[j] += x * __ldg(&W[k * N + col0 + j]);
            }
        }

        for (int j = 0; j < COLUMNS; ++j) {
            for (int offset = WARP / 2; offset > 1; offset /= 2) {
                acc[j] += __shfl_down_sync(0xffffffff, acc[j], offset);
            }
            if (lane == 0 && col0 + j < N) Y[row * N + col0 + j] = acc[j];
        }
    }
}

extern "C" void solve(const float* X, const float* W, float* Y, int M, int K, int N) {
    dim3 threads(WARP, WARPS);
    dim3 blocks((M + WARPS - 1) / WARPS);
    matmul<<<blocks, threads>>>(X, W, Y, M, K, N);
}
