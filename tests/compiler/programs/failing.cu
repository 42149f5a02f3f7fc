// Programs that a GPU would punish; argv[1] names which. Every buffer has 256 floats.
#include <sys/mman.h>

#include <cassert>
#include <cstdlib>
#include <cstring>

#include "expect.h"

__global__ void read_past(const float* in, float* out, int shift) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = in[i + shift];
}
__global__ void write_past(float* out, int shift) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i + shift] = 1.0f;
}
__global__ void null_write(float* out) { out[threadIdx.x] = 1.0f; }
__global__ void wild(float* out) { *(float*)((size_t)out ^ 0x7f0000000000ull) = 1; }
__global__ void misaligned(float4* out, const char* in) { *out = *(const float4*)(in + 4); }
__global__ void divide(int* out, int by) { out[threadIdx.x] = 100 / by; }
__global__ void assertion(const float* in) { assert(in[threadIdx.x] < 3.0f); }
__global__ void trap() { if (threadIdx.x == 2) __trap(); }
__global__ void shared_overflow() {
    extern __shared__ float tile[];
    tile[blockDim.x] = 1.0f;
}
__device__ int recursion(int n, int* out) {
    int local[64];
    local[n & 63] = n;
    *out += local[n & 63];
    return recursion(n + 1, out) + local[(n + 1) & 63];
}
__global__ void endless_recursion(int* out) { *out = recursion(0, out); }
__global__ void divergent_warp(int* out) {
    if (threadIdx.x < 16) {
        out[threadIdx.x] = __shfl_sync(0xffffffff, 1, 0);
    }
    __syncthreads();
}
__global__ void wrong_mask(int* out) { out[threadIdx.x] = __shfl_sync(0x1, 1, 0); }
__global__ void two_barriers(int* out) {
    if (threadIdx.x < 16)
        __syncthreads();
    else
        __syncthreads();
    out[threadIdx.x] = 1;
}

int main(int argc, char** argv) {
    warpboard_emulation_install_crash_handler();
    const char* which = argc > 1 ? argv[1] : "";
    auto is = [which](const char* name) { return strcmp(which, name) == 0; };
    float *a = managed<float>(256), *own = managed<float>(256);
    for (int i = 0; i < 256; ++i) a[i] = i;
    // Two buffers as the runner shares them: named, their ends against an inaccessible page.
    char* area = (char*)mmap(nullptr, 5 * 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    mprotect(area + 4096, 4096, PROT_READ | PROT_WRITE);
    mprotect(area + 3 * 4096, 4096, PROT_READ | PROT_WRITE);
    float* A = (float*)(area + 2 * 4096 - 1024);
    float* C = (float*)(area + 4 * 4096 - 1024);
    warpboard_emulation_name_region("A", A, 1024);
    warpboard_emulation_name_region("C", C, 1024);

    if (is("read past")) read_past<<<2, 128>>>(A, C, 1);
    if (is("write past")) write_past<<<2, 128>>>(C, 4);
    if (is("write before")) write_past<<<2, 128>>>(C, -1024);
    if (is("own array")) read_past<<<2, 128>>>(own, C, 1);
    if (is("null")) null_write<<<1, 32>>>(nullptr);
    if (is("wild")) wild<<<1, 1>>>(C);
    if (is("misaligned")) misaligned<<<1, 1>>>((float4*)C, (const char*)A);
    if (is("divide")) divide<<<1, 32>>>((int*)C, 0);
    if (is("assert")) assertion<<<1, 32>>>(a);
    if (is("trap")) trap<<<1, 32>>>();
    if (is("shared overflow")) shared_overflow<<<1, 32, 32 * sizeof(float)>>>();
    if (is("recursion")) endless_recursion<<<1, 1>>>((int*)C);
    if (is("deadlock")) divergent_warp<<<1, 64>>>((int*)C);
    if (is("wrong mask")) wrong_mask<<<1, 32>>>((int*)C);
    if (is("two barriers")) two_barriers<<<1, 32>>>((int*)C);
    if (is("host crash")) *(volatile int*)8 = 1;
    if (is("abort")) std::abort();
    if (is("canary")) {
        char* bytes = managed<char>(5);
        bytes[6] = 1;
        warpboard_emulation_check_allocations();
    }
    return finish();
}
