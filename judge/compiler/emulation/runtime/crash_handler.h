// Signals that mean the submission did what a GPU would punish.
#pragma once

namespace warpboard::emulation {

// Gives the calling operating-system thread a stack for handlers: the one it ran on may be used up.
void use_alternate_signal_stack();

}  // namespace warpboard::emulation
