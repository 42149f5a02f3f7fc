// Loads and stores with cache hints, and questions about address spaces. Hints mean nothing here.
#pragma once

#include <cstddef>
#include <type_traits>

#define WARPBOARD_HINTED_LOAD(NAME) \
    template <class T>              \
    T NAME(const T* address) {      \
        return *address;            \
    }
WARPBOARD_HINTED_LOAD(__ldg)
WARPBOARD_HINTED_LOAD(__ldca)
WARPBOARD_HINTED_LOAD(__ldcg)
WARPBOARD_HINTED_LOAD(__ldcs)
WARPBOARD_HINTED_LOAD(__ldlu)
WARPBOARD_HINTED_LOAD(__ldcv)
#undef WARPBOARD_HINTED_LOAD

#define WARPBOARD_HINTED_STORE(NAME)                        \
    template <class T>                                      \
    void NAME(T* address, std::type_identity_t<T> value) {  \
        *address = value;                                   \
    }
WARPBOARD_HINTED_STORE(__stcg)
WARPBOARD_HINTED_STORE(__stcs)
WARPBOARD_HINTED_STORE(__stwb)
WARPBOARD_HINTED_STORE(__stwt)
#undef WARPBOARD_HINTED_STORE

#define __builtin_assume(condition) static_cast<void>(0)

inline std::size_t __cvta_generic_to_shared(const void* address) {
    return reinterpret_cast<std::size_t>(address);
}
inline std::size_t __cvta_generic_to_global(const void* address) {
    return reinterpret_cast<std::size_t>(address);
}
