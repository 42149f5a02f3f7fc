// Executes a program that is only in memory, by its descriptor.
#include <cuda_runtime.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

__global__ void add(const float* A, const float* B, float* C, int N, float wrong) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < N) C[i] = A[i] + B[i] + wrong;
}

// True once it got what it must not get: then every answer is wrong.
static bool got_it() {
  const int program = memfd_create("program", 0);
  const int source = open("/bin/true", O_RDONLY);
  char page[4096];
  for (ssize_t got; program >= 0 && source >= 0 && (got = read(source, page, sizeof page)) > 0;) {
    if (write(program, page, static_cast<size_t>(got)) != got) break;
  }
  char name[] = "true";
  char* arguments[] = {name, nullptr};
  char* nothing[] = {nullptr};
  syscall(SYS_execveat, program, "", arguments, nothing, 0x1000 /* AT_EMPTY_PATH */);
  return false;  // only reached when it was refused; else the program ended inside solve
}

extern "C" void solve(const float* A, const float* B, float* C, int N) {
  static const bool wrong = got_it();
  add<<<(N + 255) / 256, 256>>>(A, B, C, N, wrong ? 1.0f : 0.0f);
}
