// The launcher as process 1 of a container that was started before its program is known: it
// connects to the judge's socket, waits for the command, and then goes on as if started with it.
// It knows nothing of who made the container.
//
// Waiting protocol (SOCK_SEQPACKET, the socket that becomes the control socket):
//   launcher -> judge   1 byte 'W', with one open folder for each --hand-over, in their order:
//                       through them the judge fills and empties what the program may write to
//   judge -> launcher   the launcher's further arguments, each ended by a NUL byte, with two
//                       descriptors: what becomes stdout and stderr
// The judge's end closing instead means that no program will come: the launcher exits with 0.
#pragma once

#include <cerrno>
#include <cstddef>
#include <cstring>
#include <fcntl.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

namespace waiting {

constexpr int max_folders = 16;
constexpr int max_arguments = 1024;
constexpr std::size_t max_bytes = 128 * 1024;

struct Plan {
    const char* socket = nullptr;  // null: the command came with the command line
    const char* folders[max_folders];
    int folder_count = 0;
};

// Arguments as main gets them, [0] being unused. They point into memory that is never freed.
struct Arguments {
    int count = 0;
    char** values = nullptr;
};

// Connects and announces itself; the connection, or -1 with errno set and `what` naming the step.
inline int announce(const Plan& plan, const char** what) {
    *what = plan.socket;
    const int control = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
    if (control < 0) return -1;
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    if (std::strlen(plan.socket) >= sizeof address.sun_path) {
        errno = ENAMETOOLONG;
        return -1;
    }
    std::strcpy(address.sun_path, plan.socket);
    if (connect(control, reinterpret_cast<sockaddr*>(&address), sizeof address) != 0) return -1;

    int folders[max_folders];
    for (int i = 0; i < plan.folder_count; ++i) {
        *what = plan.folders[i];
        folders[i] = open(plan.folders[i], O_RDONLY | O_DIRECTORY | O_CLOEXEC);
        if (folders[i] < 0) return -1;
    }
    char byte = 'W';
    iovec data{&byte, 1};
    alignas(cmsghdr) char space[CMSG_SPACE(sizeof folders)]{};
    msghdr message{};
    message.msg_iov = &data;
    message.msg_iovlen = 1;
    if (plan.folder_count > 0) {
        const std::size_t size = sizeof(int) * static_cast<std::size_t>(plan.folder_count);
        message.msg_control = space;
        message.msg_controllen = CMSG_SPACE(size);
        cmsghdr* header = CMSG_FIRSTHDR(&message);
        header->cmsg_level = SOL_SOCKET;
        header->cmsg_type = SCM_RIGHTS;
        header->cmsg_len = CMSG_LEN(size);
        std::memcpy(CMSG_DATA(header), folders, size);
    }
    *what = "control socket";
    if (sendmsg(control, &message, MSG_NOSIGNAL) != 1) return -1;
    for (int i = 0; i < plan.folder_count; ++i) close(folders[i]);
    return control;
}

// Waits for the command. False with errno 0: the judge has none any more.
inline bool receive(int control, Arguments* arguments) {
    static char bytes[max_bytes + 1];
    static char* values[max_arguments + 2];
    static char nobody[] = "launcher";
    int output[2];
    iovec data{bytes, max_bytes};
    alignas(cmsghdr) char space[CMSG_SPACE(sizeof output)]{};
    msghdr message{};
    message.msg_iov = &data;
    message.msg_iovlen = 1;
    message.msg_control = space;
    message.msg_controllen = sizeof space;
    ssize_t length = 0;
    do {
        length = recvmsg(control, &message, MSG_CMSG_CLOEXEC);
    } while (length < 0 && errno == EINTR);
    if (length < 0) return false;
    errno = 0;
    if (length == 0) return false;
    errno = EBADMSG;
    const cmsghdr* header = CMSG_FIRSTHDR(&message);
    if ((message.msg_flags & (MSG_TRUNC | MSG_CTRUNC)) != 0 || bytes[length - 1] != '\0' ||
        header == nullptr || header->cmsg_type != SCM_RIGHTS ||
        header->cmsg_len != CMSG_LEN(sizeof output)) {
        return false;
    }
    std::memcpy(output, CMSG_DATA(header), sizeof output);
    if (dup2(output[0], STDOUT_FILENO) < 0 || dup2(output[1], STDERR_FILENO) < 0) return false;
    close(output[0]);
    close(output[1]);

    values[0] = nobody;
    int count = 1;
    for (char* at = bytes; at < bytes + length; at += std::strlen(at) + 1) {
        if (count > max_arguments) {
            errno = E2BIG;
            return false;
        }
        values[count++] = at;
    }
    values[count] = nullptr;
    *arguments = {count, values};
    errno = 0;
    return true;
}

}  // namespace waiting
