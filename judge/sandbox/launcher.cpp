// Process 1 of a sandbox: starts the untrusted program under its limits and says truthfully how it
// ended. It knows nothing of bubblewrap, of compilers or of kernels.
//
// Theory of operation. The back end has already made the namespaces and the mounts; this program
// is the first in the PID namespace. It
//   0. if told to wait (waiting.h), gets the rest of its arguments from the judge's socket, which
//      is the control socket from then on;
//   1. if told so, gives up root: a user namespace that holds nothing but the unprivileged user
//      (so that RLIMIT_NPROC counts this sandbox alone), no groups, no capabilities;
//   2. announces itself on the control socket; the kernel attaches its process id as the judge
//      sees it;
//   3. forks; the child sets its resource limits and its system-call filter (system_calls.h) and
//      executes the program, so there is no moment at which untrusted code runs without them;
//   4. reaps everything until the program ends, or the judge writes to the control socket, or the
//      judge is gone (the socket closes); then kills what is left, and reports.
// The program cannot forge the report: the socket closes at its exec, and process 1 is not
// dumpable, so neither ptrace nor /proc/1/fd leads to it.
//
// Control protocol (SOCK_SEQPACKET), all in the machine's own byte order:
//   launcher -> judge   1 byte 'S': set-up is done, the program is about to run
//   judge -> launcher   anything: kill the program
//   launcher -> judge   Report: how it ended, with everything dead
// Exit status 0 once it has reported; 125 with a line on stderr when set-up failed. A program that
// cannot be executed counts as one that printed why and exited with 127.

#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <linux/capability.h>
#include <poll.h>
#include <sched.h>
#include <grp.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <csignal>
#include <fcntl.h>
#include <unistd.h>

#include "system_calls.h"
#include "waiting.h"

namespace {

constexpr int setup_failed = 125;
constexpr int cannot_execute = 127;
constexpr int max_limits = 16;
constexpr int max_variables = 64;

struct Report {
    std::int32_t wait_status;       // of the program, as waitpid gives it
    std::int32_t reserved;
    std::int64_t cpu_microseconds;  // user and system, all descendants
    std::int64_t peak_bytes;        // largest resident set of any one process
};

struct Limit {
    const char* name;
    int resource;
};

constexpr Limit known_limits[] = {
    {"core", RLIMIT_CORE},   {"cpu", RLIMIT_CPU},       {"as", RLIMIT_AS},
    {"nproc", RLIMIT_NPROC}, {"fsize", RLIMIT_FSIZE},   {"nofile", RLIMIT_NOFILE},
    {"stack", RLIMIT_STACK}, {"memlock", RLIMIT_MEMLOCK}, {"data", RLIMIT_DATA},
};

struct Chosen {
    int resource;
    rlimit value;
};

struct Options {
    waiting::Plan wait;
    int control = -1;
    long drop_to = -1;
    bool user_namespace = false;
    Chosen limits[max_limits];
    int limit_count = 0;
    const char* directory = nullptr;  // null: where it is
    int niceness = 0;
    char** program = nullptr;
    char** environment = environ;
};

[[noreturn]] void fail(const char* what) {
    std::fprintf(stderr, "launcher: %s: %s\n", what, std::strerror(errno));
    std::_Exit(setup_failed);
}

[[noreturn]] void misuse(const char* what) {
    errno = EINVAL;
    fail(what);
}

// NAME=SOFT or NAME=SOFT:HARD
Chosen parse_limit(const char* text) {
    for (const Limit& limit : known_limits) {
        const std::size_t length = std::strlen(limit.name);
        if (std::strncmp(text, limit.name, length) != 0 || text[length] != '=') continue;
        char* rest = nullptr;
        const rlim_t soft = std::strtoull(text + length + 1, &rest, 10);
        const rlim_t hard = *rest == ':' ? std::strtoull(rest + 1, &rest, 10) : soft;
        if (*rest != '\0') misuse(text);
        return {limit.resource, {soft, hard}};
    }
    misuse(text);
}

Options parse(int argc, char** argv) {
    static char* variables[max_variables + 1];
    int variable_count = 0;
    Options options;
    int i = 1;
    const auto value = [&]() -> char* {
        if (i + 1 >= argc) misuse(argv[i]);
        return argv[++i];
    };
    for (; i < argc; ++i) {
        if (std::strcmp(argv[i], "--control") == 0) {
            options.control = std::atoi(value());
        } else if (std::strcmp(argv[i], "--drop-to") == 0) {
            options.drop_to = std::atol(value());
        } else if (std::strcmp(argv[i], "--user-namespace") == 0) {
            options.user_namespace = true;
        } else if (std::strcmp(argv[i], "--limit") == 0) {
            if (options.limit_count == max_limits) misuse("too many limits");
            options.limits[options.limit_count++] = parse_limit(value());
        } else if (std::strcmp(argv[i], "--environment") == 0) {
            // With the first of them the environment is what is named here and nothing else.
            if (variable_count == max_variables) misuse("too many variables");
            variables[variable_count++] = value();
            options.environment = variables;
        } else if (std::strcmp(argv[i], "--directory") == 0) {
            options.directory = value();
        } else if (std::strcmp(argv[i], "--nice") == 0) {
            options.niceness = std::atoi(value());
        } else if (std::strcmp(argv[i], "--wait") == 0) {
            options.wait.socket = value();
        } else if (std::strcmp(argv[i], "--hand-over") == 0) {
            if (options.wait.folder_count == waiting::max_folders) misuse("too many folders");
            options.wait.folders[options.wait.folder_count++] = value();
        } else if (std::strcmp(argv[i], "--") == 0) {
            ++i;
            break;
        } else {
            misuse(argv[i]);
        }
    }
    options.program = argv + i;
    return options;
}

void write_file(const char* path, const char* text) {
    const int file = open(path, O_WRONLY | O_CLOEXEC);
    if (file < 0) fail(path);
    const auto length = static_cast<ssize_t>(std::strlen(text));
    if (write(file, text, static_cast<std::size_t>(length)) != length) fail(path);
    close(file);
}

// Enters a user namespace in which only `id` exists. A child that stays behind writes the maps:
// it still has the privileges for that, so it works where unprivileged namespaces are forbidden.
void enter_user_namespace(long id) {
    int ready[2];
    if (pipe2(ready, O_CLOEXEC) != 0) fail("pipe");
    const pid_t mapper = fork();
    if (mapper < 0) fail("fork");
    if (mapper == 0) {
        char byte = 0;
        close(ready[1]);
        if (read(ready[0], &byte, 1) != 1) std::_Exit(setup_failed);
        char map[64];
        std::snprintf(map, sizeof map, "%ld %ld 1\n", id, id);
        write_file("/proc/1/setgroups", "deny");
        write_file("/proc/1/gid_map", map);
        write_file("/proc/1/uid_map", map);
        std::_Exit(0);
    }
    if (unshare(CLONE_NEWUSER) != 0) fail("user namespace");
    if (write(ready[1], "g", 1) != 1) fail("pipe");
    close(ready[0]);
    close(ready[1]);
    int status = 0;
    if (waitpid(mapper, &status, 0) != mapper) fail("waitpid");
    if (status != 0) std::_Exit(setup_failed);
    // None further inside: each would open the kernel's mount and network code to the program.
    write_file("/proc/sys/user/max_user_namespaces", "0");
}

void drop_capabilities() {
    for (int capability = 0; prctl(PR_CAPBSET_READ, capability, 0, 0, 0) >= 0; ++capability) {
        // Without CAP_SETPCAP there is nothing to drop it with, nor anything to drop.
        if (prctl(PR_CAPBSET_DROP, capability, 0, 0, 0) != 0 && errno != EPERM) fail("bounding set");
    }
    __user_cap_header_struct header{_LINUX_CAPABILITY_VERSION_3, 0};
    __user_cap_data_struct none[2]{};
    if (syscall(SYS_capset, &header, none) != 0) fail("capset");
}

void become(const Options& options) {
    if (options.drop_to >= 0) {
        if (setgroups(0, nullptr) != 0) fail("setgroups");
        if (options.user_namespace) enter_user_namespace(options.drop_to);
        const auto id = static_cast<uid_t>(options.drop_to);
        if (setresgid(id, id, id) != 0) fail("setresgid");
        if (setresuid(id, id, id) != 0) fail("setresuid");
    }
    drop_capabilities();
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) fail("no_new_privs");
    if (prctl(PR_SET_DUMPABLE, 0, 0, 0, 0) != 0) fail("dumpable");
    if (options.wait.socket != nullptr) return;  // its parent is no part of the judge
    // The change of user has cleared what bubblewrap set. If the parent is gone already, the
    // control socket is closed too, and the loop below sees that.
    if (prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0) != 0) fail("parent death signal");
}

void require_command(const Options& options) {
    if (options.control < 0) misuse("--control");
    if (*options.program == nullptr) misuse("no program given");
    if (getpid() != 1) misuse("not process 1 of a PID namespace");
}

// Replaces the options by those of the command that the judge sends.
void await_command(Options& options) {
    const waiting::Plan plan = options.wait;
    const char* what = nullptr;
    const int control = waiting::announce(plan, &what);
    if (control < 0) fail(what);
    waiting::Arguments arguments;
    if (!waiting::receive(control, &arguments)) {
        if (errno == 0) std::_Exit(0);
        fail("command");
    }
    options = parse(arguments.count, arguments.values);
    options.control = control;
    options.wait = plan;
    static char* nothing[] = {nullptr};
    if (options.environment == environ) options.environment = nothing;
    require_command(options);
}

[[noreturn]] void execute(const Options& options, const sigset_t& signals) {
    if (options.niceness > 0 && setpriority(PRIO_PROCESS, 0, options.niceness) != 0) fail("nice");
    for (int i = 0; i < options.limit_count; ++i) {
        const auto resource = static_cast<__rlimit_resource>(options.limits[i].resource);
        rlimit value = options.limits[i].value;
        rlimit inherited{};
        if (getrlimit(resource, &inherited) != 0) fail("getrlimit");
        // An unprivileged judge may only lower what it was itself given.
        if (value.rlim_max > inherited.rlim_max) value.rlim_max = inherited.rlim_max;
        if (value.rlim_cur > value.rlim_max) value.rlim_cur = value.rlim_max;
        if (setrlimit(resource, &value) != 0) fail("setrlimit");
    }
    errno = system_calls::refuse<system_calls::Level::everything>();
    if (errno != 0) fail("system-call filter");
    // From here on a failure is the program's, not ours: nothing below can fail but exec.
    sigprocmask(SIG_SETMASK, &signals, nullptr);
    syscall(SYS_close_range, 3U, ~0U, 0U);
    execve(options.program[0], options.program, options.environment);
    std::fprintf(stderr, "cannot execute %s: %s\n", options.program[0], std::strerror(errno));
    std::_Exit(cannot_execute);
}

// Reaps all that has ended; true once `program` is among it, with its status stored.
bool reap(pid_t program, int* status) {
    for (;;) {
        int ended_with = 0;
        const pid_t ended = waitpid(-1, &ended_with, WNOHANG);
        if (ended <= 0) return false;
        if (ended == program) {
            *status = ended_with;
            return true;
        }
    }
}

int supervise(int control, int children, pid_t program) {
    pollfd watched[2] = {{control, POLLIN, 0}, {children, POLLIN, 0}};
    int status = 0;
    while (!reap(program, &status)) {
        if (poll(watched, 2, -1) < 0 && errno != EINTR) fail("poll");
        if (watched[1].revents & POLLIN) {
            signalfd_siginfo drained;
            if (read(children, &drained, sizeof drained) < 0 && errno != EAGAIN) fail("signalfd");
        }
        if (watched[0].revents != 0) {
            // An order to kill, or nobody left to give one.
            kill(-1, SIGKILL);
            while (waitpid(program, &status, 0) < 0 && errno == EINTR) {}
            break;
        }
    }
    kill(-1, SIGKILL);
    while (waitpid(-1, nullptr, 0) > 0 || errno == EINTR) {}
    return status;
}

}  // namespace

int main(int argc, char** argv) {
    Options options = parse(argc, argv);
    if (options.wait.socket != nullptr) {
        become(options);
        await_command(options);
    } else {
        require_command(options);
        if (fcntl(options.control, F_SETFD, FD_CLOEXEC) != 0) fail("control socket");
        become(options);
    }
    if (options.directory != nullptr && chdir(options.directory) != 0) fail(options.directory);

    sigset_t watched;
    sigset_t before;
    sigemptyset(&watched);
    sigaddset(&watched, SIGCHLD);
    sigprocmask(SIG_BLOCK, &watched, &before);
    const int children = signalfd(-1, &watched, SFD_CLOEXEC | SFD_NONBLOCK);
    if (children < 0) fail("signalfd");

    if (send(options.control, "S", 1, MSG_NOSIGNAL) != 1) fail("control socket");
    const pid_t program = fork();
    if (program < 0) fail("fork");
    if (program == 0) execute(options, before);

    const int null = open("/dev/null", O_RDWR | O_CLOEXEC);
    if (null >= 0) {
        for (int standard = 0; standard <= 2; ++standard) dup2(null, standard);
    }
    Report report{};
    report.wait_status = supervise(options.control, children, program);
    rusage used{};
    getrusage(RUSAGE_CHILDREN, &used);
    report.cpu_microseconds = (used.ru_utime.tv_sec + used.ru_stime.tv_sec) * 1'000'000LL +
                              used.ru_utime.tv_usec + used.ru_stime.tv_usec;
    report.peak_bytes = used.ru_maxrss * 1024LL;
    // Nobody may be left to read it; then there is nothing to tell.
    (void)send(options.control, &report, sizeof report, MSG_NOSIGNAL);
    return 0;
}
