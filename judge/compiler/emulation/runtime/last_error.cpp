#include "last_error.h"

#include <cstdio>

#include "emulation/runtime_interface.h"
#include "warpboard_emulation.h"

namespace warpboard::emulation {
namespace {

cudaError_t last_error = cudaSuccess;

// The last launch that was refused, unless a later one ran.
cudaError_t refused = cudaSuccess;
char refused_launch[512];

}  // namespace

cudaError_t set_last_error(cudaError_t error) {
    if (error != cudaSuccess) last_error = error;
    return error;
}

void set_launch_error(cudaError_t error, const char* kernel, const LaunchConfiguration& launch) {
    last_error = refused = error;
    std::snprintf(refused_launch, sizeof refused_launch,
                  "kernel `%s`, grid (%u,%u,%u), block (%u,%u,%u), %zu bytes of dynamic shared "
                  "memory",
                  kernel, launch.grid.x, launch.grid.y, launch.grid.z, launch.block.x,
                  launch.block.y, launch.block.z, launch.shared_bytes);
}

void set_launch_succeeded() { refused = cudaSuccess; }

}  // namespace warpboard::emulation

using namespace warpboard::emulation;

extern "C" {

cudaError_t cudaGetLastError() {
    cudaError_t error = last_error;
    last_error = cudaSuccess;
    return error;
}

cudaError_t cudaPeekAtLastError() { return last_error; }

const char* warpboard_emulation_pending_error() {
    static char text[1024];
    if (refused != cudaSuccess) {
        std::snprintf(text, sizeof text, "%s: %s (%s)", cudaGetErrorName(refused),
                      cudaGetErrorString(refused), refused_launch);
    } else if (last_error != cudaSuccess) {
        std::snprintf(text, sizeof text, "%s: %s", cudaGetErrorName(last_error),
                      cudaGetErrorString(last_error));
    } else {
        return nullptr;
    }
    last_error = refused = cudaSuccess;
    return text;
}

}
