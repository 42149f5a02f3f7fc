// Device memory that judge and runner share, and the guard bytes in it that the judge looks after.
#include <cuda_runtime.h>

#include <cstdint>
#include <cstring>

#include "cuda_failure.h"
#include "cuda_layouts.h"
#include "driver.h"

namespace warpboard {
namespace {

constexpr uint32_t kThreads = 256;

// The byte that belongs at `address`: what it is follows from a secret of this session alone.
__device__ uint8_t guard_byte(uint64_t address, uint64_t secret) {
  // Finalizer of MurmurHash3 (Appleby, public domain): every input bit reaches every output bit.
  uint64_t mixed = address ^ secret;
  mixed = (mixed ^ (mixed >> 33)) * 0xff51afd7ed558ccd;
  mixed = (mixed ^ (mixed >> 33)) * 0xc4ceb9fe1a85ec53;
  return static_cast<uint8_t>(mixed >> 56);
}

// One block a zone.
__global__ void fill_zones(const DeviceZone* zones, uint64_t secret) {
  const DeviceZone zone = zones[blockIdx.x];
  for (uint64_t i = threadIdx.x; i < zone.bytes; i += blockDim.x) {
    zone.address[i] = guard_byte(reinterpret_cast<uint64_t>(zone.address + i), secret);
  }
}

// One block a zone; writes the offset of the first byte that has changed, or -1.
__global__ void check_zones(const DeviceZone* zones, uint64_t secret, int64_t* first_changed) {
  __shared__ unsigned long long first;
  if (threadIdx.x == 0) first = ~0ull;
  __syncthreads();
  const DeviceZone zone = zones[blockIdx.x];
  for (uint64_t i = threadIdx.x; i < zone.bytes; i += blockDim.x) {
    const auto address = reinterpret_cast<uint64_t>(zone.address + i);
    if (zone.address[i] == guard_byte(address, secret)) continue;
    atomicMin(&first, static_cast<unsigned long long>(i));
    break;
  }
  __syncthreads();
  if (threadIdx.x == 0) first_changed[blockIdx.x] = static_cast<int64_t>(first);
}

}  // namespace
}  // namespace warpboard

using namespace warpboard;

extern "C" {

// Why the last call that returned false did, in the calling thread.
const char* warpboard_cuda_failure() { return last_failure.c_str(); }

// At least `bytes` of zeroed device memory with a descriptor to send to a runner.
bool warpboard_cuda_create(uint64_t bytes, SharedDeviceMemory* memory) {
  return succeeds([&] {
    require(cudaFree(nullptr), "make a CUDA context");
    *memory = Driver::loaded().create(bytes);
    require(cudaMemset(reinterpret_cast<void*>(memory->address), 0, memory->bytes), "clear memory");
    require(cudaDeviceSynchronize(), "clear memory");
  });
}

// Zeroes the memory, so that no later tenant can read it, and gives it back.
bool warpboard_cuda_destroy(const SharedDeviceMemory* memory) {
  return succeeds([&] {
    require(cudaMemset(reinterpret_cast<void*>(memory->address), 0, memory->bytes), "clear memory");
    require(cudaDeviceSynchronize(), "clear memory");
    Driver::loaded().destroy(*memory);
  });
}

bool warpboard_cuda_fill_guards(const DeviceZone* zones, uint32_t count, uint64_t secret) {
  return succeeds([&] {
    if (count == 0) return;
    fill_zones<<<count, kThreads>>>(zones, secret);
    require(cudaGetLastError(), "write guard bytes");
    require(cudaDeviceSynchronize(), "write guard bytes");
  });
}

bool warpboard_cuda_check_guards(const DeviceZone* zones, uint32_t count, uint64_t secret,
                                 int64_t* first_changed) {
  return succeeds([&] {
    if (count == 0) return;
    check_zones<<<count, kThreads>>>(zones, secret, first_changed);
    require(cudaGetLastError(), "compare guard bytes");
    require(cudaDeviceSynchronize(), "compare guard bytes");
  });
}
}
