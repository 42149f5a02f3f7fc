// What the runner asks of a device, so that main.cpp knows none.
//
// A back end maps the arena, loads the submission and calls it. Exactly one is linked into a
// runner; it defines make_backend(). backend_emulated.cpp calls the entry point that is linked in;
// one for CUDA imports the arena's descriptor, opens Setup::library, and measures with events.
#pragma once

#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>

#include "protocol.h"

namespace warpboard {

// The runner cannot start: the judge's or the machine's fault, told on stderr.
class SetupError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// What one command came to. `text` is for the user and empty when all is well.
struct Measurement {
  Status status = Status::ok;
  uint64_t event_ns = 0;
  std::string text;
};

class Backend {
 public:
  virtual ~Backend() = default;

  // Maps the arena at `arena` (the back end owns the descriptor from now on) and prepares one
  // argument vector per slot. Nothing of the submission may have run yet that could be kept from
  // it. Throws SetupError.
  virtual void adopt(const Setup& setup, int arena) = 0;

  // Loads the submission, after the process has been confined. Throws SetupError.
  virtual void load() = 0;

  // Calls the entry point once for each of `slots`, in order, and waits until the device is idle.
  // event_ns is the device's own time from before the first call to after the last. What the
  // submission throws passes through.
  virtual Measurement run(const uint32_t* slots, uint32_t count) = 0;
};

std::unique_ptr<Backend> make_backend();

}  // namespace warpboard
