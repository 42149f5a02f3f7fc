// `kernel<<<grid, block, shared, stream>>>(arguments)`, as the rewriter writes it:
//
//     ::warpboard::emulation::launch("kernel", [&](auto&... a) { kernel(a...); },
//         ::warpboard::emulation::configuration(grid, block, shared, stream), arguments)
//
// The arguments are evaluated once, in the host's code, and copied for every thread, as CUDA does.
#pragma once

#include <cstddef>

#include "emulation/runtime_interface.h"

namespace warpboard::emulation {

inline LaunchConfiguration configuration(dim3 grid, dim3 block, std::size_t shared_bytes = 0,
                                         cudaStream_t stream = nullptr) {
    return LaunchConfiguration{grid, block, shared_bytes, stream};
}

template <class Kernel, class... Arguments>
void launch(const char* name, Kernel kernel, const LaunchConfiguration& configuration,
            Arguments... arguments) {
    auto call = [&] { kernel(arguments...); };
    run_grid(
        name, configuration, [](void* context) { (*static_cast<decltype(call)*>(context))(); },
        &call);
}

}  // namespace warpboard::emulation
