// Cooperative groups for the emulated device, in place of NVIDIA's header: blocks, tiles of at most
// a warp, coalesced threads, and a grid that can be asked but not synchronised.
#pragma once

#include "emulation/cooperative_groups/groups.h"
#include "emulation/cooperative_groups/tiles.h"
