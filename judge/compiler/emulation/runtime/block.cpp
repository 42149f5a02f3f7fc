#include "block.h"

#include <algorithm>
#include <cstdio>
#include <cstring>

#include "builtins.h"
#include "context_switch.h"
#include "diagnosis.h"
#include "launcher.h"

namespace warpboard::emulation {
namespace {

__thread Block* running = nullptr;

Block& running_block(const char* operation) {
    if (running == nullptr) fail("%s was called outside a kernel", operation);
    return *running;
}

}  // namespace

Block::Block() : pool_(&Block::fiber_entry) {}

Block* Block::current() { return running; }

void Block::run(const KernelBody& body, dim3 size) {
    body_ = body;
    size_ = size;
    threads_ = size.x * size.y * size.z;
    started_ = 0;
    next_index_ = uint3{0, 0, 0};
    recording_ = false;
    running = this;
    fiber_ = pool_.acquire();
    warpboard_switch_context(&scheduler_context_, fiber_->context);
    running = nullptr;
}

void Block::fiber_entry() { running->run_threads(); }

unsigned Block::thread_rank() const {
    return (threadIdx.z * size_.y + threadIdx.y) * size_.x + threadIdx.x;
}

void Block::run_threads() {
    for (;;) {
        if (recording_) run_those_that_waited();
        if (started_ == threads_) {
            pool_.release(fiber_);
            leave_for(scheduler_context_);
        }
        begin_thread();
        body_.function(body_.context);
        if (recording_) end_thread();
    }
}

// Threads that can go on come before new ones: it keeps the number of stacks small. Comes back when
// there is none.
void Block::run_those_that_waited() {
    bool all_wait = ready_.empty() && started_ == threads_ && alive_ != 0;
    if (all_wait && !resolve_active_masks()) report_deadlock();
    if (ready_.empty()) return;
    pool_.release(fiber_);
    fiber_ = ready_.pop();
    threadIdx = fiber_->thread_index;
    leave_for(fiber_->context);
}

void Block::leave_for(void* context) {
    void* abandoned;
    warpboard_switch_context(&abandoned, context);
    __builtin_unreachable();
}

void Block::begin_thread() {
    ++started_;
    // Member by member: read as a whole just after x was written, it would stall the processor.
    volatile uint3& next = next_index_;
    threadIdx.x = next.x;
    threadIdx.y = next.y;
    threadIdx.z = next.z;
    if (++next_index_.x == size_.x) {
        next_index_.x = 0;
        if (++next_index_.y == size_.y) {
            next_index_.y = 0;
            ++next_index_.z;
        }
    }
}

// The first thread of a block is about to wait: all before it have left.
void Block::begin_recording() {
    recording_ = true;
    unsigned left = started_ - 1;
    alive_ = threads_ - left;
    barrier_count_ = 0;
    votes_ = Votes{};
    for (unsigned first = 0; first < threads_; first += Warp::lanes) {
        unsigned gone = left > first ? std::min(left - first, Warp::lanes) : 0;
        warps_[first / Warp::lanes].reset(gone, std::min(threads_ - first, Warp::lanes));
    }
}

// A thread that has left counts as arrived wherever the others wait.
void Block::end_thread() {
    --alive_;
    unsigned rank = thread_rank();
    Warp& warp = warps_[rank / Warp::lanes];
    warp.leave(rank % Warp::lanes);
    if (warp.posted != 0) wake(warp, warp.complete());
    if (barrier_count_ != 0 && barrier_count_ == alive_) release_barrier();
}

void Block::resume(Fiber* fiber) {
    Fiber* suspended = fiber_;
    suspended->thread_index = threadIdx;
    fiber_ = fiber;
    threadIdx = fiber->thread_index;
    warpboard_switch_context(&suspended->context, fiber->context);
}

// The running thread cannot go on; comes back when something has made it ready.
void Block::suspend(int line, const char* operation) {
    unsigned rank = thread_rank();
    warps_[rank / Warp::lanes].fibers[rank % Warp::lanes] = fiber_;
    fiber_->line = line;
    fiber_->operation = operation;
    run_another();
}

void Block::run_another() {
    if (ready_.empty()) {
        if (started_ != threads_) {
            resume(pool_.acquire());
            return;
        }
        if (!resolve_active_masks()) report_deadlock();
    }
    Fiber* next = ready_.pop();
    if (next != fiber_) resume(next);
}

void Block::yield() {
    if (!recording_) begin_recording();
    bool others_ready = !ready_.empty();
    if (!others_ready && started_ == threads_) others_ready = resolve_active_masks();
    if (!others_ready && started_ == threads_) return;
    ready_.push(fiber_);
    resume(others_ready ? ready_.pop() : pool_.acquire());
}

void Block::barrier(int line, const char* operation) {
    if (!recording_) begin_recording();
    if (barrier_count_ == 0) {
        barrier_line_ = line;
        other_barrier_line_ = 0;
    } else if (line != barrier_line_) {
        other_barrier_line_ = line;
    }
    if (barrier_count_ + 1 == alive_) {
        release_barrier();
        return;  // the last to arrive goes on at once: one switch less
    }
    ++barrier_count_;
    at_barrier_.push(fiber_);
    suspend(line, operation);
}

void Block::release_barrier() {
    if (other_barrier_line_ != 0 && barrier_line_ != 0) {
        warn_once("threads of one block met at different barriers, in line %d and line %d of "
                  "kernel `%s`: undefined behaviour that a GPU need not forgive",
                  barrier_line_, other_barrier_line_, current_kernel());
    }
    last_votes_ = votes_;
    votes_ = Votes{};
    barrier_count_ = 0;
    ready_.take_all(at_barrier_);
}

int Block::barrier_reduce(int line, int predicate, BarrierReduction kind, const char* operation) {
    if (!recording_) begin_recording();
    votes_.count += predicate != 0;
    votes_.all &= predicate != 0;
    votes_.any |= predicate != 0;
    barrier(line, operation);
    switch (kind) {
        case BarrierReduction::count: return last_votes_.count;
        case BarrierReduction::all: return last_votes_.all;
        case BarrierReduction::any: return last_votes_.any;
    }
    __builtin_unreachable();
}

std::uint64_t Block::warp_operation(const LaneRequest& request) {
    if (!recording_) begin_recording();
    unsigned rank = thread_rank();
    unsigned lane = rank % Warp::lanes;
    Warp& warp = warps_[rank / Warp::lanes];
    if ((request.mask >> lane & 1) == 0) {
        char text[160];
        std::snprintf(text, sizeof text,
                      "called %s in line %d with mask 0x%08x, which does not name its own lane %u",
                      request.name, request.line, request.mask, lane);
        fail_here(text);
    }
    warp.post(lane, request);
    if (unsigned done = warp.complete_for(lane); done != 0) {
        wake(warp, done & ~(1u << lane));
    } else {
        suspend(request.line, request.name);
    }
    return warp.results[lane];
}

void Block::wake(Warp& warp, unsigned lanes) {
    for (; lanes != 0; lanes &= lanes - 1) {
        ready_.push(warp.fibers[__builtin_ctz(lanes)]);
    }
}

// When no thread can go on, those that asked which lanes are active have their answer: the lanes
// that ask in the same line. True if that made a thread ready.
bool Block::resolve_active_masks() {
    for (unsigned first = 0; first < threads_; first += Warp::lanes) {
        Warp& warp = warps_[first / Warp::lanes];
        if (warp.posted != 0) wake(warp, warp.complete_active_masks());
    }
    return !ready_.empty();
}

void Block::report_deadlock() {
    struct Place {
        const char* operation;
        int line;
        unsigned threads;
    };
    constexpr unsigned most_places = 8;
    Place places[most_places];
    unsigned count = 0;
    for (unsigned thread = 0; thread < threads_; ++thread) {
        const Warp& warp = warps_[thread / Warp::lanes];
        unsigned lane = thread % Warp::lanes;
        if ((warp.alive >> lane & 1) == 0) continue;
        const Fiber& fiber = *warp.fibers[lane];
        unsigned i = 0;
        while (i < count && !(places[i].line == fiber.line &&
                              std::strcmp(places[i].operation, fiber.operation) == 0)) {
            ++i;
        }
        if (i == most_places) continue;
        if (i == count) places[count++] = Place{fiber.operation, fiber.line, 0};
        ++places[i].threads;
    }
    char text[1024];
    int used = 0;
    auto append = [&](const char* format, auto... values) {
        if (used >= static_cast<int>(sizeof text)) return;
        used += std::snprintf(text + used, sizeof text - used, format, values...);
    };
    for (unsigned i = 0; i < count; ++i) {
        append("%s%u thread%s wait%s at %s", i == 0 ? "" : ", ", places[i].threads,
               places[i].threads == 1 ? "" : "s", places[i].threads == 1 ? "s" : "",
               places[i].operation);
        if (places[i].line != 0) append(" in line %d", places[i].line);
    }
    if (alive_ != threads_) append(", %u have left the kernel", threads_ - alive_);
    char block[256];
    describe_block(block, sizeof block);
    fail("deadlock in %s: %s; none of them can go on", block, text);
}

// The runtime's interface to submissions.

void block_barrier(int line, const char* operation) {
    running_block(operation).barrier(line, operation);
}

int block_barrier_reduce(int line, int predicate, BarrierReduction kind, const char* operation) {
    return running_block(operation).barrier_reduce(line, predicate, kind, operation);
}

std::uint64_t warp_operation(const LaneRequest& request) {
    return running_block(request.name).warp_operation(request);
}

unsigned thread_rank() { return running_block("a device function").thread_rank(); }

void yield_thread() {
    if (running != nullptr) running->yield();
}

}  // namespace warpboard::emulation
