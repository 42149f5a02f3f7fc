// The emulated device's back end: the submission is linked in, its buffers are plain memory.
//
// Every buffer's pages stand alone between inaccessible ones, and a buffer's data ends at the end of
// its pages but for alignment: an overrun traps at the very instruction, and the emulation runtime's
// crash handler can name kernel, block, thread and buffer.
#include "backend.h"

#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <optional>

#include "arguments.h"
#include "confinement.h"
#include "waiting.h"
#include "warpboard_emulation.h"

// The trampoline of the force-included prototype: casts the values and calls the entry point.
extern "C" void warpboard_invoke(void* const* arguments);

namespace warpboard {
namespace {

// What the C library calls before any constructor of this program or of its libraries.
[[gnu::used, gnu::section(".preinit_array")]] void (*const before_constructors)() =
    confine_before_constructors;

class EmulatedBackend final : public Backend {
 public:
  void adopt(const Setup& setup, int arena) override {
    // Populated now, or the first call of every slot would pay for the page faults.
    void* base = mmap(nullptr, setup.arena_bytes, PROT_READ | PROT_WRITE,
                      MAP_SHARED | MAP_POPULATE, arena, 0);
    if (base == MAP_FAILED) {
      throw SetupError(std::string("cannot map the buffers: ") + std::strerror(errno));
    }
    close(arena);
    bytes_ = static_cast<char*>(base);
    arena_bytes_ = setup.arena_bytes;
    fence_off_gaps(setup);
    arguments_.emplace(setup, reinterpret_cast<uintptr_t>(base));

    warpboard_emulation_configure(setup.threads);
    warpboard_emulation_limit_memory(setup.memory_bytes);
    warpboard_emulation_install_crash_handler();
    for (uint32_t slot = 0; slot < setup.slot_count; ++slot) {
      for (uint32_t i = 0; i < setup.parameter_count; ++i) {
        const ParameterEntry& entry = setup.parameters[i];
        if (entry.kind != static_cast<uint32_t>(ParameterKind::buffer)) continue;
        warpboard_emulation_name_region(
            entry.name, bytes_ + slot * setup.slot_stride + entry.offset, entry.bytes);
      }
    }
  }

  void load() override {}  // linked in: its static constructors have run before main

  Measurement run(const uint32_t* slots, uint32_t count) override {
    Measurement measurement;
    const uint64_t start = monotonic_ns();
    for (uint32_t i = 0; i < count; ++i) warpboard_invoke(arguments_->of_slot(slots[i]));
    measurement.event_ns = monotonic_ns() - start;
    warpboard_emulation_check_allocations();
    if (const char* error = warpboard_emulation_pending_error()) {
      measurement.text = error;
      measurement.status = measurement.text.rfind("cudaErrorMemoryAllocation", 0) == 0
                               ? Status::out_of_memory
                               : Status::device_error;
    }
    return measurement;
  }

 private:
  // Makes everything inaccessible that is no buffer's page.
  void fence_off_gaps(const Setup& setup) {
    uint64_t accessible_to = 0;
    for (uint32_t slot = 0; slot < setup.slot_count; ++slot) {
      for (uint32_t i = 0; i < setup.parameter_count; ++i) {
        const ParameterEntry& entry = setup.parameters[i];
        if (entry.kind != static_cast<uint32_t>(ParameterKind::buffer)) continue;
        const uint64_t begin = slot * setup.slot_stride + entry.pages_offset;
        fence_off(accessible_to, begin);
        accessible_to = begin + entry.pages_bytes;
      }
    }
    fence_off(accessible_to, arena_bytes_);
  }

  void fence_off(uint64_t from, uint64_t to) {
    if (from > to || to > arena_bytes_) throw SetupError("the judge's buffers overlap");
    if (from == to) return;
    if (mprotect(bytes_ + from, to - from, PROT_NONE) != 0) {
      throw SetupError(std::string("cannot protect the buffers: ") + std::strerror(errno));
    }
  }

  char* bytes_ = nullptr;
  uint64_t arena_bytes_ = 0;
  std::optional<Arguments> arguments_;
};

}  // namespace

std::unique_ptr<Backend> make_backend() { return std::make_unique<EmulatedBackend>(); }

}  // namespace warpboard
