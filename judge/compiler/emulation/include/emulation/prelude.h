// What nvcc includes before every .cu file, for the emulated device: force-included first, and kept
// precompiled. NVIDIA's own headers give the types and the runtime's prototypes; the shim headers
// here give what those leave to the device. A new family of device functions gets its own file. (No include guard: the
// compiler includes it once, and warns of one when it precompiles.)

#include <assert.h>
#include <limits.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <algorithm>
#include <cfloat>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <iostream>
#include <limits>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include <cuda_runtime.h>

#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp8.h>

#include "emulation/language.h"

#include "emulation/launch.h"
#include "emulation/barrier.h"
#include "emulation/warp.h"
#include "emulation/atomics.h"
#include "emulation/memory_access.h"
#include "emulation/float_math.h"
#include "emulation/integer_math.h"
#include "emulation/conversions.h"
#include "emulation/half_precision.h"
#include "emulation/symbols.h"
#include "emulation/timing_and_traps.h"
