// Neither `solve` nor `solution`.

__global__ void matmul(const float* A, const float* B, float* C, int M, int N, int K) {
}

extern "C" void launch(const float* A, const float* B, float* C, int M, int N, int K) {
    matmul<<<1, 1>>>(A, B, C, M, N, K);
}
