// What CUDA says to wrong launches and wrong calls of its runtime, and to right ones beside them.
#include <cstring>

#include "expect.h"

__global__ void nothing() {}

extern __shared__ float at_file_scope[];

__global__ void uses_shared(float* out) {
    at_file_scope[threadIdx.x] = threadIdx.x;
    __syncthreads();
    if (threadIdx.x == 0) *out = at_file_scope[blockDim.x - 1];
}

cudaError_t launch_error(dim3 grid, dim3 block, size_t shared = 0) {
    nothing<<<grid, block, shared>>>();
    return cudaGetLastError();
}

void impossible_configurations_are_refused() {
    EXPECT(launch_error(1, 1) == cudaSuccess);
    EXPECT(launch_error(0, 1) == cudaErrorInvalidConfiguration);
    EXPECT(launch_error(1, 0) == cudaErrorInvalidConfiguration);
    EXPECT(launch_error(1, 1025) == cudaErrorInvalidConfiguration);
    EXPECT(launch_error(1, dim3(32, 33)) == cudaErrorInvalidConfiguration);
    EXPECT(launch_error(1, dim3(1, 1, 65)) == cudaErrorInvalidConfiguration);
    EXPECT(launch_error(dim3(1, 65536), 1) == cudaErrorInvalidConfiguration);
    EXPECT(launch_error(-1, 1) == cudaErrorInvalidConfiguration);
    EXPECT(launch_error(1, dim3(1024)) == cudaSuccess);
    const char* told = warpboard_emulation_pending_error();
    EXPECT(told == nullptr);  // the last launch ran
}

void shared_memory_beyond_48_kib_must_be_asked_for() {
    float* out = managed<float>(1);
    EXPECT(launch_error(1, 1, 64 * 1024) == cudaErrorInvalidValue);
    EXPECT(cudaFuncSetAttribute(uses_shared, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                64 * 1024) == cudaSuccess);
    uses_shared<<<1, 256, 64 * 1024>>>(out);
    EXPECT(cudaPeekAtLastError() == cudaSuccess && *out == 255.0f);
    EXPECT(cudaFuncSetAttribute(uses_shared, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                300 * 1024) == cudaErrorInvalidValue);
    cudaGetLastError();
}

void a_refused_launch_is_told_after_the_call() {
    nothing<<<dim3(0, 2, 3), 96>>>();
    const char* told = warpboard_emulation_pending_error();
    EXPECT(told != nullptr && strstr(told, "cudaErrorInvalidConfiguration: invalid configuration"));
    EXPECT(strstr(told, "kernel `nothing`, grid (0,2,3), block (96,1,1)"));
    EXPECT(cudaGetLastError() == cudaSuccess);
}

void wrong_memory_calls_are_refused() {
    int host[8] = {}, *device = nullptr;
    EXPECT(cudaMalloc(&device, sizeof host) == cudaSuccess);
    EXPECT(cudaMemcpy(device, host, sizeof host + 1, cudaMemcpyHostToDevice) ==
           cudaErrorInvalidValue);
    EXPECT(cudaMemset(device + 4, 0, sizeof host) == cudaErrorInvalidValue);
    EXPECT(cudaFree(device + 1) == cudaErrorInvalidValue);
    EXPECT(cudaFree(device) == cudaSuccess && cudaFree(nullptr) == cudaSuccess);
    EXPECT(cudaFree(device) == cudaErrorInvalidValue);
    EXPECT(cudaMalloc(&device, size_t{1} << 50) == cudaErrorMemoryAllocation);
    EXPECT(cudaGetLastError() == cudaErrorMemoryAllocation && cudaGetLastError() == cudaSuccess);
    EXPECT(!strcmp(cudaGetErrorName(cudaErrorInvalidValue), "cudaErrorInvalidValue"));
    EXPECT(!strcmp(cudaGetErrorString(cudaErrorMemoryAllocation), "out of memory"));
}

void the_device_describes_itself() {
    int count = 0, device = -1, lanes = 0, blocks = 0, min_grid = 0, block = 0;
    cudaDeviceProp properties;
    EXPECT(cudaGetDeviceCount(&count) == cudaSuccess && count == 1);
    EXPECT(cudaSetDevice(0) == cudaSuccess && cudaSetDevice(1) == cudaErrorInvalidDevice);
    EXPECT(cudaGetDevice(&device) == cudaSuccess && device == 0);
    EXPECT(cudaGetDeviceProperties(&properties, 0) == cudaSuccess && properties.warpSize == 32);
    EXPECT(strstr(properties.name, "emulated"));
    EXPECT(cudaDeviceGetAttribute(&lanes, cudaDevAttrWarpSize, 0) == cudaSuccess && lanes == 32);
    EXPECT(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, nothing, 256, 0) == cudaSuccess);
    EXPECT(blocks == 8);
    EXPECT(cudaOccupancyMaxPotentialBlockSize(&min_grid, &block, nothing) == cudaSuccess);
    EXPECT(block > 0 && block <= 1024 && block % 32 == 0);
    cudaFuncAttributes attributes;
    EXPECT(cudaFuncGetAttributes(&attributes, nothing) == cudaSuccess);
    EXPECT(cudaFuncSetCacheConfig(nothing, cudaFuncCachePreferL1) == cudaSuccess);
    size_t free_bytes = 0, total_bytes = 0;
    EXPECT(cudaMemGetInfo(&free_bytes, &total_bytes) == cudaSuccess && free_bytes <= total_bytes);
    cudaGetLastError();
}

int main() {
    warpboard_emulation_install_crash_handler();
    impossible_configurations_are_refused();
    shared_memory_beyond_48_kib_must_be_asked_for();
    a_refused_launch_is_told_after_the_call();
    wrong_memory_calls_are_refused();
    the_device_describes_itself();
    return finish();
}
