#pragma once

#include "emulation/cub/block_scan.h"
