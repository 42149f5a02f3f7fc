#pragma once

#include "emulation/cub/block_reduce.h"
