// NVIDIA's cuda_fp16.h, and what it leaves to the device.
#pragma once

#include_next <cuda_fp16.h>

#include "emulation/half_precision.h"
