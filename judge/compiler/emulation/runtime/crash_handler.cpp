#include "crash_handler.h"

#include <signal.h>
#include <ucontext.h>

#include <cstdint>
#include <cstdio>
#include <memory>

#include "block.h"
#include "device_memory.h"
#include "diagnosis.h"
#include "warpboard_emulation.h"

namespace warpboard::emulation {
namespace {

constexpr std::size_t handler_stack_bytes = 64 * 1024;
constexpr std::uintptr_t null_page_bytes = 64 * 1024;

const char* access_verb(const void* machine_state) {
#if defined(__x86_64__)
    constexpr unsigned long long write_bit = 2;  // of the page-fault error code
    auto* state = static_cast<const ucontext_t*>(machine_state);
    return state->uc_mcontext.gregs[REG_ERR] & write_bit ? "wrote" : "read";
#else
    (void)machine_state;
    return "accessed";
#endif
}

void explain_memory_fault(const siginfo_t& signal, const void* machine_state) {
    char place[256];
    describe_place(place, sizeof place);
    const void* address = signal.si_addr;
    if (signal.si_code == SI_KERNEL) {
        // The processor does not tell the address of these.
        fail("%s used a wild or misaligned pointer (a float4 and its kin need addresses that are "
             "multiples of their size)",
             place);
    }
    if (Block* block = Block::current(); block != nullptr && block->owns_stack(address)) {
        fail("%s used up its %zu KiB of stack: recursion too deep, or local arrays too large",
             place, FiberPool::stack_bytes / 1024);
    }
    const char* verb = access_verb(machine_state);
    char where[512];
    if (describe_address(address, where, sizeof where)) fail("%s %s %s", place, verb, where);
    if (reinterpret_cast<std::uintptr_t>(address) < null_page_bytes) {
        fail("%s %s through a null pointer (address 0x%zx)", place, verb,
             reinterpret_cast<std::size_t>(address));
    }
    fail("%s %s address %p, which is in no buffer it was given and none it allocated", place, verb,
         address);
}

void handle(int number, siginfo_t* signal, void* machine_state) {
    char place[256];
    describe_place(place, sizeof place);
    switch (number) {
        case SIGSEGV:
        case SIGBUS: explain_memory_fault(*signal, machine_state); return;
        case SIGFPE: fail("%s divided an integer by zero", place);
        case SIGILL: fail("%s executed a trap or an invalid instruction", place);
        case SIGABRT: fail("%s called abort() (an uncaught exception does too)", place);
        default: fail("%s received signal %d", place, number);
    }
}

}  // namespace

void use_alternate_signal_stack() {
    static thread_local std::unique_ptr<char[]> stack;
    if (stack != nullptr) return;
    stack = std::make_unique<char[]>(handler_stack_bytes);
    stack_t description{};
    description.ss_sp = stack.get();
    description.ss_size = handler_stack_bytes;
    sigaltstack(&description, nullptr);
}

}  // namespace warpboard::emulation

extern "C" void warpboard_emulation_install_crash_handler() {
    warpboard::emulation::use_alternate_signal_stack();
    struct sigaction action {};
    action.sa_sigaction = warpboard::emulation::handle;
    action.sa_flags = SA_SIGINFO | SA_ONSTACK;
    sigemptyset(&action.sa_mask);
    for (int number : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT}) {
        sigaction(number, &action, nullptr);
    }
}
