// What Python hands to the judge's native code on the GPU. Mirrored in devices/gpu_helper.py; zones
// are rows of a tensor in devices/device_arena.py.
#pragma once

#include <cstdint>

#include "ring.h"

namespace warpboard {

extern "C" {

// `spans` lie in device memory; `largest` is the most bytes that one of them has.
struct DeviceSpanList {
  const CopySpan* spans;
  uint64_t count;
  uint64_t largest;
};

struct DeviceCopies {
  DeviceSpanList poison;
  DeviceSpanList reveal;
  DeviceSpanList collect;
  DeviceSpanList keep;
};

struct FlushBuffer {
  void* address;
  uint64_t bytes;
};

struct DeviceZone {
  uint8_t* address;
  uint64_t bytes;
};
}

}  // namespace warpboard
