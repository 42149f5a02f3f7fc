// Blocks every signal that can be blocked, then never returns: only SIGKILL ends it.
#include <cuda_runtime.h>
#include <csignal>
#include <unistd.h>

extern "C" void solve(const float*, const float*, float*, int) {
  sigset_t all;
  sigfillset(&all);
  sigprocmask(SIG_BLOCK, &all, nullptr);
  for (;;) pause();
}
