// Devices, their properties and limits, and what the host may ask about kernels.
#include <cuda_runtime_api.h>

#include <algorithm>
#include <cstdio>
#include <cstring>

#include "device_limits.h"
#include "device_memory.h"
#include "emulation/runtime_interface.h"
#include "fiber.h"
#include "last_error.h"
#include "launcher.h"

using namespace warpboard::emulation;

namespace {

constexpr int warp_lanes = 32;
constexpr int kilohertz = 1'000'000;  // nominal: cycles of clock64() are nanoseconds

cudaError_t only_device(int device) {
    return set_last_error(device == 0 ? cudaSuccess : cudaErrorInvalidDevice);
}

}  // namespace

extern "C" {

cudaError_t cudaGetDeviceCount(int* count) {
    *count = 1;
    return cudaSuccess;
}

cudaError_t cudaGetDevice(int* device) {
    *device = 0;
    return cudaSuccess;
}

cudaError_t cudaSetDevice(int device) { return only_device(device); }
cudaError_t cudaInitDevice(int device, unsigned, unsigned) { return only_device(device); }
cudaError_t cudaSetDeviceFlags(unsigned) { return cudaSuccess; }
cudaError_t cudaDeviceSynchronize() { return cudaSuccess; }
cudaError_t cudaDeviceReset() { return cudaSuccess; }
cudaError_t cudaDeviceSetCacheConfig(cudaFuncCache) { return cudaSuccess; }
cudaError_t cudaDeviceSetLimit(cudaLimit, std::size_t) { return cudaSuccess; }

cudaError_t cudaDeviceGetLimit(std::size_t* value, cudaLimit limit) {
    *value = limit == cudaLimitStackSize ? FiberPool::stack_bytes : 0;
    return cudaSuccess;
}

cudaError_t cudaDeviceGetStreamPriorityRange(int* least, int* greatest) {
    if (least != nullptr) *least = 0;
    if (greatest != nullptr) *greatest = -5;
    return cudaSuccess;
}

cudaError_t cudaDeviceCanAccessPeer(int* can, int, int) {
    *can = 0;
    return cudaSuccess;
}

cudaError_t cudaDriverGetVersion(int* version) {
    *version = CUDART_VERSION;
    return cudaSuccess;
}

cudaError_t cudaRuntimeGetVersion(int* version) {
    *version = CUDART_VERSION;
    return cudaSuccess;
}

cudaError_t cudaGetDeviceProperties(cudaDeviceProp* properties, int device) {
    if (cudaError_t error = only_device(device); error != cudaSuccess) return error;
    std::memset(properties, 0, sizeof *properties);
    std::snprintf(properties->name, sizeof properties->name, "Warpboard emulated device (no GPU)");
    properties->major = compute_capability_major;
    properties->minor = compute_capability_minor;
    properties->totalGlobalMem = memory_total();
    properties->sharedMemPerBlock = default_shared_bytes;
    properties->sharedMemPerBlockOptin = most_shared_bytes;
    properties->sharedMemPerMultiprocessor = shared_bytes_per_multiprocessor;
    properties->totalConstMem = 64 * 1024;
    properties->regsPerBlock = registers_per_block;
    properties->regsPerMultiprocessor = registers_per_block;
    properties->warpSize = warp_lanes;
    properties->maxThreadsPerBlock = most_block_threads;
    properties->maxThreadsPerMultiProcessor = threads_per_multiprocessor;
    properties->maxBlocksPerMultiProcessor = blocks_per_multiprocessor;
    properties->maxThreadsDim[0] = most_block_threads;
    properties->maxThreadsDim[1] = most_block_threads;
    properties->maxThreadsDim[2] = most_block_z;
    properties->maxGridSize[0] = most_grid_x;
    properties->maxGridSize[1] = most_grid_yz;
    properties->maxGridSize[2] = most_grid_yz;
    properties->multiProcessorCount = static_cast<int>(worker_threads());
    properties->unifiedAddressing = 1;
    properties->managedMemory = 1;
    properties->concurrentManagedAccess = 1;
    properties->canMapHostMemory = 1;
    properties->textureAlignment = 512;
    return cudaSuccess;
}

cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr attribute, int device) {
    if (cudaError_t error = only_device(device); error != cudaSuccess) return error;
    switch (attribute) {
        case cudaDevAttrMaxThreadsPerBlock:
        case cudaDevAttrMaxBlockDimX:
        case cudaDevAttrMaxBlockDimY: *value = most_block_threads; break;
        case cudaDevAttrMaxBlockDimZ: *value = most_block_z; break;
        case cudaDevAttrMaxGridDimX: *value = most_grid_x; break;
        case cudaDevAttrMaxGridDimY:
        case cudaDevAttrMaxGridDimZ: *value = most_grid_yz; break;
        case cudaDevAttrMaxSharedMemoryPerBlock: *value = default_shared_bytes; break;
        case cudaDevAttrMaxSharedMemoryPerBlockOptin: *value = most_shared_bytes; break;
        case cudaDevAttrMaxSharedMemoryPerMultiprocessor:
            *value = shared_bytes_per_multiprocessor;
            break;
        case cudaDevAttrMaxThreadsPerMultiProcessor: *value = threads_per_multiprocessor; break;
        case cudaDevAttrMaxBlocksPerMultiprocessor: *value = blocks_per_multiprocessor; break;
        case cudaDevAttrMaxRegistersPerBlock:
        case cudaDevAttrMaxRegistersPerMultiprocessor: *value = registers_per_block; break;
        case cudaDevAttrTotalConstantMemory: *value = 64 * 1024; break;
        case cudaDevAttrWarpSize: *value = warp_lanes; break;
        case cudaDevAttrMultiProcessorCount: *value = static_cast<int>(worker_threads()); break;
        case cudaDevAttrClockRate: *value = kilohertz; break;
        case cudaDevAttrComputeCapabilityMajor: *value = compute_capability_major; break;
        case cudaDevAttrComputeCapabilityMinor: *value = compute_capability_minor; break;
        case cudaDevAttrUnifiedAddressing:
        case cudaDevAttrManagedMemory:
        case cudaDevAttrConcurrentManagedAccess: *value = 1; break;
        // The rest asks for abilities that the emulated device does not have (cooperative launch,
        // pools, peers): 0 says so.
        default: *value = 0; break;
    }
    return cudaSuccess;
}

cudaError_t cudaFuncSetAttribute(const void* kernel, cudaFuncAttribute attribute, int value) {
    if (attribute != cudaFuncAttributeMaxDynamicSharedMemorySize) return cudaSuccess;
    return allow_dynamic_shared(kernel, value);
}

cudaError_t cudaFuncSetCacheConfig(const void*, cudaFuncCache) { return cudaSuccess; }

cudaError_t cudaFuncGetAttributes(cudaFuncAttributes* attributes, const void*) {
    *attributes = cudaFuncAttributes{};
    attributes->maxThreadsPerBlock = most_block_threads;
    attributes->maxDynamicSharedSizeBytes = default_shared_bytes;
    return cudaSuccess;
}

cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* blocks, const void*,
                                                                   int block_size,
                                                                   std::size_t shared_bytes,
                                                                   unsigned) {
    if (block_size <= 0 || block_size > static_cast<int>(most_block_threads)) {
        return set_last_error(cudaErrorInvalidValue);
    }
    std::size_t warps = (static_cast<std::size_t>(block_size) + warp_lanes - 1) / warp_lanes;
    std::size_t by_threads = threads_per_multiprocessor / (warps * warp_lanes);
    std::size_t by_shared =
        shared_bytes == 0 ? blocks_per_multiprocessor : shared_bytes_per_multiprocessor / shared_bytes;
    std::size_t most = blocks_per_multiprocessor;
    *blocks = static_cast<int>(std::min({by_threads, by_shared, most}));
    return cudaSuccess;
}

cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, const void* kernel,
                                                          int block_size,
                                                          std::size_t shared_bytes) {
    return cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(blocks, kernel, block_size,
                                                                  shared_bytes, 0);
}

}
