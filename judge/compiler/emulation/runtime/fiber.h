// Fibers: the stacks on which the threads of a block wait for each other.
//
// A FiberPool belongs to one operating-system thread. It knows stacks and contexts, not what a
// block, a barrier or a warp is.
#pragma once

#include <vector_types.h>

#include <cstddef>

namespace warpboard::emulation {

// A stack, and the CUDA thread that runs or waits on it. `next` links it into the one queue it is in, if any.
struct Fiber {
    void* context = nullptr;
    Fiber* next = nullptr;
    uint3 thread_index{};  // of the thread that waits
    int line = 0;  // where it waits, in the user's file
    const char* operation = "";  // what it waits in, as the user wrote it
    char* stack_top = nullptr;
};

// First in, first out, over Fiber::next.
class FiberQueue {
public:
    bool empty() const { return first_ == nullptr; }
    Fiber* first() const { return first_; }

    void push(Fiber* fiber) {
        fiber->next = nullptr;
        if (first_ == nullptr) {
            first_ = fiber;
        } else {
            last_->next = fiber;
        }
        last_ = fiber;
    }

    Fiber* pop() {
        Fiber* fiber = first_;
        first_ = fiber->next;
        return fiber;
    }

    // Moves all of `other` to the end of this queue.
    void take_all(FiberQueue& other) {
        if (other.first_ == nullptr) return;
        if (first_ == nullptr) {
            first_ = other.first_;
        } else {
            last_->next = other.first_;
        }
        last_ = other.last_;
        other.first_ = nullptr;
    }

private:
    Fiber* first_ = nullptr;
    Fiber* last_ = nullptr;
};

class FiberPool {
public:
    static constexpr std::size_t stack_bytes = 64 * 1024;
    static constexpr unsigned most_fibers = 1024;  // threads of the largest block

    explicit FiberPool(void (*entry)());
    FiberPool(const FiberPool&) = delete;
    FiberPool& operator=(const FiberPool&) = delete;
    ~FiberPool();

    // A fiber whose context begins at the pool's entry; stacks are made when first needed.
    Fiber* acquire();
    void release(Fiber* fiber) {
        fiber->next = free_;
        free_ = fiber;
    }

    // Whether an address lies in the stacks or their guard pages.
    bool owns(const void* address) const;

private:
    void (*entry_)();
    char* stacks_;
    Fiber* fibers_;
    Fiber* free_ = nullptr;
    unsigned made_ = 0;
};

}  // namespace warpboard::emulation
