// What the runner asks of the emulation, for submissions that are plain C++ and launch nothing:
// these tests are about the runner and the judge, not about CUDA. Weak, so that one can be replaced.
#include "warpboard_emulation.h"

#define WEAK __attribute__((weak))

extern "C" {
WEAK void warpboard_emulation_configure(unsigned) {}
WEAK void warpboard_emulation_limit_memory(size_t) {}
WEAK void warpboard_emulation_name_region(const char*, void*, size_t) {}
WEAK void warpboard_emulation_install_crash_handler(void) {}
WEAK const char* warpboard_emulation_pending_error(void) { return nullptr; }
WEAK void warpboard_emulation_check_allocations(void) {}
}
