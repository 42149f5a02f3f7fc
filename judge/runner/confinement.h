// What the runner takes away from itself before a submission may use it.
#pragma once

namespace warpboard {

// First thing in main: closes every descriptor but the standard three.
void close_inherited();

// Between set-up and loading the submission. The sandbox around the process is what confines it;
// rules here make what is left smaller, and this is their one place (Landlock and seccomp too).
// On the emulated device the submission is linked in, and its static constructors have run before.
void confine();

}  // namespace warpboard
