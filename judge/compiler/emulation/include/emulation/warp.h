// Warp-level functions: shuffles, votes, matches and reductions over the lanes of a mask.
#pragma once

#include <cstring>
#include <type_traits>

#include "emulation/runtime_interface.h"

namespace warpboard::emulation {

template <class T>
concept warp_value = std::is_trivially_copyable_v<T> && sizeof(T) <= sizeof(Unsigned64);

template <warp_value T>
Unsigned64 to_bits(const T& value) {
    Unsigned64 bits = 0;
    std::memcpy(&bits, &value, sizeof value);
    return bits;
}

template <warp_value T>
T from_bits(Unsigned64 bits) {
    T value;
    std::memcpy(static_cast<void*>(&value), &bits, sizeof value);
    return value;
}

template <warp_value T>
T shuffle(WarpOperation operation, unsigned mask, T value, unsigned argument, int width, int line,
          const char* name) {
    return from_bits<T>(warp_operation({operation, mask, to_bits(value), argument,
                                        static_cast<unsigned>(width), line, name}));
}

inline Unsigned64 collective(WarpOperation operation, unsigned mask, Unsigned64 value,
                                int line, const char* name) {
    return warp_operation({operation, mask, value, 0, 32, line, name});
}

}  // namespace warpboard::emulation

template <warpboard::emulation::warp_value T>
T __shfl_sync(unsigned mask, T value, int source, int width = 32, int line = __builtin_LINE()) {
    using namespace warpboard::emulation;
    return shuffle(WarpOperation::shuffle, mask, value, static_cast<unsigned>(source), width, line,
                   "__shfl_sync()");
}

template <warpboard::emulation::warp_value T>
T __shfl_up_sync(unsigned mask, T value, unsigned delta, int width = 32,
                 int line = __builtin_LINE()) {
    using namespace warpboard::emulation;
    return shuffle(WarpOperation::shuffle_up, mask, value, delta, width, line, "__shfl_up_sync()");
}

template <warpboard::emulation::warp_value T>
T __shfl_down_sync(unsigned mask, T value, unsigned delta, int width = 32,
                   int line = __builtin_LINE()) {
    using namespace warpboard::emulation;
    return shuffle(WarpOperation::shuffle_down, mask, value, delta, width, line,
                   "__shfl_down_sync()");
}

template <warpboard::emulation::warp_value T>
T __shfl_xor_sync(unsigned mask, T value, int lanes, int width = 32, int line = __builtin_LINE()) {
    using namespace warpboard::emulation;
    return shuffle(WarpOperation::shuffle_xor, mask, value, static_cast<unsigned>(lanes), width,
                   line, "__shfl_xor_sync()");
}

inline void __syncwarp(unsigned mask = 0xffffffffu, int line = __builtin_LINE()) {
    using namespace warpboard::emulation;
    collective(WarpOperation::sync, mask, 0, line, "__syncwarp()");
}

inline unsigned __ballot_sync(unsigned mask, int predicate, int line = __builtin_LINE()) {
    using namespace warpboard::emulation;
    return static_cast<unsigned>(
        collective(WarpOperation::ballot, mask, predicate != 0, line, "__ballot_sync()"));
}

inline int __any_sync(unsigned mask, int predicate, int line = __builtin_LINE()) {
    using namespace warpboard::emulation;
    return collective(WarpOperation::ballot, mask, predicate != 0, line, "__any_sync()") != 0;
}

inline int __all_sync(unsigned mask, int predicate, int line = __builtin_LINE()) {
    using namespace warpboard::emulation;
    return collective(WarpOperation::ballot, mask, predicate == 0, line, "__all_sync()") == 0;
}

template <warpboard::emulation::warp_value T>
unsigned __match_any_sync(unsigned mask, T value, int line = __builtin_LINE()) {
    using namespace warpboard::emulation;
    return static_cast<unsigned>(
        collective(WarpOperation::match_any, mask, to_bits(value), line, "__match_any_sync()"));
}

template <warpboard::emulation::warp_value T>
unsigned __match_all_sync(unsigned mask, T value, int* predicate, int line = __builtin_LINE()) {
    using namespace warpboard::emulation;
    auto same = static_cast<unsigned>(
        collective(WarpOperation::match_all, mask, to_bits(value), line, "__match_all_sync()"));
    *predicate = same != 0;
    return same;
}

// The lanes that reach this line while no other thread of the block can go on: what a GPU whose
// lanes converge where they can would answer.
inline unsigned __activemask(int line = __builtin_LINE()) {
    using namespace warpboard::emulation;
    return static_cast<unsigned>(
        collective(WarpOperation::active_mask, 0xffffffffu, 0, line, "__activemask()"));
}

#define WARPBOARD_WARP_REDUCTION(NAME, TYPE, OPERATION)                                          \
    inline TYPE __reduce_##NAME##_sync(unsigned mask, TYPE value, int line = __builtin_LINE()) { \
        using namespace warpboard::emulation;                                                    \
        return static_cast<TYPE>(collective(WarpOperation::OPERATION, mask, to_bits(value),      \
                                            line, "__reduce_" #NAME "_sync()"));                 \
    }
WARPBOARD_WARP_REDUCTION(add, int, reduce_add)
WARPBOARD_WARP_REDUCTION(add, unsigned, reduce_add)
WARPBOARD_WARP_REDUCTION(min, int, reduce_min_signed)
WARPBOARD_WARP_REDUCTION(min, unsigned, reduce_min_unsigned)
WARPBOARD_WARP_REDUCTION(max, int, reduce_max_signed)
WARPBOARD_WARP_REDUCTION(max, unsigned, reduce_max_unsigned)
WARPBOARD_WARP_REDUCTION(and, unsigned, reduce_and)
WARPBOARD_WARP_REDUCTION(or, unsigned, reduce_or)
WARPBOARD_WARP_REDUCTION(xor, unsigned, reduce_xor)
#undef WARPBOARD_WARP_REDUCTION
