// Prints without an end, 4 GB of it.
#include <cuda_runtime.h>
#include <unistd.h>

extern "C" void solve(const float*, const float*, float*, int) {
  static char page[65536];
  for (int i = 0; i < 65536; ++i) {
    if (write(1, page, sizeof page) < 0 || write(2, page, sizeof page) < 0) _exit(1);
  }
}
