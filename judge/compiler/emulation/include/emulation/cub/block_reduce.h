// cub::BlockReduce: the first thread folds what all have put into shared memory.
#pragma once

#include "emulation/cub/common.h"

namespace cub {

enum BlockReduceAlgorithm {
    BLOCK_REDUCE_RAKING_COMMUTATIVE_ONLY,
    BLOCK_REDUCE_RAKING,
    BLOCK_REDUCE_WARP_REDUCTIONS,
    BLOCK_REDUCE_WARP_REDUCTIONS_NONDETERMINISTIC,
};

// As in CUB, only thread 0 has the result.
template <class T, int X, BlockReduceAlgorithm Algorithm = BLOCK_REDUCE_WARP_REDUCTIONS, int Y = 1,
          int Z = 1>
class BlockReduce {
    static constexpr int threads = X * Y * Z;

public:
    struct TempStorage {
        T values[threads];
    };

    BlockReduce() : storage_(detail::own_storage<TempStorage>()) {}
    explicit BlockReduce(TempStorage& storage) : storage_(storage) {}

    template <class Operation>
    T Reduce(T value, Operation operation, int valid = threads) {
        unsigned rank = warpboard::emulation::thread_rank();
        storage_.values[rank] = value;
        detail::block_barrier("cub::BlockReduce");
        if (rank == 0) {
            for (int i = 1; i < valid; ++i) value = operation(value, storage_.values[i]);
        }
        return value;
    }

    template <int Items, class Operation>
    T Reduce(T (&values)[Items], Operation operation) {
        T folded = values[0];
        for (int i = 1; i < Items; ++i) folded = operation(folded, values[i]);
        return Reduce(folded, operation);
    }

    T Sum(T value, int valid = threads) { return Reduce(value, cub::Sum(), valid); }

    template <int Items>
    T Sum(T (&values)[Items]) {
        return Reduce(values, cub::Sum());
    }

private:
    TempStorage& storage_;
};

}  // namespace cub
