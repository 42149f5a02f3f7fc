#include "diagnosis.h"

#include <unistd.h>

#include <atomic>
#include <cstdarg>
#include <cstdio>
#include <cstring>

#include "builtins.h"
#include "launcher.h"
#include "warpboard_emulation.h"

namespace warpboard::emulation {
namespace {

std::atomic_flag spoken = ATOMIC_FLAG_INIT;

constexpr int most_warnings = 16;
std::atomic<const char*> warned[most_warnings];

// One write, so that lines of several threads do not mix; a line break inside would end the
// message for its reader.
void write_line(const char* prefix, const char* format, va_list values) {
    char text[2048];
    int used = std::snprintf(text, sizeof text, "%s", prefix);
    int room = static_cast<int>(sizeof text) - used - 1;
    int wanted = std::vsnprintf(text + used, static_cast<std::size_t>(room), format, values);
    int length = used + (wanted < room ? wanted : room - 1);
    for (int i = 0; i < length; ++i) {
        if (text[i] == '\n') text[i] = ' ';
    }
    text[length++] = '\n';
    ssize_t ignored = write(STDERR_FILENO, text, static_cast<std::size_t>(length));
    (void)ignored;  // there is nobody left to tell
}

}  // namespace

void fail(const char* format, ...) {
    static __thread bool speaking = false;
    if (speaking) _exit(WARPBOARD_EMULATION_DIAGNOSIS_EXIT);  // it crashed while it spoke
    if (spoken.test_and_set()) {
        for (;;) pause();  // the thread that spoke first is about to end the process
    }
    speaking = true;
    // What the kernel printed is part of the story, unless it crashed while it printed.
    if (ftrylockfile(stdout) == 0) {
        std::fflush(stdout);
        funlockfile(stdout);
    }
    va_list values;
    va_start(values, format);
    write_line("warpboard-diagnosis: ", format, values);
    va_end(values);
    _exit(WARPBOARD_EMULATION_DIAGNOSIS_EXIT);
}

void warn_once(const char* format, ...) {
    for (auto& entry : warned) {
        const char* none = nullptr;
        if (entry.compare_exchange_strong(none, format)) break;
        if (none == format) return;
        if (&entry == &warned[most_warnings - 1]) return;
    }
    va_list values;
    va_start(values, format);
    write_line("warpboard-warning: ", format, values);
    va_end(values);
}

void describe_block(char* text, std::size_t size) {
    std::snprintf(text, size, "block (%u,%u,%u) of kernel `%s`", blockIdx.x, blockIdx.y,
                  blockIdx.z, current_kernel());
}

void describe_place(char* text, std::size_t size) {
    if (!in_kernel()) {
        std::snprintf(text, size, "the host code of the submission");
        return;
    }
    std::snprintf(text, size, "thread (%u,%u,%u) of block (%u,%u,%u) in kernel `%s`",
                  threadIdx.x, threadIdx.y, threadIdx.z, blockIdx.x, blockIdx.y, blockIdx.z,
                  current_kernel());
}

}  // namespace warpboard::emulation
