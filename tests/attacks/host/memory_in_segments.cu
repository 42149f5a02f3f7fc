// Takes memory in System V segments that it then lets go of, 2 GB of them at most.
#include <cuda_runtime.h>
#include <sys/ipc.h>
#include <sys/shm.h>

__global__ void add(const float* A, const float* B, float* C, int N, float wrong) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < N) C[i] = A[i] + B[i] + wrong;
}

// True once it got what it must not get: then every answer is wrong.
static bool got_it() {
  long held = 0;
  for (int segment = 0; segment < 16; ++segment) {
    const int id = shmget(IPC_PRIVATE, 128 << 20, IPC_CREAT | 0600);
    void* place = id >= 0 ? shmat(id, nullptr, 0) : reinterpret_cast<void*>(-1);
    if (place == reinterpret_cast<void*>(-1)) break;
    for (int page = 0; page < 128 << 20; page += 4096) static_cast<volatile char*>(place)[page] = 1;
    shmdt(place);  // no process has it mapped any more
    held += 128;
  }
  return held > 1536;
}

// Before the first call: a flood takes longer than a call may.
static const bool wrong = got_it();

extern "C" void solve(const float* A, const float* B, float* C, int N) {
  add<<<(N + 255) / 256, 256>>>(A, B, C, N, wrong ? 1.0f : 0.0f);
}
