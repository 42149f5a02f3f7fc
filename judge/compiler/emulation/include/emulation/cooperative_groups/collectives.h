// Reductions and scans over a group within a warp.
#pragma once

#include "emulation/cooperative_groups/tiles.h"

namespace cooperative_groups {

template <class T>
struct plus {
    T operator()(T a, T b) const { return a + b; }
};
template <class T>
struct less {
    T operator()(T a, T b) const { return b < a ? b : a; }
};
template <class T>
struct greater {
    T operator()(T a, T b) const { return a < b ? b : a; }
};
template <class T>
struct bit_and {
    T operator()(T a, T b) const { return a & b; }
};
template <class T>
struct bit_or {
    T operator()(T a, T b) const { return a | b; }
};
template <class T>
struct bit_xor {
    T operator()(T a, T b) const { return a ^ b; }
};

// Rank 0 ends with the whole by halving distances; then everybody reads it.
template <class Group, class T, class Operation>
T reduce(const Group& group, T value, Operation operation, int line = __builtin_LINE()) {
    unsigned size = group.size(), rank = group.thread_rank();
    unsigned distance = 1;
    while (distance < size) distance *= 2;
    for (distance /= 2; distance != 0; distance /= 2) {
        T other = group.shfl_down(value, distance, line);
        if (rank + distance < size) value = operation(value, other);
    }
    return group.shfl(value, 0, line);
}

template <class Group, class T, class Operation>
T inclusive_scan(const Group& group, T value, Operation operation, int line = __builtin_LINE()) {
    unsigned size = group.size(), rank = group.thread_rank();
    for (unsigned distance = 1; distance < size; distance *= 2) {
        T other = group.shfl_up(value, distance, line);
        if (rank >= distance) value = operation(other, value);
    }
    return value;
}

template <class Group, class T>
T inclusive_scan(const Group& group, T value, int line = __builtin_LINE()) {
    return inclusive_scan(group, value, plus<T>(), line);
}

template <class Group, class T, class Operation>
T exclusive_scan(const Group& group, T value, Operation operation, int line = __builtin_LINE()) {
    T inclusive = inclusive_scan(group, value, operation, line);
    T before = group.shfl_up(inclusive, 1, line);
    return group.thread_rank() == 0 ? T() : before;
}

template <class Group, class T>
T exclusive_scan(const Group& group, T value, int line = __builtin_LINE()) {
    return exclusive_scan(group, value, plus<T>(), line);
}

}  // namespace cooperative_groups
