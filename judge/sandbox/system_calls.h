// Which system calls untrusted programs are refused, and the filter that refuses them.
//
// The namespaces and the limits around a program are what confines it. The calls below would reach
// nothing of others' either; each is taken away because it is much code in the kernel that no
// compiler and no kernel of CUDA needs. This file knows neither launcher nor runner.
//
// Theory of operation. The table is turned into a program for the kernel (classic BPF, see
// seccomp(2)): for each rule a comparison of the call's number, and of one argument where only some
// uses are refused. A refused call returns EPERM and nothing is killed, since libraries try calls
// and go on without. clone3 passes its flags in memory, where no filter looks, so it does not exist
// (ENOSYS), upon which C libraries use clone. Calls of other kinds (32-bit, x32) have numbers of
// their own and are all refused. What is filtered stays so, through fork and exec.
//
// A submission may be linked into the very program that confines itself by this, so system calls
// are made by their instruction and not by a function of a name that could be defined anew.
#pragma once

#include <asm/unistd.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/prctl.h>
#include <linux/sched.h>
#include <linux/seccomp.h>
#include <sys/ioctl.h>
#include <sys/socket.h>

#include <cerrno>
#include <cstddef>
#include <cstdint>

namespace system_calls {

// Each refuses what the one before does, and more.
enum class Level : std::uint8_t {
    everything,  // compilers and runners alike, from their exec on
    process,     // a program that is its only process, from its own first instruction on
    submission,  // the same once it is set up: no more sockets, nothing to ask of the scheduler
};

#if defined(__x86_64__)
constexpr std::uint32_t architecture = AUDIT_ARCH_X86_64;
#elif defined(__aarch64__)
constexpr std::uint32_t architecture = AUDIT_ARCH_AARCH64;
#else
#error "the system-call filter is for x86-64 and aarch64"
#endif

// The result, or a negated errno. Async-signal-safe; sets no errno.
inline long call(long number, long a = 0, long b = 0, long c = 0, long d = 0, long e = 0) {
#if defined(__x86_64__)
    long result;
    register long fourth asm("r10") = d;
    register long fifth asm("r8") = e;
    asm volatile("syscall"
                 : "=a"(result)
                 : "a"(number), "D"(a), "S"(b), "d"(c), "r"(fourth), "r"(fifth)
                 : "rcx", "r11", "memory");
    return result;
#else
    register long first asm("x0") = a;
    register long second asm("x1") = b;
    register long third asm("x2") = c;
    register long fourth asm("x3") = d;
    register long fifth asm("x4") = e;
    register long which asm("x8") = number;
    asm volatile("svc 0"
                 : "+r"(first)
                 : "r"(which), "r"(second), "r"(third), "r"(fourth), "r"(fifth)
                 : "memory");
    return first;
#endif
}

namespace detail {

enum class When : std::uint8_t { always, is, is_not, has_any, has_none, is_not_null };

// Refused when the numbered argument is, is not, ... the value. Only its low half is looked at, as
// the kernel does with these, but for pointers.
struct Rule {
    Level level;
    std::uint32_t number;
    std::uint32_t error = EPERM;
    When when = When::always;
    std::uint8_t argument = 0;
    std::uint32_t value = 0;
};

constexpr std::uint32_t new_namespaces = CLONE_NEWNS | CLONE_NEWCGROUP | CLONE_NEWUTS |
                                         CLONE_NEWIPC | CLONE_NEWUSER | CLONE_NEWPID | CLONE_NEWNET;

constexpr auto everything = Level::everything;
constexpr auto process = Level::process;
constexpr auto submission = Level::submission;

// Numbers from 424 on are the same everywhere; older headers lack some of their names.
constexpr Rule rules[] = {
    // Other processes.
    {everything, __NR_ptrace},
    {everything, __NR_process_vm_readv},
    {everything, __NR_process_vm_writev},
    {everything, __NR_kcmp},
    {everything, 438},  // pidfd_getfd
    // Programs for, and views into, the kernel.
    {everything, __NR_bpf},
    {everything, __NR_perf_event_open},
    {everything, 425},  // io_uring_setup
    {everything, 426},  // io_uring_enter
    {everything, 427},  // io_uring_register
    {everything, __NR_userfaultfd},
    {everything, __NR_fanotify_init},
    {everything, __NR_lookup_dcookie},
    {everything, __NR_syslog},
    // Keys, which no namespace separates.
    {everything, __NR_keyctl},
    {everything, __NR_add_key},
    {everything, __NR_request_key},
    // Mounts, roots and namespaces.
    {everything, __NR_mount},
    {everything, __NR_umount2},
    {everything, 428},  // open_tree
    {everything, 429},  // move_mount
    {everything, 430},  // fsopen
    {everything, 431},  // fsconfig
    {everything, 432},  // fsmount
    {everything, 433},  // fspick
    {everything, 442},  // mount_setattr
    {everything, 467},  // open_tree_attr
    {everything, __NR_pivot_root},
    {everything, __NR_chroot},
    {everything, __NR_unshare},
    {everything, __NR_setns},
    {everything, __NR_clone, EPERM, When::has_any, 0, new_namespaces},
    {everything, 435, ENOSYS},  // clone3
    {everything, __NR_open_by_handle_at},
    {everything, __NR_name_to_handle_at},
    // The machine.
    {everything, __NR_kexec_load},
#ifdef __NR_kexec_file_load
    {everything, __NR_kexec_file_load},
#endif
    {everything, __NR_reboot},
    {everything, __NR_swapon},
    {everything, __NR_swapoff},
    {everything, __NR_init_module},
    {everything, __NR_finit_module},
    {everything, __NR_delete_module},
#ifdef __x86_64__
    {everything, __NR_iopl},
    {everything, __NR_ioperm},
#endif
    {everything, __NR_quotactl},
    {everything, 443},  // quotactl_fd
    {everything, __NR_acct},
    {everything, __NR_settimeofday},
    {everything, __NR_clock_settime},
    {everything, __NR_adjtimex},
    {everything, __NR_clock_adjtime},
    {everything, __NR_personality},
    {everything, __NR_vhangup},
    {everything, __NR_nfsservctl},
    // What talks to the kernel's protocols, or types into somebody's terminal.
    {everything, __NR_socket, EPERM, When::is_not, 0, AF_UNIX},
    {everything, __NR_socketpair, EPERM, When::is_not, 0, AF_UNIX},
    {everything, __NR_ioctl, EPERM, When::is, 1, TIOCSTI},
    {everything, __NR_ioctl, EPERM, When::is, 1, TIOCLINUX},

    // Other programs and processes; a thread is none.
    {process, __NR_execve},
    {process, __NR_execveat},
#ifdef __x86_64__
    {process, __NR_fork},
    {process, __NR_vfork},
#endif
    {process, __NR_clone, EPERM, When::has_none, 0, CLONE_THREAD},
    // Meeting points.
    {process, __NR_bind},
    {process, __NR_listen},
    {process, __NR_accept},
    {process, __NR_accept4},

    {submission, __NR_socket},
    {submission, __NR_connect},
    // A greater share of the processor, or another processor.
    {submission, __NR_sched_setscheduler},
    {submission, __NR_sched_setparam},
    {submission, __NR_sched_setattr},
    {submission, __NR_sched_setaffinity},
    {submission, __NR_setpriority},
    // Its own limits and being looked into.
    {submission, __NR_prlimit64, EPERM, When::is_not_null, 2},
    {submission, __NR_setrlimit},
    {submission, __NR_prctl, EPERM, When::is, 0, PR_SET_DUMPABLE},
    {submission, __NR_prctl, EPERM, When::is, 0, PR_SET_MM},
    {submission, __NR_prctl, EPERM, When::is, 0, PR_SET_PTRACER},
};

constexpr std::size_t most_instructions = 8 + 6 * (sizeof rules / sizeof rules[0]);

struct Program {
    sock_filter instructions[most_instructions]{};
    std::uint16_t count = 0;

    constexpr void statement(std::uint16_t code, std::uint32_t value) {
        instructions[count++] = {code, 0, 0, value};
    }
    constexpr void jump(std::uint16_t test, std::uint32_t value, std::uint8_t if_so,
                        std::uint8_t if_not) {
        const auto code = static_cast<std::uint16_t>(BPF_JMP | test | BPF_K);
        instructions[count++] = {code, if_so, if_not, value};
    }
    constexpr void load(std::size_t offset) {
        statement(BPF_LD | BPF_W | BPF_ABS, static_cast<std::uint32_t>(offset));
    }
    constexpr void refuse(std::uint32_t error) {
        statement(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | error);
    }
    constexpr void add(const Rule& rule) {
        // Both architectures are little-endian: an argument's low half comes first.
        const std::size_t low = offsetof(seccomp_data, args) + 8 * std::size_t{rule.argument};
        switch (rule.when) {
            case When::always:
                jump(BPF_JEQ, rule.number, 0, 1);
                refuse(rule.error);
                return;
            case When::is_not_null:
                jump(BPF_JEQ, rule.number, 0, 6);
                load(low);
                jump(BPF_JEQ, 0, 0, 2);
                load(low + 4);
                jump(BPF_JEQ, 0, 1, 0);
                break;
            default: {
                const bool compares = rule.when == When::is || rule.when == When::is_not;
                const bool when_so = rule.when == When::is || rule.when == When::has_any;
                jump(BPF_JEQ, rule.number, 0, 4);
                load(low);
                jump(compares ? BPF_JEQ : BPF_JSET, rule.value, when_so ? 0 : 1, when_so ? 1 : 0);
            }
        }
        refuse(rule.error);
        load(offsetof(seccomp_data, nr));
    }
};

constexpr Program assemble(Level level) {
    Program program;
    program.load(offsetof(seccomp_data, arch));
    program.jump(BPF_JEQ, architecture, 1, 0);
    program.refuse(EPERM);
    program.load(offsetof(seccomp_data, nr));
#ifdef __x86_64__
    constexpr std::uint32_t x32 = 0x40000000;
    program.jump(BPF_JGE, x32, 0, 1);
    program.refuse(EPERM);
#endif
    for (const Rule& rule : rules) {
        if (rule.level <= level) program.add(rule);
    }
    program.statement(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
    return program;
}

template <Level level>
inline constexpr Program assembled = assemble(level);

}  // namespace detail

// Refuses the calls of `level` to all threads of this process and what comes of them, for good.
// Needs no_new_privs, of the calling thread. Returns 0 or an errno; then nothing is filtered.
template <Level level>
inline int refuse() {
    const detail::Program& program = detail::assembled<level>;
    const sock_fprog filter{program.count, const_cast<sock_filter*>(program.instructions)};
    // Without SPEC_ALLOW kernels before 5.16 turn off speculative stores for what is filtered, and
    // so would change the times that are measured.
    const long result =
        call(__NR_seccomp, SECCOMP_SET_MODE_FILTER,
             SECCOMP_FILTER_FLAG_TSYNC | SECCOMP_FILTER_FLAG_SPEC_ALLOW,
             reinterpret_cast<long>(&filter));
    // A positive result is a thread that has other filters than ours.
    return result > 0 ? EBUSY : static_cast<int>(-result);
}

}  // namespace system_calls
