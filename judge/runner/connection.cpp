#include "connection.h"

#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <string>

#include "backend.h"

namespace warpboard {
namespace {

[[noreturn]] void fail(const std::string& what) {
  throw SetupError(what + ": " + std::strerror(errno));
}

void validate(const Setup& setup) {
  if (setup.magic != kMagic || setup.version != kVersion) {
    throw SetupError("judge and runner are of different versions; rebuild the runner");
  }
  if (setup.parameter_count > kMaxParameters || setup.slot_count == 0) {
    throw SetupError("the judge sent an impossible number of parameters or slots");
  }
  for (uint32_t i = 0; i < setup.parameter_count; ++i) {
    if (setup.parameters[i].name[sizeof setup.parameters[i].name - 1] != '\0') {
      throw SetupError("the judge sent a parameter name without an end");
    }
  }
}

}  // namespace

int connect_to_judge(const char* path) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  if (std::strlen(path) >= sizeof address.sun_path) {
    throw SetupError("the socket's path is too long");
  }
  std::strcpy(address.sun_path, path);
  const int socket_fd = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
  if (socket_fd < 0) fail("cannot make a socket");
  if (connect(socket_fd, reinterpret_cast<sockaddr*>(&address), sizeof address) != 0) {
    fail("cannot connect to the judge");
  }
  return socket_fd;
}

Received receive_setup(int socket) {
  Received received{};
  iovec part{&received.setup, sizeof received.setup};
  alignas(cmsghdr) char control[CMSG_SPACE(sizeof received.descriptors)]{};
  msghdr message{};
  message.msg_iov = &part;
  message.msg_iovlen = 1;
  message.msg_control = control;
  message.msg_controllen = sizeof control;
  ssize_t bytes;
  do {
    bytes = recvmsg(socket, &message, MSG_CMSG_CLOEXEC);
  } while (bytes < 0 && errno == EINTR);
  if (bytes < 0) fail("cannot receive the set-up");
  const cmsghdr* header = CMSG_FIRSTHDR(&message);
  if (bytes != static_cast<ssize_t>(sizeof received.setup) || header == nullptr ||
      header->cmsg_level != SOL_SOCKET || header->cmsg_type != SCM_RIGHTS ||
      header->cmsg_len != CMSG_LEN(sizeof received.descriptors)) {
    throw SetupError("the judge's set-up message is malformed");
  }
  std::memcpy(received.descriptors, CMSG_DATA(header), sizeof received.descriptors);
  validate(received.setup);
  return received;
}

void send_ready(int socket) {
  const Ready ready{kMagic, kVersion};
  if (send(socket, &ready, sizeof ready, MSG_NOSIGNAL) != static_cast<ssize_t>(sizeof ready)) {
    fail("cannot tell the judge that the runner is ready");
  }
}

bool judge_is_gone(int socket) {
  pollfd state{socket, POLLRDHUP, 0};
  return poll(&state, 1, 0) > 0 && (state.revents & (POLLHUP | POLLRDHUP | POLLERR)) != 0;
}

}  // namespace warpboard
