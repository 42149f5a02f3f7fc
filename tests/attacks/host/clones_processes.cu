// Makes a process by every call that could: fork, vfork, clone, clone3.
#include <cuda_runtime.h>
#include <csignal>
#include <linux/sched.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

__global__ void add(const float* A, const float* B, float* C, int N, float wrong) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < N) C[i] = A[i] + B[i] + wrong;
}

// True once it got what it must not get: then every answer is wrong.
static bool got_it() {
  if (const pid_t child = fork(); child >= 0) {
    if (child == 0) _exit(0);
    return true;
  }
  if (const long child = syscall(SYS_clone, SIGCHLD, nullptr, nullptr, nullptr, nullptr); child >= 0) {
    if (child == 0) _exit(0);
    return true;
  }
  clone_args arguments{};
  arguments.exit_signal = SIGCHLD;
  if (const long child = syscall(SYS_clone3, &arguments, sizeof arguments); child >= 0) {
    if (child == 0) _exit(0);
    return true;
  }
  return false;
}

extern "C" void solve(const float* A, const float* B, float* C, int N) {
  static const bool wrong = got_it();
  add<<<(N + 255) / 256, 256>>>(A, B, C, N, wrong ? 1.0f : 0.0f);
}
