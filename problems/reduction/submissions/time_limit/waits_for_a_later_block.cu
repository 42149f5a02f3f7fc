// Every block waits for the one after it to finish, and the last waits for itself.

__device__ volatile int finished;

__global__ void sum(const float* input, float* output, int n) {
    while (finished < int(blockIdx.x) + 1) {
    }
    *output = input[0];
    finished = blockIdx.x;
}

extern "C" void solve(const float* input, float* output, int n) {
    sum<<<(n + 255) / 256, 1>>>(input, output, n);
}
