// The judge's side of one bracket, in C++ so that no interpreter stands between the two clocks.
//
// Start F; copy the inputs from judge-private to shared memory; ring; wait; copy the outputs back;
// stop F. Called through ctypes (doorbell.py), which releases the GIL for the whole bracket. Built
// for host memory; a GPU's bracket copies with kernels and shares `ring_and_wait`.
//
// The response page is the submission's to write. It is read once, into a private copy.
#include <poll.h>

#include <algorithm>
#include <cstdint>
#include <cstring>

#include "protocol.h"
#include "scheduling.h"
#include "waiting.h"

namespace warpboard {
namespace {

// How long the judge sleeps at most before it looks whether the runner still lives.
constexpr uint64_t kLivenessCheckNs = 10'000'000;

extern "C" {

// Mirrored in doorbell.py.
struct CopySpan {
  void* destination;
  const void* source;
  uint64_t bytes;
};

struct SpanList {
  const CopySpan* spans;
  uint64_t count;
};

struct Doorbell {
  RequestPage* request;
  ResponsePage* response;
  uint32_t sequence;  // of the last command rung; counted up here
  uint32_t spin_microseconds;
  int32_t death_fd;
  int32_t socket_fd;
};

enum Rang : uint32_t { kRang, kDied, kHungUp, kTimedOut, kWrongSequence };

struct BracketResult {
  uint32_t rang;
  uint32_t response_sequence;
  uint64_t fence_ns;
  Reply reply;
};
}

bool readable(int fd) {
  pollfd state{fd, POLLIN, 0};
  return poll(&state, 1, 0) > 0 && state.revents != 0;
}

bool hung_up(int fd) {
  pollfd state{fd, POLLRDHUP, 0};
  return poll(&state, 1, 0) > 0 && (state.revents & (POLLHUP | POLLRDHUP | POLLERR)) != 0;
}

Rang wait_for_reply(Doorbell& bell, uint32_t before, uint64_t limit_ns) {
  const bool sleeps = bell.spin_microseconds != kSpinForever;
  const uint64_t spin_ns = sleeps ? uint64_t{bell.spin_microseconds} * 1000 : kLivenessCheckNs;
  const uint64_t deadline = monotonic_ns() + limit_ns;
  bool changed = spin_while(bell.response->sequence, before, spin_ns);
  while (!changed) {
    const uint64_t now = monotonic_ns();
    if (now >= deadline) return kTimedOut;
    const uint64_t slice = std::min(kLivenessCheckNs, deadline - now);
    changed = sleeps ? sleep_while(bell.response->sequence, before, bell.request->judge_sleeps,
                                   slice)
                     : spin_while(bell.response->sequence, before, slice);
    if (changed) break;
    if (readable(bell.death_fd)) return kDied;
    if (hung_up(bell.socket_fd)) return kHungUp;
  }
  return kRang;
}

Rang ring_and_wait(Doorbell& bell, const Command& command, uint64_t limit_ns) {
  const uint32_t before = bell.sequence;
  if (bell.response->sequence.load(std::memory_order_acquire) != before) return kWrongSequence;
  bell.request->command.operation = command.operation;
  bell.request->command.count = command.count;
  std::memcpy(bell.request->command.slots, command.slots, command.count * sizeof(uint32_t));
  bell.sequence = before + 1;
  ring(bell.request->sequence, bell.sequence, bell.response->runner_sleeps);
  const Rang rang = wait_for_reply(bell, before, limit_ns);
  if (rang != kRang) return rang;
  return bell.response->sequence.load(std::memory_order_acquire) == bell.sequence ? kRang
                                                                                : kWrongSequence;
}

void copy_all(const SpanList& list) {
  for (uint64_t i = 0; i < list.count; ++i) {
    const CopySpan& span = list.spans[i];
    std::memcpy(span.destination, span.source, span.bytes);
  }
}

}  // namespace
}  // namespace warpboard

using namespace warpboard;

extern "C" {

// One bracket. `poison` is copied before F starts, `reveal` (the inputs) and `collect` (the outputs)
// within F, and `keep` (the inputs as they are now) after it. `command.count` must not exceed
// kMaxCalls. Spans must lie in memory that both this process and the caller keep mapped.
void warpboard_bracket(Doorbell* bell, const Command* command, const SpanList* poison,
                       const SpanList* reveal, const SpanList* collect, const SpanList* keep,
                       uint64_t limit_ns, BracketResult* result) {
  std::memset(result, 0, sizeof *result);
  prefer_prompt_wakeups();
  const Favoured favoured;
  copy_all(*poison);
  const uint64_t start = monotonic_ns();
  copy_all(*reveal);
  result->rang = ring_and_wait(*bell, *command, limit_ns);
  if (result->rang == kRang) copy_all(*collect);
  result->fence_ns = monotonic_ns() - start;
  result->response_sequence = bell->response->sequence.load(std::memory_order_acquire);
  if (result->rang != kRang) return;
  std::memcpy(&result->reply, &bell->response->reply, sizeof result->reply);
  copy_all(*keep);
}

// Compares each span's destination with its source; writes the offset of the first difference, or
// -1, to `differences`, one a span.
void warpboard_compare(const SpanList* list, int64_t* differences) {
  for (uint64_t i = 0; i < list->count; ++i) {
    const CopySpan& span = list->spans[i];
    differences[i] = -1;
    if (std::memcmp(span.destination, span.source, span.bytes) == 0) continue;
    const auto* now = static_cast<const volatile uint8_t*>(span.destination);
    const auto* then = static_cast<const uint8_t*>(span.source);
    for (uint64_t at = 0; at < span.bytes; ++at) {
      if (now[at] != then[at]) {
        differences[i] = static_cast<int64_t>(at);
        break;
      }
    }
  }
}
}
