// What CUB's parts share: operators, and memory for a block's algorithm.
#pragma once

#include "emulation/barrier.h"
#include "emulation/language.h"

namespace cub {

struct Sum {
    template <class A, class B>
    auto operator()(const A& a, const B& b) const { return a + b; }
};
struct Max {
    template <class T>
    T operator()(const T& a, const T& b) const { return a < b ? b : a; }
};
struct Min {
    template <class T>
    T operator()(const T& a, const T& b) const { return b < a ? b : a; }
};

namespace detail {

// CUB's barriers have no line of the user's to tell.
inline void block_barrier(const char* operation) {
    warpboard::emulation::block_barrier(0, operation);
}

// A block's private copy for algorithms constructed without storage of the user's.
template <class Storage>
Storage& own_storage() {
    static thread_local Storage storage;
    return storage;
}

}  // namespace detail
}  // namespace cub
