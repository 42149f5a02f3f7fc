// What the runner asks of the emulated device: configuration, names for its buffers, diagnosis.
//
// The runner (judge/runner) and the emulation runtime (judge/compiler/emulation/runtime) are
// linked into one executable with the submission; this header is all that they share. It knows
// nothing of the protocol between runner and judge.
//
// Diagnosis. When the runtime finds that the submission has gone wrong in a way a GPU would
// punish (a crash, an out-of-bounds access against a guard page, a deadlock at a barrier, a failed
// device assert) it writes exactly one line to stderr,
//
//     warpboard-diagnosis: <text for the user>
//
// and ends the process with _exit(WARPBOARD_EMULATION_DIAGNOSIS_EXIT). Remarks that do not end the
// run are lines that begin with "warpboard-warning: ".
#pragma once

#include <stddef.h>

#define WARPBOARD_EMULATION_DIAGNOSIS_EXIT 86

#ifdef __cplusplus
extern "C" {
#endif

// Blocks of a grid are spread over `threads` operating-system threads (at least 1, the caller's
// thread included). Threads are started at the first launch, so call this before `solve`; a second
// call with another number is ignored once a kernel has run. Without a call there is one thread.
void warpboard_emulation_configure(unsigned threads);

// Bytes of device memory that cudaMalloc and kin may hand out in all; more gets
// cudaErrorMemoryAllocation. Without a call: 4 GiB. cudaMemGetInfo reports it as the total.
void warpboard_emulation_limit_memory(size_t bytes);

// Names [begin, begin + bytes) for messages: "read 4 bytes past the end of `C`". For an access
// past the end to be seen at all, the region's end must lie against an inaccessible page (and its
// begin behind one); a fault within 1 MiB of a region is told relative to it. `name` is copied.
// Naming a region that overlaps earlier ones replaces them; a null name forgets it.
void warpboard_emulation_name_region(const char* name, void* begin, size_t bytes);

// Handlers for SIGSEGV, SIGBUS, SIGFPE, SIGILL and SIGABRT that write the diagnosis, on an alternate
// stack of the calling thread (the runtime does the same for the threads it starts).
void warpboard_emulation_install_crash_handler(void);

// The CUDA error that `solve` left behind, as "cudaErrorInvalidConfiguration: invalid configuration
// argument (kernel `add`, grid (0,1,1), block (256,1,1))", or null. Also tells errors that `solve`
// has read and thereby cleared when they came from a launch that did not run. Call it after
// `solve`; it clears what it tells. The text lives until the next call.
const char* warpboard_emulation_pending_error(void);

// Checks what guard pages cannot see: the bytes between the end of each live cudaMalloc array and
// its guard page. Ends the process with a diagnosis if one has changed. Cheap; call after `solve`.
void warpboard_emulation_check_allocations(void);

#ifdef __cplusplus
}
#endif
