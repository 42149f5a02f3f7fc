// What the emulated device says it can do: the numbers of a Hopper-class GPU where they decide
// whether a launch is valid, so that a kernel that launches here launches there.
#pragma once

#include <cstddef>

namespace warpboard::emulation {

constexpr unsigned most_block_threads = 1024;
constexpr unsigned most_block_z = 64;
constexpr unsigned most_grid_x = 2147483647;
constexpr unsigned most_grid_yz = 65535;
constexpr std::size_t default_shared_bytes = 48 * 1024;
constexpr std::size_t most_shared_bytes = 227 * 1024;
constexpr std::size_t shared_bytes_per_multiprocessor = 228 * 1024;
constexpr unsigned threads_per_multiprocessor = 2048;
constexpr unsigned blocks_per_multiprocessor = 32;
constexpr unsigned registers_per_block = 65536;
constexpr int compute_capability_major = 8;
constexpr int compute_capability_minor = 0;

}  // namespace warpboard::emulation
