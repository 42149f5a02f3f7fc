// Kernels as learners write them, each with the check a learner would make.
#include <cuda_runtime.h>
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include "device_launch_parameters.h"

#include <cmath>
#include <numeric>
#include <vector>

#include "expect.h"

namespace cg = cooperative_groups;

#define CUDA_CHECK(call)                                                                  \
    do {                                                                                  \
        cudaError_t err = (call);                                                         \
        if (err != cudaSuccess) {                                                         \
            fprintf(stderr, "CUDA error %s at %d\n", cudaGetErrorString(err), __LINE__);  \
            exit(EXIT_FAILURE);                                                           \
        }                                                                                 \
    } while (0)

// A macro that launches, over two lines.
#define LAUNCH_1D(kernel, n, ...) \
    kernel<<<((n) + 127) / 128, 128>>>(__VA_ARGS__)

__global__ void vector_add(const float* __restrict__ a, const float* __restrict__ b, float* c,
                           int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) c[i] = a[i] + b[i];
}

void vector_add_copies_there_and_back() {
    const int n = 1000;
    std::vector<float> a(n), b(n), c(n);
    for (int i = 0; i < n; ++i) { a[i] = i; b[i] = 2 * i; }
    float *d_a, *d_b, *d_c;
    CUDA_CHECK(cudaMalloc(&d_a, n * sizeof(float)));
    CUDA_CHECK(cudaMalloc((void**)&d_b, n * sizeof(float)));
    CUDA_CHECK(cudaMalloc(&d_c, n * sizeof(float)));
    CUDA_CHECK(cudaMemcpy(d_a, a.data(), n * sizeof(float), cudaMemcpyHostToDevice));
    CUDA_CHECK(cudaMemcpy(d_b, b.data(), n * sizeof(float), cudaMemcpyHostToDevice));
    int threads = 256;
    vector_add<<<(n + threads - 1) / threads, threads>>>(d_a, d_b, d_c, n);
    CUDA_CHECK(cudaGetLastError());
    CUDA_CHECK(cudaDeviceSynchronize());
    CUDA_CHECK(cudaMemcpy(c.data(), d_c, n * sizeof(float), cudaMemcpyDeviceToHost));
    for (int i = 0; i < n; ++i) EXPECT(c[i] == 3.0f * i);
    LAUNCH_1D(vector_add, n, d_a, d_a, d_c, n);
    CUDA_CHECK(cudaMemcpy(c.data(), d_c, n * sizeof(float), cudaMemcpyDeviceToHost));
    EXPECT(c[999] == 1998.0f);
    cudaFree(d_a); cudaFree(d_b); cudaFree(d_c);
}

__global__ void matrix_add(const int* a, const int* b, int* c, int rows, int cols) {
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    if (row < rows && col < cols) c[row * cols + col] = a[row * cols + col] + b[row * cols + col];
}

void matrix_add_with_dim3() {
    const int rows = 33, cols = 70;
    int *a = managed<int>(rows * cols), *b = managed<int>(rows * cols), *c = managed<int>(rows * cols);
    for (int i = 0; i < rows * cols; ++i) { a[i] = i; b[i] = -2 * i; }
    dim3 block(16, 8), grid((cols + block.x - 1) / block.x, (rows + block.y - 1) / block.y);
    matrix_add<<<grid, block>>>(a, b, c, rows, cols);
    for (int i = 0; i < rows * cols; ++i) EXPECT(c[i] == -i);
}

template <typename T, int FACTOR>
__global__ void scale(T* data, T by, int n) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        data[i] = data[i] * by * static_cast<T>(FACTOR);
}

void templates_with_and_without_arguments() {
    double* data = managed<double>(500);
    for (int i = 0; i < 500; ++i) data[i] = i;
    scale<double, (2 > 1) ? 3 : 4><<<4, 32>>>(data, 2.0, 500);
    EXPECT(data[499] == 499 * 6.0);
}

__global__ void histogram(const unsigned char* data, int n, unsigned int* bins) {
    __shared__ unsigned int local[256];
    local[threadIdx.x] = 0;
    __syncthreads();
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int stride = blockDim.x * gridDim.x;
    while (i < n) {
        atomicAdd(&local[data[i]], 1);
        i += stride;
    }
    __syncthreads();
    atomicAdd(&bins[threadIdx.x], local[threadIdx.x]);
}

void histogram_with_shared_atomics() {
    const int n = 10000;
    auto* data = managed<unsigned char>(n);
    auto* bins = managed<unsigned int>(256);
    for (int i = 0; i < n; ++i) data[i] = (i * 7) % 251;
    CUDA_CHECK(cudaMemset(bins, 0, 256 * sizeof(unsigned int)));
    histogram<<<8, 256>>>(data, n, bins);
    unsigned expected[256] = {};
    for (int i = 0; i < n; ++i) ++expected[data[i]];
    for (int i = 0; i < 256; ++i) EXPECT(bins[i] == expected[i]);
}

__global__ void softmax(const float* in, float* out, int cols) {
    extern __shared__ float cache[];
    const float* row = in + blockIdx.x * cols;
    float best = -INFINITY;
    for (int i = threadIdx.x; i < cols; i += blockDim.x) best = fmaxf(best, row[i]);
    cache[threadIdx.x] = best;
    __syncthreads();
    for (int s = blockDim.x / 2; s > 0; s >>= 1) {
        if (threadIdx.x < s) cache[threadIdx.x] = max(cache[threadIdx.x], cache[threadIdx.x + s]);
        __syncthreads();
    }
    best = cache[0];
    __syncthreads();
    float sum = 0.0f;
    for (int i = threadIdx.x; i < cols; i += blockDim.x) sum += __expf(row[i] - best);
    cache[threadIdx.x] = sum;
    __syncthreads();
    for (int s = blockDim.x / 2; s > 0; s >>= 1) {
        if (threadIdx.x < s) cache[threadIdx.x] += cache[threadIdx.x + s];
        __syncthreads();
    }
    for (int i = threadIdx.x; i < cols; i += blockDim.x)
        out[blockIdx.x * cols + i] = __expf(row[i] - best) / cache[0];
}

void softmax_with_dynamic_shared_memory() {
    const int rows = 5, cols = 300;
    float *in = managed<float>(rows * cols), *out = managed<float>(rows * cols);
    for (int i = 0; i < rows * cols; ++i) in[i] = (i % 37) * 0.1f;
    softmax<<<rows, 128, 128 * sizeof(float)>>>(in, out, cols);
    for (int r = 0; r < rows; ++r) {
        double sum = 0;
        for (int i = 0; i < cols; ++i) sum += out[r * cols + i];
        EXPECT(std::abs(sum - 1.0) < 1e-5);
    }
}

__global__ void inclusive_scan(int* data, int n) {
    __shared__ int temp[2][256];
    int tid = threadIdx.x, from = 0;
    temp[from][tid] = tid < n ? data[tid] : 0;
    __syncthreads();
    for (int offset = 1; offset < blockDim.x; offset *= 2) {
        int to = 1 - from;
        temp[to][tid] = temp[from][tid] + (tid >= offset ? temp[from][tid - offset] : 0);
        from = to;
        __syncthreads();
    }
    if (tid < n) data[tid] = temp[from][tid];
}

void scan_with_double_buffer() {
    int* data = managed<int>(200);
    for (int i = 0; i < 200; ++i) data[i] = i + 1;
    inclusive_scan<<<1, 256>>>(data, 200);
    for (int i = 0; i < 200; ++i) EXPECT(data[i] == (i + 1) * (i + 2) / 2);
}

#define RADIUS 3
__constant__ float weights[2 * RADIUS + 1];

__global__ void stencil(const float* in, float* out, int n) {
    __shared__ float tile[64 + 2 * RADIUS];
    int g = blockIdx.x * blockDim.x + threadIdx.x, l = threadIdx.x + RADIUS;
    tile[l] = g < n ? in[g] : 0;
    if (threadIdx.x < RADIUS) {
        tile[l - RADIUS] = g >= RADIUS ? in[g - RADIUS] : 0;
        tile[l + blockDim.x] = g + (int)blockDim.x < n ? in[g + blockDim.x] : 0;
    }
    __syncthreads();
    float result = 0;
#pragma unroll
    for (int o = -RADIUS; o <= RADIUS; ++o) result += weights[o + RADIUS] * tile[l + o];
    if (g < n) out[g] = result;
}

void stencil_with_constant_memory() {
    const int n = 200;
    float host[2 * RADIUS + 1], back[2 * RADIUS + 1];
    for (int i = 0; i <= 2 * RADIUS; ++i) host[i] = i;
    CUDA_CHECK(cudaMemcpyToSymbol(weights, host, sizeof(host)));
    CUDA_CHECK(cudaMemcpyFromSymbol(back, weights, sizeof back));
    EXPECT(back[6] == 6.0f);
    EXPECT(cudaMemcpyToSymbol(weights, host, sizeof host, sizeof(float)) == cudaErrorInvalidValue);
    EXPECT(cudaGetLastError() == cudaErrorInvalidValue);
    float *in = managed<float>(n), *out = managed<float>(n);
    for (int i = 0; i < n; ++i) in[i] = i;
    stencil<<<(n + 63) / 64, 64>>>(in, out, n);
    for (int i = 0; i < n; ++i) {
        float expected = 0;
        for (int o = -RADIUS; o <= RADIUS; ++o)
            if (i + o >= 0 && i + o < n) expected += host[o + RADIUS] * (i + o);
        EXPECT(out[i] == expected);
    }
}

__device__ int global_counter;
__device__ __managed__ float tuning = 1.5f;

__global__ void count_and_tune(float* out) {
    atomicAdd(&global_counter, 1);
    if (threadIdx.x == 0 && blockIdx.x == 0) *out = tuning;
}

void device_variables() {
    int zero = 0, count = -1;
    float* out = managed<float>(1);
    CUDA_CHECK(cudaMemcpyToSymbol(global_counter, &zero, sizeof(int)));
    tuning = 2.5f;
    count_and_tune<<<7, 33>>>(out);
    CUDA_CHECK(cudaMemcpyFromSymbol(&count, global_counter, sizeof(int)));
    EXPECT(count == 7 * 33);
    EXPECT(*out == 2.5f);
}

struct Params {
    int width, height;
    float gain;
    __host__ __device__ int area() const { return width * height; }
};

struct Particle {
    float3 position;
    float mass;
};

__device__ __forceinline__ float squared(float3 v) { return v.x * v.x + v.y * v.y + v.z * v.z; }
__device__ int fibonacci(int n) { return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2); }

__global__ void energies(const Particle* particles, float* out, Params params) {
    int i = threadIdx.x;
    if (i < params.area()) out[i] = params.gain * particles[i].mass * squared(particles[i].position);
    if (i == 0) out[params.area()] = fibonacci(10);
}

void structs_and_device_functions() {
    Params params{4, 2, 0.5f};
    auto* particles = managed<Particle>(8);
    auto* out = managed<float>(9);
    for (int i = 0; i < 8; ++i) particles[i] = {make_float3(i, 0, 1), 2.0f};
    energies<<<1, 32>>>(particles, out, params);
    for (int i = 0; i < 8; ++i) EXPECT(out[i] == i * i + 1.0f);
    EXPECT(out[8] == 55.0f);
}

template <class Function>
__global__ void apply(Function f, int* out) {
    out[threadIdx.x] = f(threadIdx.x);
}

void device_lambdas() {
    int* out = managed<int>(64);
    int offset = 7;
    apply<<<1, 64>>>([=] __device__(int i) { return i * i + offset; }, out);
    EXPECT(out[63] == 63 * 63 + 7);
}

__global__ void vectorised_copy(const float* in, float* out, int n4) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n4) {
        float4 v = reinterpret_cast<const float4*>(in)[i];
        v.x += 1; v.y += 2; v.z += 3; v.w += 4;
        reinterpret_cast<float4*>(out)[i] = v;
    }
}

void float4_loads() {
    float *in = managed<float>(64), *out = managed<float>(64);
    for (int i = 0; i < 64; ++i) in[i] = i;
    vectorised_copy<<<1, 32>>>(in, out, 16);
    for (int i = 0; i < 64; ++i) EXPECT(out[i] == i + i % 4 + 1);
}

__inline__ __device__ float warp_sum(float value) {
    for (int offset = warpSize / 2; offset > 0; offset /= 2)
        value += __shfl_down_sync(0xffffffff, value, offset);
    return value;
}

__global__ void dot(const float* a, const float* b, float* result, int n) {
    __shared__ float partial[32];
    float sum = 0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x)
        sum += a[i] * b[i];
    int lane = threadIdx.x % warpSize, warp = threadIdx.x / warpSize;
    sum = warp_sum(sum);
    if (lane == 0) partial[warp] = sum;
    __syncthreads();
    sum = threadIdx.x < blockDim.x / warpSize ? partial[lane] : 0;
    if (warp == 0) sum = warp_sum(sum);
    if (threadIdx.x == 0) atomicAdd(result, sum);
}

void dot_product_by_warps() {
    const int n = 4096;
    float *a = managed<float>(n), *b = managed<float>(n), *result = managed<float>(1);
    for (int i = 0; i < n; ++i) { a[i] = i % 3; b[i] = i % 5; }
    *result = 0;
    dot<<<4, 256>>>(a, b, result, n);
    double expected = 0;
    for (int i = 0; i < n; ++i) expected += a[i] * b[i];
    EXPECT(*result == expected);
}

__device__ int lock = 0;

__global__ void critical_section(int* total) {
    bool done = false;
    while (!done) {
        if (atomicCAS(&lock, 0, 1) == 0) {
            *total += 1;
            __threadfence();
            atomicExch(&lock, 0);
            done = true;
        }
    }
}

void spin_lock() {
    int* total = managed<int>(1);
    *total = 0;
    critical_section<<<4, 40>>>(total);
    EXPECT(*total == 160);
}

__device__ unsigned int arrived = 0;

__global__ void last_block_sums(const float* in, float* partial, float* out, int n) {
    __shared__ bool last;
    if (threadIdx.x == 0) {
        float sum = 0;
        for (int i = blockIdx.x; i < n; i += gridDim.x) sum += in[i];
        partial[blockIdx.x] = sum;
        __threadfence();
        last = atomicInc(&arrived, gridDim.x) == gridDim.x - 1;
    }
    __syncthreads();
    if (last && threadIdx.x == 0) {
        float sum = 0;
        for (unsigned b = 0; b < gridDim.x; ++b) sum += partial[b];
        *out = sum;
        arrived = 0;
    }
}

void last_block_pattern() {
    float *in = managed<float>(100), *partial = managed<float>(8), *out = managed<float>(1);
    for (int i = 0; i < 100; ++i) in[i] = 1;
    last_block_sums<<<8, 32>>>(in, partial, out, 100);
    EXPECT(*out == 100.0f);
}

void streams_and_events() {
    cudaStream_t streams[2];
    cudaEvent_t start, stop;
    float *a = managed<float>(256), *c = managed<float>(256), *host = nullptr;
    for (int i = 0; i < 256; ++i) a[i] = i;
    CUDA_CHECK(cudaMallocHost(&host, 256 * sizeof(float)));
    CUDA_CHECK(cudaEventCreate(&start));
    CUDA_CHECK(cudaEventCreate(&stop));
    CUDA_CHECK(cudaEventRecord(start));
    for (int s = 0; s < 2; ++s) {
        CUDA_CHECK(cudaStreamCreate(&streams[s]));
        vector_add<<<1, 128, 0, streams[s]>>>(a + s * 128, a + s * 128, c + s * 128, 128);
        CUDA_CHECK(cudaMemcpyAsync(host + s * 128, c + s * 128, 128 * sizeof(float),
                                   cudaMemcpyDeviceToHost, streams[s]));
    }
    for (auto& stream : streams) {
        CUDA_CHECK(cudaStreamSynchronize(stream));
        CUDA_CHECK(cudaStreamDestroy(stream));
    }
    CUDA_CHECK(cudaEventRecord(stop));
    CUDA_CHECK(cudaEventSynchronize(stop));
    float ms = -1;
    CUDA_CHECK(cudaEventElapsedTime(&ms, start, stop));
    EXPECT(ms >= 0);
    for (int i = 0; i < 256; ++i) EXPECT(host[i] == 2.0f * i);
    CUDA_CHECK(cudaFreeHost(host));
    CUDA_CHECK(cudaEventDestroy(start));
    CUDA_CHECK(cudaEventDestroy(stop));
}

template <class T>
__global__ void typed_reverse(T* data, int n) {
    extern __shared__ __align__(8) unsigned char raw[];
    T* tile = reinterpret_cast<T*>(raw);
    tile[threadIdx.x] = data[threadIdx.x];
    __syncthreads();
    data[threadIdx.x] = tile[n - 1 - threadIdx.x];
}

void dynamic_shared_memory_of_any_type() {
    auto* d = managed<double>(50);
    auto* s = managed<short>(50);
    for (int i = 0; i < 50; ++i) { d[i] = i; s[i] = i; }
    typed_reverse<<<1, 50, 50 * sizeof(double)>>>(d, 50);
    typed_reverse<short><<<1, 50, 50 * sizeof(short)>>>(s, 50);
    EXPECT(d[0] == 49 && d[49] == 0 && s[10] == 39);
}

namespace deep {
namespace inner {
__global__ void fill(int* out, int value) { out[threadIdx.x] = value; }
}
struct Kernels {
    using Kernel = void (*)(int*, int);
    static constexpr Kernel all[] = {inner::fill, inner::fill};
};
}

void kernels_by_qualified_name_and_pointer() {
    int* out = managed<int>(4);
    ::deep::inner::fill<<<1, 4>>>(out, 5);
    EXPECT(out[3] == 5);
    void (*pointer)(int*, int) = deep::inner::fill;
    pointer<<<dim3{1}, 4>>>(out, 6);
    EXPECT(out[0] == 6);
    (*pointer)<<<1, 4>>>(out, 7);
    EXPECT(out[0] == 7);
    deep::Kernels::all[1]<<<1, 4>>>(out, 8);
    EXPECT(out[0] == 8);
    int calls = 0;
    auto once = [&] { return ++calls; };
    deep::inner::fill<<<once(), 4>>>(out, once() * 10);
    EXPECT(calls == 2);
}

__global__ void optional_output(const float* in, float* out) { if (out) *out = in ? *in : 1.0f; }

void null_arguments() {
    float* out = managed<float>(1);
    optional_output<<<1, 1>>>(NULL, out);
    EXPECT(*out == 1.0f);
    optional_output<<<1, 1>>>(out, nullptr);
}

__global__ void pitched_fill(float* base, size_t pitch, int width, int height) {
    int x = threadIdx.x, y = threadIdx.y;
    if (x < width && y < height) ((float*)((char*)base + y * pitch))[x] = y * 100 + x;
}

void pitched_memory() {
    float* base;
    size_t pitch;
    float host[3][20];
    CUDA_CHECK(cudaMallocPitch(&base, &pitch, 20 * sizeof(float), 3));
    pitched_fill<<<1, dim3(32, 4)>>>(base, pitch, 20, 3);
    CUDA_CHECK(cudaMemcpy2D(host, sizeof host[0], base, pitch, 20 * sizeof(float), 3,
                            cudaMemcpyDeviceToHost));
    EXPECT(host[2][19] == 219.0f && host[1][0] == 100.0f);
    CUDA_CHECK(cudaFree(base));
}

__global__ void groups(int* out) {
    cg::thread_block block = cg::this_thread_block();
    cg::thread_block_tile<8> tile = cg::tiled_partition<8>(block);
    int sum = cg::reduce(tile, (int)block.thread_rank(), cg::plus<int>());
    __shared__ int sums[64];
    if (tile.thread_rank() == 0) sums[tile.meta_group_rank()] = sum;
    cg::sync(block);
    if (block.thread_rank() == 0) {
        out[0] = 0;
        for (unsigned i = 0; i < tile.meta_group_size(); ++i) out[0] += sums[i];
    }
    auto warp = cg::tiled_partition<32>(block);
    double big = warp.shfl(block.thread_rank() + 0.5, 3);
    if (block.thread_rank() == 40) out[1] = (int)(big * 2);
    if (threadIdx.x % 3 == 0) {
        auto active = cg::coalesced_threads();
        if (active.thread_rank() == 0 && threadIdx.x < 32) out[2] = active.size();
        int last = active.shfl((int)threadIdx.x, active.size() - 1);
        if (threadIdx.x == 0) out[3] = last;
    }
    cg::thread_group half = cg::tiled_partition(block, 16);
    half.sync();
    if (threadIdx.x == 17) out[4] = half.thread_rank();
    if (cg::this_grid().thread_rank() == 127) out[5] = cg::this_grid().size();
}

void cooperative_groups_of_a_block() {
    int* out = managed<int>(6);
    groups<<<2, 64>>>(out);
    EXPECT(out[0] == 63 * 64 / 2);
    EXPECT(out[1] == 71);
    EXPECT(out[2] == 11);
    EXPECT(out[3] == 30);
    EXPECT(out[4] == 1);
    EXPECT(out[5] == 128);
}

__global__ void early_exit(const int* in, int* out, int n) {
    __shared__ int tile[64];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    tile[threadIdx.x] = in[i];
    __syncthreads();
    out[i] = tile[0];
}

void threads_that_leave_do_not_hold_up_a_barrier() {
    int *in = managed<int>(100), *out = managed<int>(100);
    std::iota(in, in + 100, 0);
    early_exit<<<2, 64>>>(in, out, 100);
    EXPECT(out[63] == 0 && out[99] == 64);
}

int main(int argc, char** argv) {
    warpboard_emulation_install_crash_handler();
    warpboard_emulation_configure(argc > 1 ? std::atoi(argv[1]) : 1);
    vector_add_copies_there_and_back();
    matrix_add_with_dim3();
    templates_with_and_without_arguments();
    histogram_with_shared_atomics();
    softmax_with_dynamic_shared_memory();
    scan_with_double_buffer();
    stencil_with_constant_memory();
    device_variables();
    structs_and_device_functions();
    device_lambdas();
    float4_loads();
    dot_product_by_warps();
    spin_lock();
    last_block_pattern();
    streams_and_events();
    dynamic_shared_memory_of_any_type();
    kernels_by_qualified_name_and_pointer();
    null_arguments();
    pitched_memory();
    cooperative_groups_of_a_block();
    threads_that_leave_do_not_hold_up_a_barrier();
    EXPECT(warpboard_emulation_pending_error() == nullptr);
    return finish();
}
