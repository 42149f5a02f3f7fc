// What rewritten submissions and the shim headers call in the emulation runtime.
//
// Plain declarations only: the runtime is compiled once and knows no submission; this file knows
// neither fibers nor operating-system threads. `line` is always the caller's line in the user's
// file (0: unknown), for messages.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>

namespace warpboard::emulation {

// The types of <cstdint>, which submissions must include for themselves.
using Unsigned16 = unsigned short;
using Unsigned32 = unsigned int;
using Unsigned64 = unsigned long;
using Signed8 = signed char;
using Signed64 = long;

struct LaunchConfiguration {
    dim3 grid;
    dim3 block;
    std::size_t shared_bytes = 0;
    cudaStream_t stream = nullptr;
};

// Runs body(context) once for every thread of the grid and returns when all are done. A
// configuration that CUDA refuses runs nothing and sets the last error instead.
void run_grid(const char* kernel, const LaunchConfiguration& configuration, void (*body)(void*),
              void* context);

enum class BarrierReduction : unsigned char { count, all, any };

void block_barrier(int line, const char* operation);
int block_barrier_reduce(int line, int predicate, BarrierReduction kind, const char* operation);

enum class WarpOperation : unsigned char {
    sync,
    shuffle,
    shuffle_up,
    shuffle_down,
    shuffle_xor,
    ballot,
    match_any,
    match_all,
    reduce_add,
    reduce_min_signed,
    reduce_min_unsigned,
    reduce_max_signed,
    reduce_max_unsigned,
    reduce_and,
    reduce_or,
    reduce_xor,
    active_mask,
};

// What one lane brings to a warp operation. `argument` is the source lane, delta or lane mask of a
// shuffle within segments of `width` lanes.
struct LaneRequest {
    WarpOperation operation;
    unsigned mask;
    Unsigned64 value;
    unsigned argument;
    unsigned width;
    int line;
    const char* name;  // as the user wrote it
};

// Waits for the other lanes that the mask names; returns this lane's result.
Unsigned64 warp_operation(const LaneRequest& request);

// Linear index of the calling thread in its block, and its lane.
unsigned thread_rank();
inline unsigned lane_index() { return thread_rank() % 32; }

// Lets the other threads of the block run: a thread that spins on a lock would starve its holder.
void yield_thread();

// Ends the run with a diagnosis about the calling thread: "<thread ...> <text>".
[[noreturn]] void fail_here(const char* text);

// Bytes of dynamic shared memory that this launch has.
std::size_t dynamic_shared_bytes();

// Remembers that the host has asked for more dynamic shared memory than 48 KiB.
cudaError_t allow_dynamic_shared(const void* kernel, int bytes);

}  // namespace warpboard::emulation
