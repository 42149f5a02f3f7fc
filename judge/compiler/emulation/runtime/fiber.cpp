#include "fiber.h"

#include <sys/mman.h>
#include <unistd.h>

#include <cstdint>

#include "context_switch.h"
#include "diagnosis.h"

namespace warpboard::emulation {
namespace {

// Stacks that all begin at the same offset of a page would fight for the same few cache sets:
// each starts a few cache lines further down than its neighbour.
constexpr std::size_t colour_step = 192;
constexpr unsigned colours = 61;

}  // namespace

FiberPool::FiberPool(void (*entry)()) : entry_(entry), fibers_(new Fiber[most_fibers]) {
    void* area = mmap(nullptr, stack_bytes * most_fibers, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);
    if (area == MAP_FAILED) {
        fail("the emulated device could not reserve %zu MiB of address space for thread stacks",
             stack_bytes * most_fibers >> 20);
    }
    stacks_ = static_cast<char*>(area);
}

FiberPool::~FiberPool() {
    munmap(stacks_, stack_bytes * most_fibers);
    delete[] fibers_;
}

Fiber* FiberPool::acquire() {
    Fiber* fiber = free_;
    if (fiber != nullptr) {
        free_ = fiber->next;
    } else {
        if (made_ == most_fibers) fail("the emulated device ran out of thread stacks");
        char* stack = stacks_ + made_ * stack_bytes;
        mprotect(stack, static_cast<std::size_t>(sysconf(_SC_PAGESIZE)), PROT_NONE);
        fiber = &fibers_[made_];
        fiber->stack_top = stack + stack_bytes - (made_ % colours) * colour_step;
        ++made_;
    }
    fiber->context = new_context(fiber->stack_top, entry_);
    return fiber;
}

bool FiberPool::owns(const void* address) const {
    auto at = reinterpret_cast<uintptr_t>(address);
    auto begin = reinterpret_cast<uintptr_t>(stacks_);
    return at >= begin && at < begin + stack_bytes * most_fibers;
}

}  // namespace warpboard::emulation
