// Telling the user what went wrong, once, in one line, and ending the process.
#pragma once

#include <cstddef>

namespace warpboard::emulation {

// Writes "warpboard-diagnosis: <text>" and ends the process. Only the first caller of several
// gets to speak. Safe to call from a signal handler.
[[noreturn]] void fail(const char* format, ...) __attribute__((format(printf, 1, 2)));

// Writes "warpboard-warning: <text>". The same format string is told once a process.
void warn_once(const char* format, ...) __attribute__((format(printf, 1, 2)));

// Where this operating-system thread is: "thread (3,0,0) of block (1,0,0) in kernel `add`", or
// "the host code of the submission" outside a kernel. Written into `text`, cut to `size`.
void describe_place(char* text, std::size_t size);

// "block (1,0,0) of kernel `add`".
void describe_block(char* text, std::size_t size);

}  // namespace warpboard::emulation
