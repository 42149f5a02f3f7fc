// A GPU's back end: the submission is a shared library, its buffers are imported device memory.
//
// E is the time between two events on the legacy default stream. The judge's work on the GPU has
// just ended, so the first event waits for the device to switch contexts (some 137 us on an H200),
// and everything that solve launches is queued by then: E holds no launch latency.
//
// The library carries a CUDA runtime of its own, linked statically. The context is shared, but an
// error that does not reach the context (a launch that was refused) is known to that runtime alone;
// the force-included prototype lets us ask it.
#include "backend.h"

#include <cuda_runtime_api.h>
#include <dlfcn.h>
#include <unistd.h>

#include <optional>

#include "arguments.h"
#include "driver.h"

namespace warpboard {
namespace {

void require(cudaError_t error, const char* what) {
  if (error == cudaSuccess) return;
  throw SetupError(std::string(what) + ": " + cudaGetErrorName(error) + ", " +
                   cudaGetErrorString(error));
}

Status status_of(cudaError_t error) {
  switch (error) {
    case cudaSuccess:
      return Status::ok;
    case cudaErrorMemoryAllocation:
      return Status::out_of_memory;
    case cudaErrorNoKernelImageForDevice:
    case cudaErrorInvalidDeviceFunction:
    case cudaErrorUnsupportedPtxVersion:
    case cudaErrorJitCompilerNotFound:
    case cudaErrorJitCompilationDisabled:
      return Status::unsupported;
    default:
      return Status::device_error;
  }
}

class CudaBackend final : public Backend {
 public:
  void adopt(const Setup& setup, int arena) override {
    require(cudaSetDevice(0), "cannot use the GPU");
    require(cudaFree(nullptr), "cannot make a CUDA context");
    uint64_t address = 0;
    try {
      address = Driver::loaded().import(arena, setup.arena_bytes).address;
    } catch (const CudaError& error) {
      throw SetupError(error.what());
    }
    close(arena);
    arguments_.emplace(setup, address);
    library_ = setup.library;
    require(cudaEventCreate(&before_), "cannot make an event");
    require(cudaEventCreate(&after_), "cannot make an event");
    require(cudaDeviceSynchronize(), "cannot use the GPU");
  }

  void load() override {
    void* library = dlopen(library_.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (library == nullptr) throw SetupError(dlerror());
    invoke_ = find<Invoke>(library, "warpboard_invoke");
    pending_error_ = find<PendingError>(library, "warpboard_pending_error");
  }

  Measurement run(const uint32_t* slots, uint32_t count) override {
    cudaEventRecord(before_);
    for (uint32_t i = 0; i < count; ++i) invoke_(arguments_->of_slot(slots[i]));
    cudaEventRecord(after_);
    const cudaError_t finished = cudaDeviceSynchronize();
    const auto pending = static_cast<cudaError_t>(pending_error_());
    float milliseconds = 0.0f;
    const cudaError_t measured = cudaEventElapsedTime(&milliseconds, before_, after_);
    for (const cudaError_t error : {finished, pending, measured}) {
      if (error != cudaSuccess) return failure(error);
    }
    return {Status::ok, static_cast<uint64_t>(static_cast<double>(milliseconds) * 1e6), ""};
  }

 private:
  using Invoke = void (*)(void* const*);
  using PendingError = int (*)();

  template <class Function>
  static Function find(void* library, const char* name) {
    void* symbol = dlsym(library, name);
    if (symbol == nullptr) throw SetupError(std::string("the library has no ") + name);
    return reinterpret_cast<Function>(symbol);
  }

  static Measurement failure(cudaError_t error) {
    return {status_of(error), 0,
            std::string(cudaGetErrorName(error)) + ": " + cudaGetErrorString(error)};
  }

  std::string library_;
  std::optional<Arguments> arguments_;
  cudaEvent_t before_ = nullptr;
  cudaEvent_t after_ = nullptr;
  Invoke invoke_ = nullptr;
  PendingError pending_error_ = nullptr;
};

}  // namespace

std::unique_ptr<Backend> make_backend() { return std::make_unique<CudaBackend>(); }

}  // namespace warpboard
