#pragma once

#include "emulation/cub/warp_algorithms.h"
