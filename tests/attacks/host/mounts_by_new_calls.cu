// Mounts by the calls that old filters do not know.
#include <cuda_runtime.h>
#include <cerrno>
#include <fcntl.h>
#include <sys/syscall.h>
#include <unistd.h>

__global__ void add(const float* A, const float* B, float* C, int N, float wrong) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < N) C[i] = A[i] + B[i] + wrong;
}

// True once it got what it must not get: then every answer is wrong.
static bool got_it() {
  // open_tree, move_mount, fsopen, fsmount, fspick, mount_setattr
  for (const long call : {428L, 429L, 430L, 432L, 433L, 442L}) {
    errno = 0;
    if (syscall(call, AT_FDCWD, "/", 1, 0, 0) >= 0) return true;
  }
  return syscall(SYS_pivot_root, "/tmp", "/tmp") == 0;
}

extern "C" void solve(const float* A, const float* B, float* C, int N) {
  static const bool wrong = got_it();
  add<<<(N + 255) / 256, 256>>>(A, B, C, N, wrong ? 1.0f : 0.0f);
}
