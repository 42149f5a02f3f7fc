// The CUDA runtime's memory functions. Everything is synchronous: a stream is always up to date.
#include <cuda_runtime_api.h>

#include <cstring>

#include "device_memory.h"
#include "last_error.h"

using namespace warpboard::emulation;

namespace {

// Rows of pitched allocations begin at multiples of this, as on today's GPUs.
constexpr std::size_t pitch_alignment = 512;

cudaError_t allocate(void** pointer, std::size_t bytes, cudaMemoryType type) {
    if (pointer == nullptr) return set_last_error(cudaErrorInvalidValue);
    if (bytes == 0) {
        *pointer = nullptr;
        return cudaSuccess;
    }
    *pointer = allocate_device(bytes, type);
    return set_last_error(*pointer == nullptr ? cudaErrorMemoryAllocation : cudaSuccess);
}

cudaError_t release(void* pointer) {
    if (pointer == nullptr || free_device(pointer)) return cudaSuccess;
    return set_last_error(cudaErrorInvalidValue);
}

// Whether `bytes` from `pointer` on leave the array or buffer that it lies in. Memory that the
// device does not know (the host's) cannot be judged.
bool leaves_array(const void* pointer, std::size_t bytes) {
    std::size_t room = bytes_to_end(pointer);
    return room != 0 && bytes > room;
}

cudaError_t copy(void* to, const void* from, std::size_t bytes) {
    if (bytes == 0) return cudaSuccess;
    if (to == nullptr || from == nullptr || leaves_array(to, bytes) || leaves_array(from, bytes)) {
        return set_last_error(cudaErrorInvalidValue);
    }
    std::memmove(to, from, bytes);
    return cudaSuccess;
}

cudaError_t copy_rows(void* to, std::size_t to_pitch, const void* from, std::size_t from_pitch,
                      std::size_t width, std::size_t height) {
    if (width == 0 || height == 0) return cudaSuccess;
    if (width > to_pitch || width > from_pitch) return set_last_error(cudaErrorInvalidPitchValue);
    if (to == nullptr || from == nullptr ||
        leaves_array(to, (height - 1) * to_pitch + width) ||
        leaves_array(from, (height - 1) * from_pitch + width)) {
        return set_last_error(cudaErrorInvalidValue);
    }
    for (std::size_t row = 0; row < height; ++row) {
        std::memmove(static_cast<char*>(to) + row * to_pitch,
                     static_cast<const char*>(from) + row * from_pitch, width);
    }
    return cudaSuccess;
}

cudaError_t fill_rows(void* pointer, std::size_t pitch, int value, std::size_t width,
                      std::size_t height) {
    if (width == 0 || height == 0) return cudaSuccess;
    if (pointer == nullptr || width > pitch ||
        leaves_array(pointer, (height - 1) * pitch + width)) {
        return set_last_error(cudaErrorInvalidValue);
    }
    for (std::size_t row = 0; row < height; ++row) {
        std::memset(static_cast<char*>(pointer) + row * pitch, value, width);
    }
    return cudaSuccess;
}

}  // namespace

extern "C" {

cudaError_t cudaMalloc(void** pointer, std::size_t bytes) {
    return allocate(pointer, bytes, cudaMemoryTypeDevice);
}

cudaError_t cudaMallocAsync(void** pointer, std::size_t bytes, cudaStream_t) {
    return allocate(pointer, bytes, cudaMemoryTypeDevice);
}

cudaError_t cudaMallocManaged(void** pointer, std::size_t bytes, unsigned) {
    return allocate(pointer, bytes, cudaMemoryTypeManaged);
}

cudaError_t cudaMallocHost(void** pointer, std::size_t bytes) {
    return allocate(pointer, bytes, cudaMemoryTypeHost);
}

cudaError_t cudaHostAlloc(void** pointer, std::size_t bytes, unsigned) {
    return allocate(pointer, bytes, cudaMemoryTypeHost);
}

cudaError_t cudaMallocPitch(void** pointer, std::size_t* pitch, std::size_t width,
                            std::size_t height) {
    if (pitch == nullptr) return set_last_error(cudaErrorInvalidValue);
    *pitch = (width + pitch_alignment - 1) / pitch_alignment * pitch_alignment;
    return allocate(pointer, *pitch * height, cudaMemoryTypeDevice);
}

cudaError_t cudaFree(void* pointer) { return release(pointer); }
cudaError_t cudaFreeAsync(void* pointer, cudaStream_t) { return release(pointer); }
cudaError_t cudaFreeHost(void* pointer) { return release(pointer); }

cudaError_t cudaHostRegister(void*, std::size_t, unsigned) { return cudaSuccess; }
cudaError_t cudaHostUnregister(void*) { return cudaSuccess; }

cudaError_t cudaHostGetDevicePointer(void** device, void* host, unsigned) {
    *device = host;
    return cudaSuccess;
}

cudaError_t cudaMemcpy(void* to, const void* from, std::size_t bytes, cudaMemcpyKind) {
    return copy(to, from, bytes);
}

cudaError_t cudaMemcpyAsync(void* to, const void* from, std::size_t bytes, cudaMemcpyKind,
                            cudaStream_t) {
    return copy(to, from, bytes);
}

cudaError_t cudaMemcpy2D(void* to, std::size_t to_pitch, const void* from, std::size_t from_pitch,
                         std::size_t width, std::size_t height, cudaMemcpyKind) {
    return copy_rows(to, to_pitch, from, from_pitch, width, height);
}

cudaError_t cudaMemcpy2DAsync(void* to, std::size_t to_pitch, const void* from,
                              std::size_t from_pitch, std::size_t width, std::size_t height,
                              cudaMemcpyKind, cudaStream_t) {
    return copy_rows(to, to_pitch, from, from_pitch, width, height);
}

cudaError_t cudaMemset(void* pointer, int value, std::size_t bytes) {
    return fill_rows(pointer, bytes, value, bytes, bytes != 0);
}

cudaError_t cudaMemsetAsync(void* pointer, int value, std::size_t bytes, cudaStream_t) {
    return fill_rows(pointer, bytes, value, bytes, bytes != 0);
}

cudaError_t cudaMemset2D(void* pointer, std::size_t pitch, int value, std::size_t width,
                         std::size_t height) {
    return fill_rows(pointer, pitch, value, width, height);
}

cudaError_t cudaMemset2DAsync(void* pointer, std::size_t pitch, int value, std::size_t width,
                              std::size_t height, cudaStream_t) {
    return fill_rows(pointer, pitch, value, width, height);
}

cudaError_t cudaMemGetInfo(std::size_t* free, std::size_t* total) {
    *total = memory_total();
    *free = memory_total() - memory_in_use();
    return cudaSuccess;
}

cudaError_t cudaMemPrefetchAsync(const void*, std::size_t, cudaMemLocation, unsigned,
                                 cudaStream_t) {
    return cudaSuccess;
}

cudaError_t cudaMemAdvise(const void*, std::size_t, cudaMemoryAdvise, cudaMemLocation) {
    return cudaSuccess;
}

cudaError_t cudaPointerGetAttributes(cudaPointerAttributes* attributes, const void* pointer) {
    *attributes = cudaPointerAttributes{};
    attributes->type = memory_type(pointer);
    attributes->device = 0;
    attributes->hostPointer = const_cast<void*>(pointer);
    bool on_device = attributes->type != cudaMemoryTypeUnregistered;
    attributes->devicePointer = on_device ? const_cast<void*>(pointer) : nullptr;
    return cudaSuccess;
}

}
