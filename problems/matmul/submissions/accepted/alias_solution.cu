// The entry point under its other name, the one that some judges of this field ask for.

__global__ void matmul(const float* A, const float* B, float* C, int M, int N, int K) {
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    if (row >= M || col >= K) return;
    double acc = 0.0;
    for (int n = 0; n < N; ++n) acc += double(A[row * N + n]) * B[n * K + col];
    C[row * K + col] = float(acc);
}

extern "C" void solution(const float* A, const float* B, float* C, int M, int N, int K) {
    dim3 threads(32, 4);
    matmul<<<dim3((K + 31) / 32, (M + 3) / 4), threads>>>(A, B, C, M, N, K);
}
