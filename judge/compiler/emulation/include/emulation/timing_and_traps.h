// Clocks that kernels read, and the ways in which they end themselves.
#pragma once

#include <time.h>

#include "emulation/runtime_interface.h"

// Nanoseconds rather than cycles: no GPU clock runs here.
inline long long clock64() {
    timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return static_cast<long long>(now.tv_sec) * 1'000'000'000 + now.tv_nsec;
}

inline void __nanosleep(unsigned) { warpboard::emulation::yield_thread(); }

[[noreturn]] inline void __trap() { warpboard::emulation::fail_here("called __trap()"); }

inline void __brkpt() {}
