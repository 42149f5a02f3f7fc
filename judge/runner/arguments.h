// The argument vectors of the entry point, one per slot, as warpboard_invoke wants them.
//
// arguments[i] points at the value of parameter i: for a buffer at a variable that holds its device
// address, for a size or scalar at its value. Host-side and the same for every device.
#pragma once

#include <cstdint>
#include <cstring>
#include <vector>

#include "protocol.h"

namespace warpboard {

class Arguments {
 public:
  // `arena` is where the arena begins in the device's address space.
  Arguments(const Setup& setup, uintptr_t arena)
      : parameters_(setup.parameter_count),
        values_(static_cast<size_t>(setup.slot_count) * setup.parameter_count),
        pointers_(values_.size()) {
    for (uint32_t slot = 0; slot < setup.slot_count; ++slot) {
      for (uint32_t i = 0; i < parameters_; ++i) {
        const ParameterEntry& entry = setup.parameters[i];
        const size_t at = static_cast<size_t>(slot) * parameters_ + i;
        if (entry.kind == static_cast<uint32_t>(ParameterKind::buffer)) {
          values_[at] = arena + slot * setup.slot_stride + entry.offset;
        } else {
          std::memcpy(&values_[at], entry.value, sizeof entry.value);
        }
        pointers_[at] = &values_[at];
      }
    }
  }

  void* const* of_slot(uint32_t slot) const {
    return pointers_.data() + static_cast<size_t>(slot) * parameters_;
  }

 private:
  uint32_t parameters_;
  std::vector<uint64_t> values_;
  std::vector<void*> pointers_;
};

}  // namespace warpboard
