// The context switch for x86-64 (System V) and AArch64 (AAPCS64).
#include "context_switch.h"

#include <cstdint>
#include <cstring>

#if defined(__x86_64__)

// rbp, rbx and r12 to r15 are the callee-saved registers; the return address is above them. The
// final `ret` is predicted well, since suspended fibers all wait at the same place.
asm(R"(
    .text
    .globl warpboard_switch_context
    .type warpboard_switch_context, @function
warpboard_switch_context:
    pushq %rbp
    pushq %rbx
    pushq %r12
    pushq %r13
    pushq %r14
    pushq %r15
    movq %rsp, (%rdi)
    movq %rsi, %rsp
    popq %r15
    popq %r14
    popq %r13
    popq %r12
    popq %rbx
    popq %rbp
    ret
    .size warpboard_switch_context, . - warpboard_switch_context
)");

namespace warpboard::emulation {

void* new_context(char* stack_top, void (*entry)()) {
    constexpr int saved_registers = 6;
    auto** slot = reinterpret_cast<void**>(reinterpret_cast<uintptr_t>(stack_top) & ~uintptr_t{15});
    *--slot = nullptr;  // where entry's return address would be: keeps the ABI's alignment
    *--slot = reinterpret_cast<void*>(entry);
    slot -= saved_registers;
    std::memset(slot, 0, saved_registers * sizeof *slot);
    return slot;
}

}  // namespace warpboard::emulation

#elif defined(__aarch64__)

// x19 to x28, the frame pointer x29, the link register x30, and the low halves of v8 to v15.
asm(R"(
    .text
    .globl warpboard_switch_context
    .type warpboard_switch_context, %function
warpboard_switch_context:
    sub sp, sp, #160
    stp x19, x20, [sp, #0]
    stp x21, x22, [sp, #16]
    stp x23, x24, [sp, #32]
    stp x25, x26, [sp, #48]
    stp x27, x28, [sp, #64]
    stp x29, x30, [sp, #80]
    stp d8, d9, [sp, #96]
    stp d10, d11, [sp, #112]
    stp d12, d13, [sp, #128]
    stp d14, d15, [sp, #144]
    mov x9, sp
    str x9, [x0]
    mov sp, x1
    ldp x19, x20, [sp, #0]
    ldp x21, x22, [sp, #16]
    ldp x23, x24, [sp, #32]
    ldp x25, x26, [sp, #48]
    ldp x27, x28, [sp, #64]
    ldp x29, x30, [sp, #80]
    ldp d8, d9, [sp, #96]
    ldp d10, d11, [sp, #112]
    ldp d12, d13, [sp, #128]
    ldp d14, d15, [sp, #144]
    add sp, sp, #160
    ret
    .size warpboard_switch_context, . - warpboard_switch_context
)");

namespace warpboard::emulation {

void* new_context(char* stack_top, void (*entry)()) {
    constexpr int slots = 20;
    constexpr int link_register = 11;
    auto** slot = reinterpret_cast<void**>(reinterpret_cast<uintptr_t>(stack_top) & ~uintptr_t{15});
    slot -= slots;
    std::memset(slot, 0, slots * sizeof *slot);
    slot[link_register] = reinterpret_cast<void*>(entry);
    return slot;
}

}  // namespace warpboard::emulation

#else
#error "The emulated device needs a context switch for this processor: see context_switch.cpp"
#endif
