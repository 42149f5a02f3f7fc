#pragma once

#include "emulation/cub/device_algorithms.h"
