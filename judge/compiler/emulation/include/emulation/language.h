// CUDA C++'s qualifiers and built-in variables, said in C++.
//
// `__shared__` becomes `static thread_local`: an operating-system thread runs one block at a time, so
// what belongs to the block can belong to the thread. That makes shared arrays work in templates
// and device functions alike. `extern __shared__` and `static __shared__` are the rewriter's.
#pragma once

#include <cuda_runtime.h>

#include "emulation/runtime_interface.h"

#undef __global__
#undef __device__
#undef __host__
#undef __shared__
#undef __constant__
#undef __managed__
#undef __grid_constant__
#undef __launch_bounds__
#undef __maxnreg__
#undef __forceinline__
#undef __inline_hint__
#undef __cluster_dims__
#undef __block_size__
#define __global__
#define __device__
#define __host__
#define __shared__ static thread_local
#define __constant__
#define __managed__
#define __grid_constant__
#define __launch_bounds__(...)
#define __maxnreg__(...)
#define __forceinline__ inline
#define __inline_hint__ inline

// The dynamic shared memory of a block, under whatever name and type a kernel declares it: as what a
// reference `variable` of that type refers to, and as the assembler name of a variable.
extern "C" __attribute__((aligned(256))) __thread char warpboard_dynamic_shared[];
#define WARPBOARD_DYNAMIC_SHARED(variable) \
    reinterpret_cast<decltype(variable)>(*::warpboard_dynamic_shared)
#define WARPBOARD_DYNAMIC_SHARED_NAME __asm__("warpboard_dynamic_shared")

// Const, unlike in the runtime: no thread of a kernel ever sees one of these change.
extern const __thread uint3 threadIdx;
extern const __thread uint3 blockIdx;
extern const dim3 blockDim;
extern const dim3 gridDim;
inline constexpr int warpSize = 32;
