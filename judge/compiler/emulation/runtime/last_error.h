// The CUDA runtime's last error, and the sentence about a launch that did not run.
#pragma once

#include <cuda_runtime_api.h>

namespace warpboard::emulation {

struct LaunchConfiguration;

// Remembers an error (success changes nothing) and returns it, for `return set_last_error(…)`.
cudaError_t set_last_error(cudaError_t error);

void set_launch_error(cudaError_t error, const char* kernel, const LaunchConfiguration& launch);
void set_launch_succeeded();

}  // namespace warpboard::emulation
