// Replaces NVIDIA's header of this name, which declares the built-in variables once more:
// emulation/language.h has done so.
#pragma once
