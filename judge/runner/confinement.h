// What the runner takes away from itself before a submission may use it.
#pragma once

namespace warpboard {

// First thing in main: closes every descriptor but the standard three.
void close_inherited();

// For a back end that the submission is linked into, whose static constructors come before main:
// refuses other programs and processes from before them. Set-up is still possible. There is nobody
// yet to catch an exception: it ends the process with kExitSetupFailed if it cannot.
void confine_before_constructors();

// Between set-up and loading the submission, with whatever the runner asks of the scheduler done:
// refuses what only set-up needs. The sandbox around the process is what confines it; rules here
// make what is left smaller, and this is their one place. Throws SetupError.
void confine();

}  // namespace warpboard
