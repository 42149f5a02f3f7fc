// The driver functions that the CUDA runtime has no counterpart for: memory that two processes map.
//
// libcuda is opened, not linked: a build needs no driver, and the judge can say in words that it is
// missing. Used by both sides; every function throws CudaError.
#pragma once

#include <cuda.h>
#include <dlfcn.h>

#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>

namespace warpboard {

class CudaError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// Memory of device 0, mapped here for reading and writing. `fd` is the exported descriptor, -1 on
// the side that imported it.
struct SharedDeviceMemory {
  CUmemGenericAllocationHandle handle;
  uint64_t address;
  uint64_t bytes;
  int32_t fd;
};

class Driver {
 public:
  // The driver of this process. The calling thread must have a context of device 0 current: any
  // runtime call that makes one (cudaFree(nullptr)) will do.
  static const Driver& loaded() {
    static const Driver driver;
    return driver;
  }

  // At least `bytes`, rounded up to what the device allocates at once.
  SharedDeviceMemory create(uint64_t bytes) const {
    SharedDeviceMemory memory{0, 0, rounded(bytes), -1};
    const CUmemAllocationProp properties = shareable();
    check(create_(&memory.handle, memory.bytes, &properties, 0), "allocate the buffers");
    try {
      check(export_(&memory.fd, memory.handle, CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR, 0),
            "share the buffers");
      map(memory);
    } catch (...) {
      release_(memory.handle);
      throw;
    }
    return memory;
  }

  // What `create(bytes)` made in another process and sent as `fd`, which the caller closes.
  SharedDeviceMemory import(int fd, uint64_t bytes) const {
    SharedDeviceMemory memory{0, 0, rounded(bytes), -1};
    check(import_(&memory.handle, reinterpret_cast<void*>(static_cast<intptr_t>(fd)),
                  CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR),
          "import the buffers");
    map(memory);
    return memory;
  }

  // Unmaps and gives back; the peer's mapping holds the memory until it is gone too.
  void destroy(const SharedDeviceMemory& memory) const {
    check(unmap_(memory.address, memory.bytes), "unmap the buffers");
    check(free_address_(memory.address, memory.bytes), "free the buffers' addresses");
    check(release_(memory.handle), "release the buffers");
  }

 private:
  Driver() {
    void* library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
    if (library == nullptr) throw CudaError(std::string("no CUDA driver: ") + dlerror());
    find(library, "cuGetErrorName", error_name_);
    find(library, "cuMemGetAllocationGranularity", granularity_);
    find(library, "cuMemCreate", create_);
    find(library, "cuMemRelease", release_);
    find(library, "cuMemExportToShareableHandle", export_);
    find(library, "cuMemImportFromShareableHandle", import_);
    find(library, "cuMemAddressReserve", reserve_address_);
    find(library, "cuMemAddressFree", free_address_);
    find(library, "cuMemMap", map_);
    find(library, "cuMemUnmap", unmap_);
    find(library, "cuMemSetAccess", set_access_);
  }

  template <class Function>
  static void find(void* library, const char* name, Function& function) {
    function = reinterpret_cast<Function>(dlsym(library, name));
    if (function == nullptr) throw CudaError(std::string("the CUDA driver is too old: no ") + name);
  }

  static CUmemAllocationProp shareable() {
    CUmemAllocationProp properties{};
    properties.type = CU_MEM_ALLOCATION_TYPE_PINNED;
    properties.location = {CU_MEM_LOCATION_TYPE_DEVICE, 0};
    properties.requestedHandleTypes = CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR;
    return properties;
  }

  uint64_t rounded(uint64_t bytes) const {
    const CUmemAllocationProp properties = shareable();
    size_t step = 0;
    check(granularity_(&step, &properties, CU_MEM_ALLOC_GRANULARITY_RECOMMENDED),
          "ask for the size of an allocation");
    return (bytes + step - 1) / step * step;
  }

  void map(SharedDeviceMemory& memory) const {
    CUdeviceptr address = 0;
    check(reserve_address_(&address, memory.bytes, 0, 0, 0), "reserve addresses for the buffers");
    check(map_(address, memory.bytes, 0, memory.handle, 0), "map the buffers");
    CUmemAccessDesc access{};
    access.location = {CU_MEM_LOCATION_TYPE_DEVICE, 0};
    access.flags = CU_MEM_ACCESS_FLAGS_PROT_READWRITE;
    check(set_access_(address, memory.bytes, &access, 1), "make the buffers accessible");
    memory.address = address;
  }

  void check(CUresult result, const char* what) const {
    if (result == CUDA_SUCCESS) return;
    const char* name = nullptr;
    error_name_(result, &name);
    throw CudaError(std::string("cannot ") + what + ": " + (name ? name : "unknown CUDA error"));
  }

  decltype(&::cuGetErrorName) error_name_;
  decltype(&::cuMemGetAllocationGranularity) granularity_;
  decltype(&::cuMemCreate) create_;
  decltype(&::cuMemRelease) release_;
  decltype(&::cuMemExportToShareableHandle) export_;
  decltype(&::cuMemImportFromShareableHandle) import_;
  decltype(&::cuMemAddressReserve) reserve_address_;
  decltype(&::cuMemAddressFree) free_address_;
  decltype(&::cuMemMap) map_;
  decltype(&::cuMemUnmap) unmap_;
  decltype(&::cuMemSetAccess) set_access_;
};

}  // namespace warpboard
