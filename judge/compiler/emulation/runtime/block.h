// One block of a grid, run by one operating-system thread: its threads, barriers and warps.
//
// Lazy fibers: one fiber runs the block's threads one after the other; only when a thread has to
// wait does another fiber take over. A kernel without barriers is therefore a plain loop, and which
// of its threads have left is not even recorded.
#pragma once

#include <vector_types.h>

#include <cstdint>

#include "emulation/runtime_interface.h"
#include "fiber.h"
#include "warp.h"

namespace warpboard::emulation {

struct KernelBody {
    void (*function)(void*);
    void* context;
};

class Block {
public:
    static constexpr unsigned most_threads = FiberPool::most_fibers;

    Block();

    // The block that the calling operating-system thread is running, or null.
    static Block* current();

    // Runs one block to its end. blockIdx, blockDim and gridDim are set already.
    void run(const KernelBody& body, dim3 size);

    void barrier(int line, const char* operation);
    int barrier_reduce(int line, int predicate, BarrierReduction kind, const char* operation);
    std::uint64_t warp_operation(const LaneRequest& request);
    void yield();

    // Linear index of the running thread.
    unsigned thread_rank() const;

    bool owns_stack(const void* address) const { return pool_.owns(address); }

private:
    // What __syncthreads_count, _and and _or gather until the last thread has arrived.
    struct Votes {
        int count = 0;
        int all = 1;
        int any = 0;
    };

    static void fiber_entry();
    [[noreturn]] void run_threads();
    void run_those_that_waited();
    void begin_thread();
    void end_thread();
    void begin_recording();
    void suspend(int line, const char* operation);
    void run_another();
    void resume(Fiber* fiber);
    [[noreturn]] void leave_for(void* context);
    void release_barrier();
    bool resolve_active_masks();
    void wake(Warp& warp, unsigned lanes);
    [[noreturn]] void report_deadlock();

    FiberPool pool_;
    Fiber* fiber_ = nullptr;  // the one that runs now
    void* scheduler_context_ = nullptr;
    FiberQueue ready_;

    KernelBody body_{};
    dim3 size_{};
    unsigned threads_ = 0;
    unsigned started_ = 0;
    uint3 next_index_{};

    // Until a thread waits, those that have begun have also left, but for the one that runs: nothing
    // is recorded. From then on alive_ and the warps are kept.
    bool recording_ = false;
    unsigned alive_ = 0;

    FiberQueue at_barrier_;
    unsigned barrier_count_ = 0;
    int barrier_line_ = 0;
    int other_barrier_line_ = 0;  // a second line at which threads wait, 0 if there is none
    Votes votes_;
    Votes last_votes_;

    Warp warps_[most_threads / Warp::lanes];
};

}  // namespace warpboard::emulation
