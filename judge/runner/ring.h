// The judge's half of one command: ring, wait, and tell how the wait ended.
//
// The same for every device: doorbell.cpp and cuda_bracket.cu copy around it.
// The structs are mirrored in protocol.py.
#pragma once

#include <poll.h>

#include <algorithm>
#include <cstdint>
#include <cstring>

#include "protocol.h"
#include "waiting.h"

namespace warpboard {

// How long the judge sleeps at most before it looks whether the runner still lives.
inline constexpr uint64_t kLivenessCheckNs = 10'000'000;

extern "C" {

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

inline bool readable(int fd) {
  pollfd state{fd, POLLIN, 0};
  return poll(&state, 1, 0) > 0 && state.revents != 0;
}

inline bool hung_up(int fd) {
  pollfd state{fd, POLLRDHUP, 0};
  return poll(&state, 1, 0) > 0 && (state.revents & (POLLHUP | POLLRDHUP | POLLERR)) != 0;
}

inline Rang wait_for_reply(Doorbell& bell, uint32_t before, uint64_t limit_ns) {
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

inline Rang ring_and_wait(Doorbell& bell, const Command& command, uint64_t limit_ns) {
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

}  // namespace warpboard
