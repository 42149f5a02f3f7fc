// cub::BlockScan: the first thread scans what all have put into shared memory.
#pragma once

#include "emulation/cub/common.h"

namespace cub {

enum BlockScanAlgorithm { BLOCK_SCAN_RAKING, BLOCK_SCAN_RAKING_MEMOIZE, BLOCK_SCAN_WARP_SCANS };

template <class T, int X, BlockScanAlgorithm Algorithm = BLOCK_SCAN_RAKING, int Y = 1, int Z = 1>
class BlockScan {
    static constexpr int threads = X * Y * Z;

public:
    struct TempStorage {
        T values[threads];
        T total;
    };

    BlockScan() : storage_(detail::own_storage<TempStorage>()) {}
    explicit BlockScan(TempStorage& storage) : storage_(storage) {}

    template <class Operation>
    void InclusiveScan(T input, T& output, Operation operation, T& total) {
        output = operation_inclusive(input, operation);
        total = storage_.total;
    }
    template <class Operation>
    void InclusiveScan(T input, T& output, Operation operation) {
        output = operation_inclusive(input, operation);
    }
    template <class Operation>
    void ExclusiveScan(T input, T& output, T initial, Operation operation, T& total) {
        unsigned rank = warpboard::emulation::thread_rank();
        operation_inclusive(input, operation);
        output = rank == 0 ? initial : operation(initial, storage_.values[rank - 1]);
        total = storage_.total;
    }
    template <class Operation>
    void ExclusiveScan(T input, T& output, T initial, Operation operation) {
        T total;
        ExclusiveScan(input, output, initial, operation, total);
    }
    template <class Operation>
    void ExclusiveScan(T input, T& output, Operation operation) {
        unsigned rank = warpboard::emulation::thread_rank();
        operation_inclusive(input, operation);
        if (rank != 0) output = storage_.values[rank - 1];
    }

    void InclusiveSum(T input, T& output) { InclusiveScan(input, output, cub::Sum()); }
    void InclusiveSum(T input, T& output, T& total) {
        InclusiveScan(input, output, cub::Sum(), total);
    }
    void ExclusiveSum(T input, T& output) { ExclusiveScan(input, output, T(), cub::Sum()); }
    void ExclusiveSum(T input, T& output, T& total) {
        ExclusiveScan(input, output, T(), cub::Sum(), total);
    }

    template <int Items, class Operation>
    void InclusiveScan(T (&input)[Items], T (&output)[Items], Operation operation, T& total) {
        unsigned rank = warpboard::emulation::thread_rank();
        output[0] = input[0];
        for (int i = 1; i < Items; ++i) output[i] = operation(output[i - 1], input[i]);
        operation_inclusive(output[Items - 1], operation);
        if (rank != 0) {
            T before = storage_.values[rank - 1];
            for (T& item : output) item = operation(before, item);
        }
        total = storage_.total;
    }
    template <int Items, class Operation>
    void InclusiveScan(T (&input)[Items], T (&output)[Items], Operation operation) {
        T total;
        InclusiveScan(input, output, operation, total);
    }
    template <int Items>
    void InclusiveSum(T (&input)[Items], T (&output)[Items]) {
        InclusiveScan(input, output, cub::Sum());
    }
    template <int Items>
    void InclusiveSum(T (&input)[Items], T (&output)[Items], T& total) {
        InclusiveScan(input, output, cub::Sum(), total);
    }
    template <int Items>
    void ExclusiveSum(T (&input)[Items], T (&output)[Items], T& total) {
        unsigned rank = warpboard::emulation::thread_rank();
        T sum = T();
        for (int i = 0; i < Items; ++i) {
            T item = input[i];
            output[i] = sum;
            sum = sum + item;
        }
        operation_inclusive(sum, cub::Sum());
        if (rank != 0) {
            T before = storage_.values[rank - 1];
            for (T& item : output) item = before + item;
        }
        total = storage_.total;
    }
    template <int Items>
    void ExclusiveSum(T (&input)[Items], T (&output)[Items]) {
        T total;
        ExclusiveSum(input, output, total);
    }

private:
    // Leaves the inclusive scan of the block in the storage; returns the caller's part of it.
    template <class Operation>
    T operation_inclusive(T input, Operation operation) {
        unsigned rank = warpboard::emulation::thread_rank();
        storage_.values[rank] = input;
        detail::block_barrier("cub::BlockScan");
        if (rank == 0) {
            for (int i = 1; i < threads; ++i) {
                storage_.values[i] = operation(storage_.values[i - 1], storage_.values[i]);
            }
            storage_.total = storage_.values[threads - 1];
        }
        detail::block_barrier("cub::BlockScan");
        return storage_.values[rank];
    }

    TempStorage& storage_;
};

}  // namespace cub
