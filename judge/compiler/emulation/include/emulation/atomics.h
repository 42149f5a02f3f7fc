// Atomic functions, for the types CUDA has them for. All are relaxed, as on a GPU.
#pragma once

#include <cstring>
#include <type_traits>

#include "emulation/runtime_interface.h"

namespace warpboard::emulation {

template <class T, class... Types>
concept one_of = (std::is_same_v<T, Types> || ...);

template <class T>
concept atomic_integer = one_of<T, int, unsigned, unsigned long long>;

template <class T>
concept atomic_bits = one_of<T, int, unsigned, unsigned long long, long long>;

template <class T>
concept atomic_swappable = one_of<T, int, unsigned, unsigned long long, float, double>;

template <class T>
concept atomic_comparable =
    one_of<T, int, unsigned, unsigned long long, unsigned short, long long>;

// Half precision joins in emulation/half_precision.h.
template <class T>
inline constexpr bool has_floating_atomics = one_of<T, float, double>;

template <class T>
concept atomic_floating = has_floating_atomics<T>;

template <std::size_t bytes>
struct UnsignedOfSize;
template <> struct UnsignedOfSize<2> { using type = Unsigned16; };
template <> struct UnsignedOfSize<4> { using type = Unsigned32; };
template <> struct UnsignedOfSize<8> { using type = Unsigned64; };

// Replaces *address by change(old) and returns old.
template <class T, class Change>
T atomic_change(T* address, Change change) {
    using Bits = typename UnsignedOfSize<sizeof(T)>::type;
    auto* word = reinterpret_cast<Bits*>(address);
    Bits expected = __atomic_load_n(word, __ATOMIC_RELAXED);
    for (;;) {
        T old;
        std::memcpy(static_cast<void*>(&old), &expected, sizeof old);
        T changed = change(old);
        Bits desired;
        std::memcpy(&desired, &changed, sizeof desired);
        if (__atomic_compare_exchange_n(word, &expected, desired, true, __ATOMIC_RELAXED,
                                        __ATOMIC_RELAXED)) {
            return old;
        }
    }
}

}  // namespace warpboard::emulation

template <warpboard::emulation::atomic_integer T>
T atomicAdd(T* address, std::type_identity_t<T> value) {
    return __atomic_fetch_add(address, value, __ATOMIC_RELAXED);
}

template <warpboard::emulation::atomic_floating T>
T atomicAdd(T* address, std::type_identity_t<T> value) {
    return warpboard::emulation::atomic_change(address, [&](T old) { return T(old + value); });
}

template <warpboard::emulation::one_of<int, unsigned> T>
T atomicSub(T* address, std::type_identity_t<T> value) {
    return __atomic_fetch_sub(address, value, __ATOMIC_RELAXED);
}

template <warpboard::emulation::atomic_bits T>
T atomicMin(T* address, std::type_identity_t<T> value) {
    return warpboard::emulation::atomic_change(address,
                                               [&](T old) { return value < old ? value : old; });
}

template <warpboard::emulation::atomic_bits T>
T atomicMax(T* address, std::type_identity_t<T> value) {
    return warpboard::emulation::atomic_change(address,
                                               [&](T old) { return old < value ? value : old; });
}

template <warpboard::emulation::atomic_bits T>
T atomicAnd(T* address, std::type_identity_t<T> value) {
    return __atomic_fetch_and(address, value, __ATOMIC_RELAXED);
}

template <warpboard::emulation::atomic_bits T>
T atomicOr(T* address, std::type_identity_t<T> value) {
    return __atomic_fetch_or(address, value, __ATOMIC_RELAXED);
}

template <warpboard::emulation::atomic_bits T>
T atomicXor(T* address, std::type_identity_t<T> value) {
    return __atomic_fetch_xor(address, value, __ATOMIC_RELAXED);
}

inline unsigned atomicInc(unsigned* address, unsigned limit) {
    return warpboard::emulation::atomic_change(
        address, [&](unsigned old) { return old >= limit ? 0u : old + 1; });
}

inline unsigned atomicDec(unsigned* address, unsigned limit) {
    return warpboard::emulation::atomic_change(
        address, [&](unsigned old) { return old == 0 || old > limit ? limit : old - 1; });
}

template <warpboard::emulation::atomic_swappable T>
T atomicExch(T* address, std::type_identity_t<T> value) {
    return warpboard::emulation::atomic_change(address, [&](T) { return value; });
}

// A failed comparison lets other threads run: it is how spin locks wait.
template <warpboard::emulation::atomic_comparable T>
T atomicCAS(T* address, std::type_identity_t<T> compare, std::type_identity_t<T> value) {
    T expected = compare;
    bool swapped = __atomic_compare_exchange_n(address, &expected, value, false, __ATOMIC_SEQ_CST,
                                               __ATOMIC_SEQ_CST);
    if (!swapped) warpboard::emulation::yield_thread();
    return expected;
}

// The narrower and wider scopes are the same thing here.
#define WARPBOARD_ATOMIC_SCOPES(NAME)                                \
    template <class... Arguments>                                    \
    auto NAME##_block(Arguments... arguments) {                      \
        return NAME(arguments...);                                   \
    }                                                                \
    template <class... Arguments>                                    \
    auto NAME##_system(Arguments... arguments) {                     \
        return NAME(arguments...);                                   \
    }
WARPBOARD_ATOMIC_SCOPES(atomicAdd)
WARPBOARD_ATOMIC_SCOPES(atomicSub)
WARPBOARD_ATOMIC_SCOPES(atomicMin)
WARPBOARD_ATOMIC_SCOPES(atomicMax)
WARPBOARD_ATOMIC_SCOPES(atomicAnd)
WARPBOARD_ATOMIC_SCOPES(atomicOr)
WARPBOARD_ATOMIC_SCOPES(atomicXor)
WARPBOARD_ATOMIC_SCOPES(atomicInc)
WARPBOARD_ATOMIC_SCOPES(atomicDec)
WARPBOARD_ATOMIC_SCOPES(atomicExch)
WARPBOARD_ATOMIC_SCOPES(atomicCAS)
#undef WARPBOARD_ATOMIC_SCOPES
