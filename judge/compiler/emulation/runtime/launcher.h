// Launches: checks a configuration as CUDA would and spreads a grid's blocks over threads of the
// operating system.
#pragma once

#include <cstddef>

namespace warpboard::emulation {

// Name of the kernel that runs (or ran last), for messages.
const char* current_kernel();

// Whether the calling operating-system thread is inside a kernel.
bool in_kernel();

// Operating-system threads that share a grid; settled by the first launch.
unsigned worker_threads();

}  // namespace warpboard::emulation
