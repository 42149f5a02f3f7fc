// How the judge's native code on the GPU reports its own failures to Python: false, and a text.
#pragma once

#include <cuda_runtime_api.h>

#include <exception>
#include <stdexcept>
#include <string>

namespace warpboard {

// Text of the last failure in the calling thread.
inline thread_local std::string last_failure;

inline void require(cudaError_t error, const char* what) {
  if (error == cudaSuccess) return;
  throw std::runtime_error(std::string("cannot ") + what + ": " + cudaGetErrorName(error) + ", " +
                           cudaGetErrorString(error));
}

// Runs `action` with device 0 current; false if it threw.
template <class Action>
bool succeeds(const Action& action) {
  try {
    require(cudaSetDevice(0), "use the GPU");
    action();
    return true;
  } catch (const std::exception& error) {
    last_failure = error.what();
    return false;
  }
}

}  // namespace warpboard
