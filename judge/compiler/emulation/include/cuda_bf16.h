// NVIDIA's cuda_bf16.h, and what it leaves to the device.
#pragma once

#include_next <cuda_bf16.h>

#include "emulation/half_precision.h"
