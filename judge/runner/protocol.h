// The protocol between the judge and the runner: theory of operation and every shared layout.
//
// Processes. The judge (Python, with a small native helper, native/doorbell.cpp) owns the inputs,
// the expected outputs, both verdict and clock. The runner (main.cpp) is one fresh process in a
// sandbox; it loads one submission, which is hostile native code in the same address space. So all
// that the runner says or writes may come from the submission.
//
// Who trusts whom. The runner trusts the judge. The judge trusts nothing of the runner: it copies
// each reply out of shared memory once and checks that copy; a forged reply changes only E, the
// runner's claim of the time, and the judge's own clock F vouches for that. Expected outputs and
// judge-private inputs never enter memory that the runner can map.
//
// Descriptors. The judge listens on a Unix SOCK_SEQPACKET socket in a private folder that the
// sandbox shows the runner, whose path is argv[1]. It accepts exactly one connection and removes
// the socket. It sends one Setup message with kDescriptors descriptors attached, in this order:
//   request   memfd of one page; the judge writes, the runner may only read. The seal
//             F_SEAL_FUTURE_WRITE makes that hold even if the runner opens it again through /proc.
//   response  memfd of one page; both write.
//   arena     the buffers of all slots: a memfd on the emulated device, an exported VMM allocation
//             on a GPU.
// Memfds cannot be resized (F_SEAL_SHRINK, F_SEAL_GROW), or a runner could make the judge fault.
// The runner maps them, loads the submission and sends one Ready message. From then on the socket
// carries nothing; its closing tells either side that the other is gone.
//
// Calls. The judge writes a Command and then, with release, a new sequence number into the request
// page: the doorbell. The runner sees it with acquire, calls the entry point once per listed slot,
// writes a Reply and then the same number into the response page. Both words have a page of their
// own, so neither side's waiting slows the other's writing. Waiting is spinning for
// Setup::spin_microseconds and then a futex wait on the word, which leaves the core to others:
// needed where runner and judge share few cores. kSpinForever is for GPUs, where the judge has a
// core to spare and a wake-up would cost more than it saves. Sequence numbers start at 1 and go up
// by one; any other value in the response word is a breach.
//
// The end. There is no farewell: the judge kills the sandbox, so neither static destructors nor
// `atexit` functions of the submission run in its time.
//
// Python mirrors of these layouts are in protocol.py; a test compares sizes and offsets.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

namespace warpboard {

constexpr uint32_t kMagic = 0x44425057;  // "WPBD"
constexpr uint32_t kVersion = 1;
constexpr uint32_t kPageBytes = 4096;
constexpr uint32_t kMaxParameters = 64;
constexpr uint32_t kMaxCalls = 512;
constexpr uint32_t kSpinForever = 0xffffffff;

// The runner's own exit codes; a submission may forge them, so they decide only on wording.
constexpr int kExitSetupFailed = 97;
constexpr int kExitJudgeGone = 98;

enum Descriptor : uint32_t { kRequestPage, kResponsePage, kArena, kDescriptors };

enum class ParameterKind : uint32_t { value = 0, buffer = 1 };

// One parameter of the entry point. A value is passed as its bytes. A buffer's data of slot s lies
// in the arena at offset + s * Setup::slot_stride; the whole pages that hold it and its guard bytes
// are [pages_offset, pages_offset + pages_bytes) of the slot, and what lies between two buffers'
// pages belongs to nobody.
struct ParameterEntry {
  uint32_t kind;
  uint32_t value_bytes;
  uint8_t value[8];
  uint64_t offset;
  uint64_t bytes;
  uint64_t pages_offset;
  uint64_t pages_bytes;
  char name[80];
};

struct Setup {
  uint32_t magic;
  uint32_t version;
  uint32_t parameter_count;
  uint32_t slot_count;
  uint32_t threads;            // CPU threads the emulated device computes with; 0 on a GPU
  uint32_t spin_microseconds;  // how long to spin before sleeping, or kSpinForever
  uint64_t arena_bytes;
  uint64_t slot_stride;
  uint64_t memory_bytes;       // device memory the submission may allocate itself
  char library[256];           // path of the submission's shared library; empty when linked in
  ParameterEntry parameters[kMaxParameters];
};

struct Ready {
  uint32_t magic;
  uint32_t version;
};

enum class Operation : uint32_t { call = 1 };

struct Command {
  uint32_t operation;
  uint32_t count;
  uint32_t slots[kMaxCalls];
};

enum class Status : uint32_t {
  ok = 0,
  out_of_memory = 1,  // solve let std::bad_alloc escape, or the device had no memory left
  exception = 2,      // solve let another exception escape; text is its what()
  device_error = 3,   // an error of the device is pending after solve; text names it
  bad_command = 4,    // the runner refused the judge's command
  unsupported = 5,    // the submission holds no code for this device; text says the error
};

struct Reply {
  uint32_t status;
  uint32_t text_bytes;
  uint64_t event_ns;  // E, over all calls of the command
  char text[1024];
};

// The request page. `sequence` is the doorbell.
struct RequestPage {
  std::atomic<uint32_t> sequence;
  std::atomic<uint32_t> judge_sleeps;  // the judge waits in a futex: ring back with a wake-up
  uint8_t padding[56];
  Command command;
  uint8_t unused[kPageBytes - 64 - sizeof(Command)];
};

// The response page. `runner_sleeps` may be a lie; the judge then wakes nobody and waits in vain.
struct ResponsePage {
  std::atomic<uint32_t> sequence;
  std::atomic<uint32_t> runner_sleeps;
  uint8_t padding[56];
  Reply reply;
  uint8_t unused[kPageBytes - 64 - sizeof(Reply)];
};

static_assert(sizeof(ParameterEntry) == 128);
static_assert(sizeof(RequestPage) == kPageBytes && sizeof(ResponsePage) == kPageBytes);
static_assert(std::atomic<uint32_t>::is_always_lock_free);

}  // namespace warpboard
