// Waiting for a doorbell word in shared memory, and ringing one: spin, then futex.
//
// Used by both sides (main.cpp, native/doorbell.cpp); knows nothing of commands and replies.
//
// The sleeper announces itself in `sleeps` before it looks at the word a last time, and the ringer
// looks at `sleeps` after it has written the word. With sequentially consistent accesses one of the
// two sees the other, so no wake-up is lost; and the kernel looks at the word once more itself.
#pragma once

#include <linux/futex.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <atomic>
#include <climits>
#include <cstdint>

namespace warpboard {

inline uint64_t monotonic_ns() {
  timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return static_cast<uint64_t>(now.tv_sec) * 1000000000u + static_cast<uint64_t>(now.tv_nsec);
}

inline void pause_cpu() {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  asm volatile("yield");
#endif
}

// Writes `sequence` and wakes the other side if it says that it sleeps.
inline void ring(std::atomic<uint32_t>& word, uint32_t sequence,
                 const std::atomic<uint32_t>& sleeps) {
  word.store(sequence, std::memory_order_seq_cst);
  if (sleeps.load(std::memory_order_seq_cst) != 0) {
    // Not FUTEX_PRIVATE: the word is shared between processes.
    syscall(SYS_futex, &word, FUTEX_WAKE, INT_MAX, nullptr, nullptr, 0);
  }
}

// Spins until `word` is no longer `old` or `spin_ns` have passed; true if it changed.
inline bool spin_while(const std::atomic<uint32_t>& word, uint32_t old, uint64_t spin_ns) {
  const uint64_t start = monotonic_ns();
  do {
    for (int i = 0; i < 64; ++i) {
      if (word.load(std::memory_order_acquire) != old) return true;
      pause_cpu();
    }
  } while (monotonic_ns() - start < spin_ns);
  return false;
}

// Sleeps at most `sleep_ns` while `word` is `old`; true if it changed.
inline bool sleep_while(const std::atomic<uint32_t>& word, uint32_t old,
                        std::atomic<uint32_t>& sleeps, uint64_t sleep_ns) {
  sleeps.store(1, std::memory_order_seq_cst);
  if (word.load(std::memory_order_seq_cst) == old) {
    const timespec timeout{static_cast<time_t>(sleep_ns / 1000000000u),
                           static_cast<long>(sleep_ns % 1000000000u)};
    syscall(SYS_futex, &word, FUTEX_WAIT, old, &timeout, nullptr, 0);
  }
  sleeps.store(0, std::memory_order_seq_cst);
  return word.load(std::memory_order_acquire) != old;
}

}  // namespace warpboard
