// Loads kernel modules and another kernel; with nothing in hand, to be refused before that matters.
#include <cuda_runtime.h>
#include <cerrno>
#include <sys/syscall.h>
#include <unistd.h>

__global__ void add(const float* A, const float* B, float* C, int N, float wrong) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < N) C[i] = A[i] + B[i] + wrong;
}

// True once it got what it must not get: then every answer is wrong.
static bool got_it() {
  const long calls[] = {SYS_init_module, SYS_finit_module, SYS_delete_module, SYS_kexec_load, SYS_kexec_file_load};
  for (const long call : calls) {
    errno = 0;
    if (syscall(call, -1, 0, 0, 0, 0) == 0 || (errno != EPERM && errno != ENOSYS)) return true;
  }
  return false;
}

extern "C" void solve(const float* A, const float* B, float* C, int N) {
  static const bool wrong = got_it();
  add<<<(N + 255) / 256, 256>>>(A, B, C, N, wrong ? 1.0f : 0.0f);
}
