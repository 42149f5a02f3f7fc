// Barriers and fences of a block. The default argument tells the runtime the caller's line.
#pragma once

#include "emulation/runtime_interface.h"

inline void __syncthreads(int line = __builtin_LINE()) {
    warpboard::emulation::block_barrier(line, "__syncthreads()");
}

inline int __syncthreads_count(int predicate, int line = __builtin_LINE()) {
    return warpboard::emulation::block_barrier_reduce(
        line, predicate, warpboard::emulation::BarrierReduction::count, "__syncthreads_count()");
}

inline int __syncthreads_and(int predicate, int line = __builtin_LINE()) {
    return warpboard::emulation::block_barrier_reduce(
        line, predicate, warpboard::emulation::BarrierReduction::all, "__syncthreads_and()");
}

inline int __syncthreads_or(int predicate, int line = __builtin_LINE()) {
    return warpboard::emulation::block_barrier_reduce(
        line, predicate, warpboard::emulation::BarrierReduction::any, "__syncthreads_or()");
}

// Threads of one block share an operating-system thread, so only the compiler could reorder.
inline void __threadfence_block() { __atomic_signal_fence(__ATOMIC_SEQ_CST); }
inline void __threadfence() { __atomic_thread_fence(__ATOMIC_SEQ_CST); }
inline void __threadfence_system() { __atomic_thread_fence(__ATOMIC_SEQ_CST); }
