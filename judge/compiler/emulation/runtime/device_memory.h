// Device memory: what cudaMalloc hands out, and the runner's buffers by name.
//
// Every array ends against an inaccessible page, so that the first access past its end is a fault
// with an address, at no cost while nothing goes wrong.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>

namespace warpboard::emulation {

// Null when there is no more memory. Contents are poisoned with 0xff (NaN in floating types).
void* allocate_device(std::size_t bytes, cudaMemoryType type);

// False when `begin` is not the begin of a live array.
bool free_device(void* begin);

// Bytes from `address` to the end of the array or buffer it lies in; 0 if it lies in none.
std::size_t bytes_to_end(const void* address);

// The kind of memory an address lies in, and the begin of its array; unregistered if unknown.
cudaMemoryType memory_type(const void* address);

std::size_t memory_total();
std::size_t memory_in_use();

// "4 bytes past the end of `C` (4096 bytes)" for an address near an array or buffer; false if it
// is near none. Takes no lock: meant for a process about to end.
bool describe_address(const void* address, char* text, std::size_t size);

}  // namespace warpboard::emulation
