// The index of the reduction is never advanced.

__global__ void matmul(const float* A, const float* B, volatile float* C, int M, int N, int K) {
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= M || col >= K) return;
    int n = 0;
    while (n < N) {
        C[row * K + col] = A[row * N + n] * B[n * K + col];
    }
}

extern "C" void solve(const float* A, const float* B, float* C, int M, int N, int K) {
    matmul<<<dim3((K + 15) / 16, (M + 15) / 16), dim3(16, 16)>>>(A, B, C, M, N, K);
}
