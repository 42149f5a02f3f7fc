// cub::WarpReduce and cub::WarpScan, by shuffles within logical warps.
#pragma once

#include "emulation/cooperative_groups/collectives.h"
#include "emulation/cub/common.h"

namespace cub {

// As in CUB, only the first lane has the result.
template <class T, int LogicalThreads = 32>
class WarpReduce {
public:
    struct TempStorage {};

    explicit WarpReduce(TempStorage&) {}

    template <class Operation>
    T Reduce(T value, Operation operation, int valid = LogicalThreads) {
        cooperative_groups::thread_block_tile<LogicalThreads> tile;
        int rank = static_cast<int>(tile.thread_rank());
        T first = value;
        for (int i = 1; i < LogicalThreads; ++i) {
            T other = tile.shfl(value, i, 0);
            if (rank == 0 && i < valid) first = operation(first, other);
        }
        return first;
    }

    T Sum(T value, int valid = LogicalThreads) { return Reduce(value, cub::Sum(), valid); }
};

template <class T, int LogicalThreads = 32>
class WarpScan {
public:
    struct TempStorage {};

    explicit WarpScan(TempStorage&) {}

    template <class Operation>
    void InclusiveScan(T input, T& output, Operation operation) {
        cooperative_groups::thread_block_tile<LogicalThreads> tile;
        output = cooperative_groups::inclusive_scan(tile, input, operation, 0);
    }
    void InclusiveSum(T input, T& output) { InclusiveScan(input, output, cub::Sum()); }
    void InclusiveSum(T input, T& output, T& total) {
        InclusiveSum(input, output);
        cooperative_groups::thread_block_tile<LogicalThreads> tile;
        total = tile.shfl(output, LogicalThreads - 1, 0);
    }
    void ExclusiveSum(T input, T& output) {
        T inclusive;
        InclusiveSum(input, inclusive);
        output = inclusive - input;
    }
};

}  // namespace cub
