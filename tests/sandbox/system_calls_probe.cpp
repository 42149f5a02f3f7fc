// Makes system calls with arguments that would fail anyhow, and prints what each returned.
//
// Takes the names of levels (system_calls.h) to confine itself to, in order; the sandbox it runs in
// has done so to the first. Prints "name errno" a line, 0 for what went well.

#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstring>
#include <string>
#include <thread>

#include "system_calls.h"

namespace {

using system_calls::call;

void say(const char* name, long result) {
    std::printf("%s %ld\n", name, result < 0 ? -result : 0);
}

constexpr long nothing = -1;

void try_all() {
#define TRY(name, ...) say(#name, call(__NR_##name __VA_OPT__(, ) __VA_ARGS__))
    TRY(ptrace, nothing);
    TRY(process_vm_readv, 0, 0, 0, 0, 0);
    TRY(process_vm_writev, 0, 0, 0, 0, 0);
    TRY(kcmp, 0, 0, nothing);
    TRY(pidfd_getfd, nothing, 0, 0);
    TRY(bpf, nothing, 0, 0);
    TRY(perf_event_open, 0, 0, nothing, nothing);
    TRY(io_uring_setup, 0, 0);
    TRY(io_uring_enter, nothing, 0, 0, 0, 0);
    TRY(io_uring_register, nothing, 0, 0, 0);
    TRY(userfaultfd, nothing);
    TRY(keyctl, nothing);
    TRY(add_key, 0, 0, 0, 0, 0);
    TRY(request_key, 0, 0, 0, 0);
    TRY(mount, 0, 0, 0, 0, 0);
    TRY(umount2, 0, nothing);
    TRY(move_mount, nothing, 0, nothing, 0, nothing);
    TRY(fsopen, 0, nothing);
    TRY(fsconfig, nothing, nothing, 0, 0, 0);
    TRY(fsmount, nothing, nothing, 0);
    TRY(fspick, nothing, 0, nothing);
    TRY(open_tree, nothing, 0, nothing);
    TRY(mount_setattr, nothing, 0, nothing, 0, 0);
    TRY(pivot_root, 0, 0);
    TRY(chroot, 0);
    TRY(unshare, 0);  // goes well unless it is refused
    TRY(setns, nothing, 0);
    TRY(open_by_handle_at, nothing, 0, 0);
    TRY(name_to_handle_at, nothing, 0, 0, 0, nothing);
    TRY(kexec_load, 0, 0, 0, nothing);
    TRY(reboot, 0, 0, 0, 0);
    TRY(swapon, 0, nothing);
    TRY(swapoff, 0);
    TRY(init_module, 0, 0, 0);
    TRY(finit_module, nothing, 0, nothing);
    TRY(delete_module, 0, 0);
    TRY(quotactl, nothing, 0, 0, 0);
    TRY(acct, nothing);
    TRY(settimeofday, nothing, 0);
    TRY(clock_settime, nothing, 0);
    TRY(adjtimex, 0);
    TRY(clock_adjtime, nothing, 0);
    TRY(syslog, nothing, 0, 0);
    TRY(personality, 0xffffffff);  // asks only, which would go well
    TRY(fanotify_init, nothing, 0);
    TRY(clone3, 0, 0);
    say("clone_newuser", call(__NR_clone, CLONE_NEWUSER | CLONE_THREAD, 0, 0, 0, 0));
    say("socket_inet", call(__NR_socket, AF_INET, SOCK_STREAM, 0));
    say("socket_netlink", call(__NR_socket, AF_NETLINK, SOCK_RAW, 0));
    say("socketpair_inet", call(__NR_socketpair, AF_INET, SOCK_STREAM, 0, 0));
    say("ioctl_tiocsti", call(__NR_ioctl, nothing, TIOCSTI, 0));
    say("ioctl_tioclinux", call(__NR_ioctl, nothing, TIOCLINUX, 0));

    TRY(execve, 0, 0, 0);
    TRY(execveat, nothing, 0, 0, 0, nothing);
    const long child = call(__NR_clone, SIGCHLD, 0, 0, 0, 0);
    if (child == 0) call(__NR_exit_group, 0);
    say("clone_process", child);
    if (child > 0) waitpid(static_cast<pid_t>(child), nullptr, 0);
    TRY(bind, nothing, 0, 0);
    TRY(listen, nothing, 0);
    TRY(accept, nothing, 0, 0);
    TRY(accept4, nothing, 0, 0, 0);

    say("socket_unix", call(__NR_socket, AF_UNIX, SOCK_STREAM, 0));
    TRY(connect, nothing, 0, 0);
    TRY(sched_setscheduler, nothing, 0, 0);
    TRY(sched_setparam, nothing, 0);
    TRY(sched_setattr, nothing, 0, 0);
    TRY(sched_setaffinity, nothing, 0, 0);
    TRY(setpriority, nothing, 0, 0);
    say("prlimit64_new", call(__NR_prlimit64, 0, nothing, 1, 0));
    TRY(setrlimit, nothing, 0);
    say("prctl_dumpable", call(__NR_prctl, PR_SET_DUMPABLE, nothing));
    say("prctl_mm", call(__NR_prctl, PR_SET_MM, 0, 0, 0, nothing));
    say("prctl_ptracer", call(__NR_prctl, PR_SET_PTRACER, nothing - 1));

    // What has to go on.
    int pair[2];
    say("may_socketpair", call(__NR_socketpair, AF_UNIX, SOCK_STREAM, 0, reinterpret_cast<long>(pair)));
    long limit[2];
    say("may_prlimit64_old", call(__NR_prlimit64, 0, 0, 0, reinterpret_cast<long>(limit)));
    say("may_prctl_name", call(__NR_prctl, PR_SET_NAME, reinterpret_cast<long>("probe")));
    bool ran = false;
    std::thread([&ran] { ran = true; }).join();
    say("may_thread", ran ? 0 : nothing);
}

// The result of a call by another convention, whose numbers mean other things.
#ifdef __x86_64__
void try_other_conventions() {
    say("x32_getpid", call(0x40000000 | __NR_getpid));
    long result = 20;  // getpid of 32-bit programs
    asm volatile("int $0x80" : "+a"(result) : : "memory", "r8", "r9", "r10", "r11");
    say("i386_getpid", static_cast<int>(result));
}
#else
void try_other_conventions() {}
#endif

}  // namespace

int main(int argc, char** argv) {
    for (int i = 1; i < argc; ++i) {
        const std::string level = argv[i];
        // A thread that was there before is held to the same.
        const int error = level == "process"
                              ? system_calls::refuse<system_calls::Level::process>()
                              : system_calls::refuse<system_calls::Level::submission>();
        if (error != 0) {
            std::fprintf(stderr, "%s: %s\n", argv[i], std::strerror(error));
            return 1;
        }
    }
    try_all();
    try_other_conventions();
}
