// The built-in variables of CUDA C++, as the runtime sees them: it sets what kernels may only read.
//
// blockDim and gridDim are the same for all blocks of a launch, and one launch runs at a time, so
// they are ordinary variables; the indices belong to the operating-system thread that runs a block.
// Submissions see all four as const (include/emulation/language.h): a kernel's thread never sees
// them change, which lets the compiler keep them in registers.
#pragma once

#include <vector_types.h>

extern __thread uint3 threadIdx;
extern __thread uint3 blockIdx;
extern dim3 blockDim;
extern dim3 gridDim;
