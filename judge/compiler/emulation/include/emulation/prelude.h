// What nvcc includes before every .cu file, for the emulated device: force-included first, and kept
// precompiled. NVIDIA's own headers give the types and the runtime's prototypes; the shim headers
// here give what those leave to the device. A new family of device functions gets its own file.
//
// No more of the standard library than nvcc brings along: a forgotten <cfloat> or <vector> is to be
// an error here too. (No include guard: the compiler includes this once, and warns of one when it
// precompiles.)

#include <assert.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmath>
#include <cstdlib>
#include <limits>
#include <new>
#include <type_traits>
#include <utility>

#include <cuda_runtime.h>

#include "emulation/language.h"

#include "emulation/launch.h"
#include "emulation/barrier.h"
#include "emulation/warp.h"
#include "emulation/atomics.h"
#include "emulation/memory_access.h"
#include "emulation/float_math.h"
#include "emulation/integer_math.h"
#include "emulation/conversions.h"
#include "emulation/symbols.h"
#include "emulation/timing_and_traps.h"
