// A warp: thirty-two lanes that post requests; the last one needed computes everybody's result.
//
// It knows requests and results, not how lanes wait (see block.h). Lanes that have left the kernel
// count as arrived.
#pragma once

#include <cstdint>

#include "emulation/runtime_interface.h"

namespace warpboard::emulation {

struct Fiber;

struct Warp {
    static constexpr unsigned lanes = 32;

    unsigned alive = 0;
    unsigned posted = 0;
    Fiber* fibers[lanes] = {};
    LaneRequest requests[lanes];
    std::uint64_t results[lanes];

    // Lanes `gone` to `threads` - 1 are alive, and nobody has posted.
    void reset(unsigned gone, unsigned threads) {
        alive = below(threads) & ~below(gone);
        posted = 0;
    }

    void leave(unsigned lane) { alive &= ~(1u << lane); }

    void post(unsigned lane, const LaneRequest& request) {
        requests[lane] = request;
        posted |= 1u << lane;
    }

    // Completes the operation that `lane` has just asked for if all its lanes have arrived; returns
    // the lanes served, or 0.
    //
    // Lanes whose requests do not fit together (another mask, another operation) are left waiting:
    // they may yet be served, and otherwise the block reports a deadlock that names their lines.
    unsigned complete_for(unsigned lane);

    // The same for all operations that wait, after a lane has left; returns the lanes served.
    unsigned complete();

    // Answers active_mask for the lanes that have asked, together where they ask in the same line.
    unsigned complete_active_masks();

private:
    static unsigned below(unsigned lane) { return lane == lanes ? ~0u : (1u << lane) - 1; }
    void compute(unsigned group);
};

}  // namespace warpboard::emulation
