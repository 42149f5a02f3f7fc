// Runtime functions that take a __device__ variable or a kernel itself: cuda_runtime.h has them as
// templates, but only for nvcc.
#pragma once

#include <cuda_runtime.h>

#include <cstring>

namespace warpboard::emulation {

// Where a copy of `bytes` at `offset` into the variable lies, or null if it would leave it.
template <class T>
char* place_in_symbol(const T& symbol, std::size_t bytes, std::size_t offset) {
    if (offset > sizeof(T) || bytes > sizeof(T) - offset) return nullptr;
    return const_cast<char*>(reinterpret_cast<const volatile char*>(&symbol)) + offset;
}

}  // namespace warpboard::emulation

template <class T>
cudaError_t cudaMemcpyToSymbol(const T& symbol, const void* from, std::size_t bytes,
                               std::size_t offset = 0,
                               cudaMemcpyKind kind = cudaMemcpyHostToDevice) {
    char* to = warpboard::emulation::place_in_symbol(symbol, bytes, offset);
    return cudaMemcpy(to, from, bytes, kind);
}

template <class T>
cudaError_t cudaMemcpyToSymbolAsync(const T& symbol, const void* from, std::size_t bytes,
                                    std::size_t offset = 0,
                                    cudaMemcpyKind kind = cudaMemcpyHostToDevice,
                                    cudaStream_t = nullptr) {
    return cudaMemcpyToSymbol(symbol, from, bytes, offset, kind);
}

template <class T>
cudaError_t cudaMemcpyFromSymbol(void* to, const T& symbol, std::size_t bytes,
                                 std::size_t offset = 0,
                                 cudaMemcpyKind kind = cudaMemcpyDeviceToHost) {
    const char* from = warpboard::emulation::place_in_symbol(symbol, bytes, offset);
    return cudaMemcpy(to, from, bytes, kind);
}

template <class T>
cudaError_t cudaMemcpyFromSymbolAsync(void* to, const T& symbol, std::size_t bytes,
                                      std::size_t offset = 0,
                                      cudaMemcpyKind kind = cudaMemcpyDeviceToHost,
                                      cudaStream_t = nullptr) {
    return cudaMemcpyFromSymbol(to, symbol, bytes, offset, kind);
}

template <class T>
cudaError_t cudaGetSymbolAddress(void** address, const T& symbol) {
    *address = warpboard::emulation::place_in_symbol(symbol, 0, 0);
    return cudaSuccess;
}

template <class T>
cudaError_t cudaGetSymbolSize(std::size_t* bytes, const T&) {
    *bytes = sizeof(T);
    return cudaSuccess;
}

template <class T>
cudaError_t cudaFuncGetAttributes(cudaFuncAttributes* attributes, T* kernel) {
    return cudaFuncGetAttributes(attributes, reinterpret_cast<const void*>(kernel));
}

template <class T>
cudaError_t cudaFuncSetCacheConfig(T* kernel, cudaFuncCache preference) {
    return cudaFuncSetCacheConfig(reinterpret_cast<const void*>(kernel), preference);
}

template <class T>
cudaError_t cudaFuncSetAttribute(T* kernel, cudaFuncAttribute attribute, int value) {
    return cudaFuncSetAttribute(reinterpret_cast<const void*>(kernel), attribute, value);
}
