// What runner and judge ask of the scheduler so that other work on their cores disturbs no time.
//
// Whether the kernel grants it changes only how steady times are, so refusals are not errors.
#pragma once

#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cstdint>

namespace warpboard {

// struct sched_attr of <linux/sched/types.h>, which older C libraries clash with.
struct SchedulingAttributes {
  uint32_t size;
  uint32_t policy;
  uint64_t flags;
  int32_t nice;
  uint32_t priority;
  uint64_t runtime;  // for ordinary threads: the slice, in ns
  uint64_t deadline;
  uint64_t period;
};

// Asks to run soon after being woken, at no greater share of the processor; for the calling thread
// and those it starts. A woken thread would otherwise wait for other work's time slice, some
// milliseconds, and the two clocks would seem to disagree. Since Linux 6.12 a thread with a shorter
// slice of its own is preferred when it wakes; earlier kernels ignore the wish. No privilege needed.
inline void prefer_prompt_wakeups() {
  constexpr uint64_t kSliceNs = 100'000;  // the least the kernel takes
  SchedulingAttributes wanted{};
  if (syscall(SYS_sched_getattr, 0, &wanted, sizeof wanted, 0u) != 0) return;
  wanted.size = sizeof wanted;
  wanted.runtime = kSliceNs;
  syscall(SYS_sched_setattr, 0, &wanted, 0u);
}

// The calling thread comes before ordinary work while one of these lives, if the process may do that
// (root, CAP_SYS_NICE or RLIMIT_NICE). For the judge's copies only: a submission gets no such favour.
class Favoured {
 public:
  Favoured() : before_(getpriority(PRIO_PROCESS, 0)) { setpriority(PRIO_PROCESS, 0, kNice); }
  ~Favoured() { setpriority(PRIO_PROCESS, 0, before_); }
  Favoured(const Favoured&) = delete;
  Favoured& operator=(const Favoured&) = delete;

 private:
  static constexpr int kNice = -15;
  int before_;
};

}  // namespace warpboard
