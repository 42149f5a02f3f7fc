// The runner: loads one submission and calls it whenever the judge rings. See protocol.h.
//
// This file knows the order of things and no device; backend.h hides that.
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <exception>
#include <new>
#include <string>

#include "backend.h"
#include "confinement.h"
#include "connection.h"
#include "protocol.h"
#include "scheduling.h"
#include "waiting.h"

namespace warpboard {
namespace {

constexpr uint64_t kLivenessCheckNs = 500'000'000;

template <class Page>
Page* map_page(int descriptor, int protection) {
  void* page = mmap(nullptr, sizeof(Page), protection, MAP_SHARED | MAP_POPULATE, descriptor, 0);
  if (page == MAP_FAILED) {
    throw SetupError(std::string("cannot map a doorbell page: ") + std::strerror(errno));
  }
  close(descriptor);
  return static_cast<Page*>(page);
}

Measurement execute(Backend& backend, const Command& command, uint32_t slot_count) {
  const bool possible =
      command.operation == static_cast<uint32_t>(Operation::call) && command.count <= kMaxCalls &&
      std::all_of(command.slots, command.slots + std::min(command.count, kMaxCalls),
                  [slot_count](uint32_t slot) { return slot < slot_count; });
  if (!possible) return {Status::bad_command, 0, "the judge sent an impossible command"};
  try {
    return backend.run(command.slots, command.count);
  } catch (const std::bad_alloc&) {
    return {Status::out_of_memory, 0, "std::bad_alloc"};
  } catch (const std::exception& exception) {
    return {Status::exception, 0, exception.what()};
  } catch (...) {
    return {Status::exception, 0, "an exception that is no std::exception"};
  }
}

void write_reply(Reply& reply, const Measurement& measurement) {
  reply.status = static_cast<uint32_t>(measurement.status);
  reply.event_ns = measurement.event_ns;
  reply.text_bytes = static_cast<uint32_t>(std::min(measurement.text.size(), sizeof reply.text));
  std::memcpy(reply.text, measurement.text.data(), reply.text_bytes);
}

[[noreturn]] void serve(Backend& backend, const Setup& setup, int socket,
                        const RequestPage& request, ResponsePage& response) {
  const bool sleeps = setup.spin_microseconds != kSpinForever;
  const uint64_t spin_ns =
      sleeps ? static_cast<uint64_t>(setup.spin_microseconds) * 1000 : kLivenessCheckNs;
  uint32_t sequence = 0;
  for (;;) {
    while (!spin_while(request.sequence, sequence, spin_ns)) {
      if (sleeps && sleep_while(request.sequence, sequence, response.runner_sleeps,
                                kLivenessCheckNs)) {
        break;
      }
      if (judge_is_gone(socket)) _exit(kExitJudgeGone);
    }
    sequence = request.sequence.load(std::memory_order_acquire);
    write_reply(response.reply, execute(backend, request.command, setup.slot_count));
    ring(response.sequence, sequence, request.judge_sleeps);
  }
}

[[noreturn]] void run(const char* socket_path) {
  close_inherited();
  const int socket = connect_to_judge(socket_path);
  const Received received = receive_setup(socket);
  const auto* request = map_page<const RequestPage>(received.descriptors[kRequestPage], PROT_READ);
  auto* response =
      map_page<ResponsePage>(received.descriptors[kResponsePage], PROT_READ | PROT_WRITE);
  const auto backend = make_backend();
  backend->adopt(received.setup, received.descriptors[kArena]);
  prefer_prompt_wakeups();
  confine();
  backend->load();
  send_ready(socket);
  serve(*backend, received.setup, socket, *request, *response);
}

}  // namespace
}  // namespace warpboard

int main(int argc, char** argv) {
  try {
    if (argc != 2) throw warpboard::SetupError("usage: runner SOCKET");
    warpboard::run(argv[1]);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "warpboard-runner: %s\n", error.what());
    std::fflush(stderr);
    _exit(warpboard::kExitSetupFailed);
  }
}
