// Switching stacks: the one piece of machine code of the emulated device.
//
// A context is the stack pointer of a suspended flow of control; its callee-saved registers lie on
// its own stack. Floating-point control state is not switched (nothing here changes it). About
// 3 ns a switch, against 300 ns for ucontext, which enters the kernel for the signal mask.
#pragma once

extern "C" {

// Suspends the caller, leaves its context in *suspended, and resumes `resumed`.
void warpboard_switch_context(void** suspended, void* resumed);

}

namespace warpboard::emulation {

// A context that will run `entry` on the stack that ends below `stack_top` (any alignment).
// `entry` must never return.
void* new_context(char* stack_top, void (*entry)());

}  // namespace warpboard::emulation
