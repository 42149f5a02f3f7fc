#include "confinement.h"

#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <string>

#include "backend.h"

namespace warpboard {

void close_inherited() {
  if (syscall(SYS_close_range, 3u, ~0u, 0u) == 0) return;
  // Kernels before 5.9 and some container seccomp profiles lack close_range.
  const long limit = sysconf(_SC_OPEN_MAX);
  for (int fd = 3; fd < limit; ++fd) close(fd);
}

void confine() {
  const rlimit no_core{0, 0};
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 || prctl(PR_SET_DUMPABLE, 0, 0, 0, 0) != 0 ||
      setrlimit(RLIMIT_CORE, &no_core) != 0) {
    throw SetupError(std::string("cannot confine the runner: ") + std::strerror(errno));
  }
}

}  // namespace warpboard
