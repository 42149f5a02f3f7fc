// assert() in kernels: what the C library would only end the process for.
//
// Defined in the executable, __assert_fail takes precedence over the C library's, so <cassert>
// works in kernels and tells the thread as CUDA does.
#include <cstdio>

#include "diagnosis.h"

extern "C" [[noreturn]] void __assert_fail(const char* expression, const char*, unsigned line,
                                           const char*) noexcept {
    char place[256];
    warpboard::emulation::describe_place(place, sizeof place);
    warpboard::emulation::fail("%s failed assertion `%s` in line %u", place, expression, line);
}
