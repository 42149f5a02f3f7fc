#pragma once

#include "emulation/cooperative_groups/collectives.h"
