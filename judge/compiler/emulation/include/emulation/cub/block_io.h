// cub::BlockLoad and cub::BlockStore: a thread's items lie side by side, or a block apart (striped).
#pragma once

#include "emulation/cub/common.h"

namespace cub {

enum BlockLoadAlgorithm {
    BLOCK_LOAD_DIRECT,
    BLOCK_LOAD_STRIPED,
    BLOCK_LOAD_VECTORIZE,
    BLOCK_LOAD_TRANSPOSE,
    BLOCK_LOAD_WARP_TRANSPOSE,
    BLOCK_LOAD_WARP_TRANSPOSE_TIMESLICED,
};
enum BlockStoreAlgorithm {
    BLOCK_STORE_DIRECT,
    BLOCK_STORE_STRIPED,
    BLOCK_STORE_VECTORIZE,
    BLOCK_STORE_TRANSPOSE,
    BLOCK_STORE_WARP_TRANSPOSE,
    BLOCK_STORE_WARP_TRANSPOSE_TIMESLICED,
};

namespace detail {

template <int Threads, int Items>
int item_index(int item, bool striped) {
    int rank = static_cast<int>(warpboard::emulation::thread_rank());
    return striped ? item * Threads + rank : rank * Items + item;
}

}  // namespace detail

template <class T, int X, int Items, BlockLoadAlgorithm Algorithm = BLOCK_LOAD_DIRECT, int Y = 1,
          int Z = 1>
class BlockLoad {
    static constexpr bool striped = Algorithm == BLOCK_LOAD_STRIPED;

public:
    struct TempStorage {};

    BlockLoad() = default;
    explicit BlockLoad(TempStorage&) {}

    template <class Iterator>
    void Load(Iterator from, T (&items)[Items]) {
        for (int i = 0; i < Items; ++i) items[i] = from[detail::item_index<X * Y * Z, Items>(i, striped)];
    }
    template <class Iterator>
    void Load(Iterator from, T (&items)[Items], int valid) {
        for (int i = 0; i < Items; ++i) {
            int index = detail::item_index<X * Y * Z, Items>(i, striped);
            if (index < valid) items[i] = from[index];
        }
    }
    template <class Iterator, class Default>
    void Load(Iterator from, T (&items)[Items], int valid, Default otherwise) {
        for (T& item : items) item = otherwise;
        Load(from, items, valid);
    }
};

template <class T, int X, int Items, BlockStoreAlgorithm Algorithm = BLOCK_STORE_DIRECT, int Y = 1,
          int Z = 1>
class BlockStore {
    static constexpr bool striped = Algorithm == BLOCK_STORE_STRIPED;

public:
    struct TempStorage {};

    BlockStore() = default;
    explicit BlockStore(TempStorage&) {}

    template <class Iterator>
    void Store(Iterator to, T (&items)[Items]) {
        for (int i = 0; i < Items; ++i) to[detail::item_index<X * Y * Z, Items>(i, striped)] = items[i];
    }
    template <class Iterator>
    void Store(Iterator to, T (&items)[Items], int valid) {
        for (int i = 0; i < Items; ++i) {
            int index = detail::item_index<X * Y * Z, Items>(i, striped);
            if (index < valid) to[index] = items[i];
        }
    }
};

}  // namespace cub
