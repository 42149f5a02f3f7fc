#include "confinement.h"

#include <asm/unistd.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cstring>
#include <string>

#include "../sandbox/system_calls.h"
#include "backend.h"
#include "protocol.h"

namespace warpboard {
namespace {

using system_calls::Level;

void require(long result, const char* what) {
  if (result == 0) return;
  throw SetupError(std::string("cannot confine the runner: ") + what + ": " +
                   std::strerror(static_cast<int>(-result)));
}

}  // namespace

void confine_before_constructors() {
  if (system_calls::call(__NR_prctl, PR_SET_NO_NEW_PRIVS, 1) == 0 &&
      system_calls::refuse<Level::process>() == 0) {
    return;
  }
  constexpr char text[] = "warpboard-runner: cannot confine the runner: no system-call filter\n";
  system_calls::call(__NR_write, STDERR_FILENO, reinterpret_cast<long>(text), sizeof text - 1);
  system_calls::call(__NR_exit_group, kExitSetupFailed);
}

void close_inherited() {
  if (system_calls::call(__NR_close_range, 3, ~0u, 0) == 0) return;
  // Kernels before 5.9 and some container seccomp profiles lack close_range.
  const long limit = sysconf(_SC_OPEN_MAX);
  for (int fd = 3; fd < limit; ++fd) close(fd);
}

void confine() {
  const rlimit no_core{0, 0};
  require(system_calls::call(__NR_prctl, PR_SET_NO_NEW_PRIVS, 1), "no_new_privs");
  require(system_calls::call(__NR_prctl, PR_SET_DUMPABLE, 0), "dumpable");
  require(system_calls::call(__NR_setrlimit, RLIMIT_CORE, reinterpret_cast<long>(&no_core)),
          "no core file");
  require(-system_calls::refuse<Level::submission>(), "system-call filter");
}

}  // namespace warpboard
