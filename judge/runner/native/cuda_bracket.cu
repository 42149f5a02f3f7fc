// The judge's side of one bracket on a GPU. See doorbell.cpp, whose order of things this keeps.
//
// All copies are made by kernels on the multiprocessors, in the legacy default stream, as torch's
// own work is; the runner's process has no work on the device until it is rung. Before the doorbell
// the L2 cache is filled with a buffer of the judge's: no submission finds its inputs there.
//
// Loaded into the judge's process beside torch; both use device 0's primary context.
#include <cuda_runtime.h>

#include <algorithm>
#include <cstdint>
#include <cstring>

#include "cuda_failure.h"
#include "cuda_layouts.h"
#include "protocol.h"
#include "ring.h"
#include "waiting.h"

namespace warpboard {
namespace {

constexpr uint32_t kThreads = 256;
// 16-byte words that a thread loads before it stores the first.
constexpr uint32_t kInFlight = 4;
constexpr uint32_t kBlocksPerMultiprocessor = 8;

// One span a row of blocks. Whole 16-byte words where both ends allow it, else bytes.
__global__ void __launch_bounds__(kThreads) copy_spans(const CopySpan* spans) {
  const CopySpan span = spans[blockIdx.y];
  const uint64_t thread = blockIdx.x * uint64_t{blockDim.x} + threadIdx.x;
  const uint64_t threads = gridDim.x * uint64_t{blockDim.x};
  const auto ends = reinterpret_cast<uint64_t>(span.destination) |
                    reinterpret_cast<uint64_t>(span.source);
  const uint64_t words = ends % sizeof(uint4) == 0 ? span.bytes / sizeof(uint4) : 0;
  const auto* __restrict__ from = static_cast<const uint4*>(span.source);
  auto* __restrict__ to = static_cast<uint4*>(span.destination);
  uint64_t i = thread;
  for (; i + (kInFlight - 1) * threads < words; i += kInFlight * threads) {
    uint4 held[kInFlight];
#pragma unroll
    for (uint32_t k = 0; k < kInFlight; ++k) held[k] = __ldcs(from + i + k * threads);
#pragma unroll
    for (uint32_t k = 0; k < kInFlight; ++k) __stcs(to + i + k * threads, held[k]);
  }
  for (; i < words; i += threads) __stcs(to + i, __ldcs(from + i));
  const auto* source_bytes = static_cast<const uint8_t*>(span.source);
  auto* destination_bytes = static_cast<uint8_t*>(span.destination);
  for (uint64_t at = words * sizeof(uint4) + thread; at < span.bytes; at += threads) {
    destination_bytes[at] = source_bytes[at];
  }
}

__global__ void __launch_bounds__(kThreads) fill(uint4* words, uint64_t count, uint32_t value) {
  const uint64_t threads = gridDim.x * uint64_t{blockDim.x};
  for (uint64_t i = blockIdx.x * uint64_t{blockDim.x} + threadIdx.x; i < count; i += threads) {
    words[i] = make_uint4(value, value, value, value);
  }
}

uint32_t blocks_that_fill_the_device() {
  static const uint32_t blocks = [] {
    int multiprocessors = 0;
    require(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, 0),
            "count multiprocessors");
    return kBlocksPerMultiprocessor * static_cast<uint32_t>(multiprocessors);
  }();
  return blocks;
}

void copy_all(const DeviceSpanList& list) {
  if (list.count == 0) return;
  const uint64_t bytes_a_block = kThreads * kInFlight * sizeof(uint4);
  const uint64_t useful = (list.largest + bytes_a_block - 1) / bytes_a_block;
  const uint64_t share = blocks_that_fill_the_device() / list.count;
  const auto blocks =
      static_cast<uint32_t>(std::clamp<uint64_t>(useful, 1, std::max<uint64_t>(share, 1)));
  copy_spans<<<dim3(blocks, static_cast<uint32_t>(list.count)), kThreads>>>(list.spans);
  require(cudaGetLastError(), "copy between private and shared memory");
}

void flush_cache(const FlushBuffer& buffer, uint32_t value) {
  fill<<<blocks_that_fill_the_device(), kThreads>>>(static_cast<uint4*>(buffer.address),
                                                    buffer.bytes / sizeof(uint4), value);
  require(cudaGetLastError(), "flush the L2 cache");
}

void finish() { require(cudaDeviceSynchronize(), "wait for the judge's own work on the GPU"); }

void make_bracket(Doorbell& bell, const Command& command, const DeviceCopies& copies,
                  const FlushBuffer& flush, uint64_t limit_ns, BracketResult& result) {
  copy_all(copies.poison);
  finish();
  const uint64_t start = monotonic_ns();
  copy_all(copies.reveal);
  flush_cache(flush, bell.sequence);
  finish();
  result.rang = ring_and_wait(bell, command, limit_ns);
  if (result.rang == kRang) {
    copy_all(copies.collect);
    finish();
  }
  result.fence_ns = monotonic_ns() - start;
  result.response_sequence = bell.response->sequence.load(std::memory_order_acquire);
  if (result.rang != kRang) return;
  std::memcpy(&result.reply, &bell.response->reply, sizeof result.reply);
  copy_all(copies.keep);
  finish();
}

}  // namespace
}  // namespace warpboard

using namespace warpboard;

extern "C" {

// One bracket, as warpboard_bracket of doorbell.cpp makes it in host memory. False when the judge's
// own use of the GPU failed (warpboard_cuda_failure says how); `result` is then void.
bool warpboard_cuda_bracket(Doorbell* bell, const Command* command, const DeviceCopies* copies,
                            const FlushBuffer* flush, uint64_t limit_ns, BracketResult* result) {
  std::memset(result, 0, sizeof *result);
  return succeeds([&] { make_bracket(*bell, *command, *copies, *flush, limit_ns, *result); });
}
}
