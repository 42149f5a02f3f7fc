// The judge's side of one bracket, in C++ so that no interpreter stands between the two clocks.
//
// Start F; copy the inputs from judge-private to shared memory; ring; wait; copy the outputs back;
// stop F. Called through ctypes (doorbell.py), which releases the GIL for the whole bracket. The
// copies are in host memory here; a GPU's bracket (cuda_bracket.cu) makes them with kernels.
//
// The response page is the submission's to write. It is read once, into a private copy.
#include <cstdint>
#include <cstring>

#include "protocol.h"
#include "ring.h"
#include "scheduling.h"
#include "waiting.h"

namespace warpboard {
namespace {

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
