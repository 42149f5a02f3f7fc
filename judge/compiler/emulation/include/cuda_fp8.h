// NVIDIA's cuda_fp8.h, which rests on half precision: that comes with its device functions first.
#pragma once

#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include_next <cuda_fp8.h>
