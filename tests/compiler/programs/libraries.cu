// The parts of CUB and the warp matrix functions that the emulated device has.
#include <cub/cub.cuh>
#include <mma.h>

#include <cmath>

#include "expect.h"

using namespace nvcuda;

__global__ void reduce_and_scan(const int* in, int* out) {
    using Reduce = cub::BlockReduce<int, 128>;
    using Scan = cub::BlockScan<int, 128>;
    __shared__ union {
        typename Reduce::TempStorage reduce;
        typename Scan::TempStorage scan;
    } storage;
    int value = in[threadIdx.x];
    int sum = Reduce(storage.reduce).Sum(value);
    __syncthreads();
    int inclusive, exclusive, total;
    Scan(storage.scan).InclusiveSum(value, inclusive);
    __syncthreads();
    Scan(storage.scan).ExclusiveSum(value, exclusive, total);
    out[threadIdx.x] = inclusive;
    out[128 + threadIdx.x] = exclusive;
    if (threadIdx.x == 0) { out[256] = sum; out[257] = total; }
    __shared__ typename cub::WarpReduce<int>::TempStorage warps[4];
    int most = cub::WarpReduce<int>(warps[threadIdx.x / 32]).Reduce(value, cub::Max());
    if (threadIdx.x == 32) out[258] = most;
}

void block_algorithms_of_cub() {
    int *in = managed<int>(128), *out = managed<int>(259);
    for (int i = 0; i < 128; ++i) in[i] = i;
    reduce_and_scan<<<1, 128>>>(in, out);
    for (int i = 0; i < 128; ++i) {
        EXPECT(out[i] == i * (i + 1) / 2);
        EXPECT(out[128 + i] == i * (i - 1) / 2);
    }
    EXPECT(out[256] == 8128 && out[257] == 8128 && out[258] == 63);
}

void device_algorithms_of_cub() {
    float *in = managed<float>(5), *out = managed<float>(5);
    const float values[5] = {3, 1, 4, 1, 5};
    for (int i = 0; i < 5; ++i) in[i] = values[i];
    void* storage = nullptr;
    size_t bytes = 0;
    EXPECT(cub::DeviceReduce::Sum(storage, bytes, in, out, 5) == cudaSuccess && bytes > 0);
    EXPECT(cudaMalloc(&storage, bytes) == cudaSuccess);
    cub::DeviceReduce::Sum(storage, bytes, in, out, 5);
    EXPECT(out[0] == 14);
    cub::DeviceScan::ExclusiveSum(storage, bytes, in, out, 5);
    EXPECT(out[0] == 0 && out[4] == 9);
    cub::DeviceRadixSort::SortKeys(storage, bytes, in, out, 5);
    EXPECT(out[0] == 1 && out[1] == 1 && out[4] == 5);
    cudaFree(storage);
}

template <class T, class Accumulator>
__global__ void multiply(const T* a, const T* b, Accumulator* c, int n) {
    wmma::fragment<wmma::matrix_a, 16, 16, 16, T, wmma::row_major> left;
    wmma::fragment<wmma::matrix_b, 16, 16, 16, T, wmma::col_major> right;
    wmma::fragment<wmma::accumulator, 16, 16, 16, Accumulator> sum;
    int warp = threadIdx.x / 32;
    wmma::fill_fragment(sum, 0.0f);
    for (int k = 0; k < n; k += 16) {
        wmma::load_matrix_sync(left, a + blockIdx.x * 16 * n + k, n);
        wmma::load_matrix_sync(right, b + warp * 16 * n + k, n);
        wmma::mma_sync(sum, left, right, sum);
    }
    for (int i = 0; i < sum.num_elements; ++i) sum.x[i] *= Accumulator(2);
    wmma::store_matrix_sync(c + blockIdx.x * 16 * n + warp * 16, sum, n, wmma::mem_row_major);
}

template <class T>
void matrix_product() {
    const int n = 32;
    T *a = managed<T>(n * n), *b = managed<T>(n * n);
    float* c = managed<float>(n * n);
    for (int i = 0; i < n * n; ++i) {
        a[i] = T(float(i % 5) - 2);
        b[i] = T(float(i % 7) - 3);
    }
    multiply<T, float><<<2, 64>>>(a, b, c, n);
    for (int row = 0; row < n; ++row) {
        for (int column = 0; column < n; ++column) {
            float expected = 0;
            for (int k = 0; k < n; ++k) expected += float(a[row * n + k]) * float(b[column * n + k]);
            EXPECT(c[row * n + column] == 2 * expected);
        }
    }
}

void warp_matrix_products() {
    matrix_product<__half>();
    matrix_product<__nv_bfloat16>();
    EXPECT(wmma::__float_to_tf32(1.0f + 0x1p-11f) == 1.0f + 0x1p-10f);
    EXPECT(wmma::__float_to_tf32(1.0f + 0x1p-12f) == 1.0f);
}

int main() {
    warpboard_emulation_install_crash_handler();
    block_algorithms_of_cub();
    device_algorithms_of_cub();
    warp_matrix_products();
    return finish();
}
