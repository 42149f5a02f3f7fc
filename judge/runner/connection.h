// The runner's end of the socket: receive the Setup with its descriptors, answer Ready.
#pragma once

#include "protocol.h"

namespace warpboard {

struct Received {
  Setup setup;
  int descriptors[kDescriptors];
};

// Connects to the judge's socket at `path`. Throws SetupError, as do the others.
int connect_to_judge(const char* path);

// Receives and validates the one Setup message.
Received receive_setup(int socket);

void send_ready(int socket);

// Whether the judge has closed its end.
bool judge_is_gone(int socket);

}  // namespace warpboard
