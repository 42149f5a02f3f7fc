// The part of CUB that the emulated device has: block and warp reduce and scan, block load and
// store, device-wide reduce, scan and radix sort. What is not here is a compile error by its name.
#pragma once

#include "emulation/cub/block_io.h"
#include "emulation/cub/block_reduce.h"
#include "emulation/cub/block_scan.h"
#include "emulation/cub/device_algorithms.h"
#include "emulation/cub/warp_algorithms.h"
