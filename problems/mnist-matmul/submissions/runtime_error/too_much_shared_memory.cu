// Asks for 96 KiB of shared memory a block without raising the limit of 48 KiB first
// (cudaFuncSetAttribute), so the launch itself fails.

__global__ void matmul(const float* X, const float* W, float* Y, int M, int K, int N) {
    extern __shared__ float weights[];
    for (int i = threadIdx.x; i < K * N; i += blockDim.x) weights[i] = W[i];
    __syncthreads();
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= M) return;
    for (int j = 0; j < N; ++j) {
        float acc = 0.0f;
        for (int k = 0; k < K; ++k) acc += X[row * K + k] * weights[k * N + j];
        Y[row * N + j] = acc;
    }
}

extern "C" void solve(const float* X, const float* W, float* Y, int M, int K, int N) {
    matmul<<<(M + 127) / 128, 128, 96 * 1024>>>(X, W, Y, M, K, N);
}
