"""The kernels to time three ways, each a ``solve(const float* A, float* B, int N)``."""

from __future__ import annotations

from dataclasses import dataclass

from judge.domain import DType, Limits, Parameter, Problem, Role, Tolerance, ToleranceRule

PROBLEM = Problem(
    slug="bench-timing",
    title="",
    difficulty="easy",
    tags=(),
    entry="solve",
    parameters=(
        Parameter("A", DType.FLOAT32, Role.IN, ("N",)),
        Parameter("B", DType.FLOAT32, Role.OUT, ("N",)),
        Parameter("N", DType.INT32, Role.SIZE),
    ),
    tolerance=Tolerance(ToleranceRule.EXACT),
    limits=Limits(),
    tests=(),
    workloads=(),
    flops="0",
    bytes="8*N",
)

_SOLVE = 'extern "C" void solve(const float* A, float* B, int N)'

EMPTY = _SOLVE + " {}\n"

_NULL = "__global__ void null() {}\n" + _SOLVE + " { null<<<1, 1>>>(); }\n"

_SPIN = (
    """__device__ unsigned long long now() {
  unsigned long long t;
  asm volatile("mov.u64 %0, %globaltimer;" : "=l"(t));
  return t;
}
__global__ void spin() {
  const unsigned long long began = now();
  while (now() - began < NANOSECONDSull) {
  }
}
"""
    + _SOLVE
    + " { spin<<<1, 1>>>(); }\n"
)

_COPY = (
    """__global__ void copy(const float4* A, float4* B, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) B[i] = A[i];
}
"""
    + _SOLVE
    + " { copy<<<(N / 4 + 255) / 256, 256>>>((const float4*)A, (float4*)B, N / 4); }\n"
)

_SOFTMAX = (
    """constexpr int kColumns = 4096, kThreads = 256;
__device__ float over_block(float value, bool maximum) {
  __shared__ float shared[kThreads];
  shared[threadIdx.x] = value;
  for (int half = kThreads / 2; half > 0; half /= 2) {
    __syncthreads();
    if (threadIdx.x < half) {
      const float a = shared[threadIdx.x], b = shared[threadIdx.x + half];
      shared[threadIdx.x] = maximum ? fmaxf(a, b) : a + b;
    }
  }
  __syncthreads();
  const float result = shared[0];
  __syncthreads();
  return result;
}
__global__ void softmax(const float* A, float* B) {
  const float* row = A + size_t{blockIdx.x} * kColumns;
  float largest = -INFINITY, sum = 0;
  for (int i = threadIdx.x; i < kColumns; i += kThreads) largest = fmaxf(largest, row[i]);
  largest = over_block(largest, true);
  for (int i = threadIdx.x; i < kColumns; i += kThreads) sum += expf(row[i] - largest);
  sum = over_block(sum, false);
  for (int i = threadIdx.x; i < kColumns; i += kThreads)
    B[size_t{blockIdx.x} * kColumns + i] = expf(row[i] - largest) / sum;
}
"""
    + _SOLVE
    + " { softmax<<<N / kColumns, kThreads>>>(A, B); }\n"
)

#: Square, with A for both factors.
_NAIVE = (
    """__global__ void product(const float* A, float* C, int n) {
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  const int column = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0;
  for (int i = 0; i < n; ++i) sum += A[row * n + i] * A[i * n + column];
  C[row * n + column] = sum;
}
"""
    + _SOLVE
    + """ {
  int n = 1;
  while (n * n < N) n *= 2;
  product<<<dim3(n / 32, n / 8), dim3(32, 8)>>>(A, B, n);
}
"""
)

_TILED = (
    """constexpr int kTile = 32;
__global__ void product(const float* A, float* C, int n) {
  __shared__ float a[kTile][kTile], b[kTile][kTile];
  const int x = threadIdx.x, y = threadIdx.y;
  const int row = blockIdx.y * kTile + y, column = blockIdx.x * kTile + x;
  float sum = 0;
  for (int t = 0; t < n EXTRA; t += kTile) {
    const int from = t % n;
    a[y][x] = A[row * n + from + x];
    b[y][x] = A[(from + y) * n + column];
    __syncthreads();
#pragma unroll
    for (int i = 0; i < kTile; ++i) sum += a[y][i] * b[i][x];
    __syncthreads();
  }
  C[row * n + column] = sum;
}
"""
    + _SOLVE
    + """ {
  int n = 1;
  while (n * n < N) n *= 2;
  product<<<dim3(n / kTile, n / kTile), dim3(kTile, kTile)>>>(A, B, n);
}
"""
)


@dataclass(frozen=True)
class TimedKernel:
    """``floats`` is N; ``limited_by`` is what its time depends on."""

    name: str
    source: str
    floats: int
    limited_by: str


def _spin(microseconds: int) -> TimedKernel:
    source = _SPIN.replace("NANOSECONDS", str(1000 * microseconds))
    return TimedKernel(f"spin {microseconds} µs", source, 1024, "clock")


def _copy(megabytes: int) -> TimedKernel:
    return TimedKernel(f"copy {megabytes} MB", _COPY, megabytes << 18, "memory")


KERNELS: tuple[TimedKernel, ...] = (
    TimedKernel("null", _NULL, 1024, "launch"),
    *(_spin(microseconds) for microseconds in (5, 20, 100, 102, 1000)),
    *(_copy(megabytes) for megabytes in (1, 16, 64, 256)),
    TimedKernel("softmax 4096 × 4096", _SOFTMAX, 1 << 24, "memory"),
    TimedKernel("naive SGEMM 2048³", _NAIVE, 1 << 22, "cache"),
    TimedKernel("tiled SGEMM 2048³", _TILED.replace(" EXTRA", ""), 1 << 22, "shared memory"),
    TimedKernel("naive SGEMM 4096³", _NAIVE, 1 << 24, "cache"),
    TimedKernel("tiled SGEMM 4096³", _TILED.replace(" EXTRA", ""), 1 << 24, "shared memory"),
    TimedKernel(
        "tiled SGEMM 4096³ + 2 %",
        _TILED.replace(" EXTRA", " + n / 50 / kTile * kTile"),
        1 << 24,
        "shared memory",
    ),
)
