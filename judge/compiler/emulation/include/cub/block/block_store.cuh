#pragma once

#include "emulation/cub/block_io.h"
