// CUB's device-wide algorithms, done by the host: reductions, scans and sorts.
//
// A call without temporary storage only says how much it would need.
#pragma once

#include <algorithm>
#include <functional>
#include <iterator>
#include <limits>
#include <numeric>
#include <utility>
#include <vector>

#include "emulation/cub/common.h"

namespace cub {
namespace detail {

inline bool asks_for_size(void* storage, std::size_t& bytes) {
    if (storage != nullptr) return false;
    bytes = 1;
    return true;
}

template <class Iterator>
using value_of = typename std::iterator_traits<Iterator>::value_type;

}  // namespace detail

struct DeviceReduce {
    template <class In, class Out, class Operation, class T>
    static cudaError_t Reduce(void* storage, std::size_t& bytes, In in, Out out, int count,
                              Operation operation, T initial, cudaStream_t = nullptr) {
        if (detail::asks_for_size(storage, bytes)) return cudaSuccess;
        *out = std::accumulate(in, in + count, initial, operation);
        return cudaSuccess;
    }
    template <class In, class Out>
    static cudaError_t Sum(void* storage, std::size_t& bytes, In in, Out out, int count,
                           cudaStream_t = nullptr) {
        return Reduce(storage, bytes, in, out, count, cub::Sum(), detail::value_of<Out>());
    }
    template <class In, class Out>
    static cudaError_t Min(void* storage, std::size_t& bytes, In in, Out out, int count,
                           cudaStream_t = nullptr) {
        using T = detail::value_of<In>;
        return Reduce(storage, bytes, in, out, count, cub::Min(), std::numeric_limits<T>::max());
    }
    template <class In, class Out>
    static cudaError_t Max(void* storage, std::size_t& bytes, In in, Out out, int count,
                           cudaStream_t = nullptr) {
        using T = detail::value_of<In>;
        return Reduce(storage, bytes, in, out, count, cub::Max(), std::numeric_limits<T>::lowest());
    }
};

struct DeviceScan {
    template <class In, class Out, class Operation>
    static cudaError_t InclusiveScan(void* storage, std::size_t& bytes, In in, Out out,
                                     Operation operation, int count, cudaStream_t = nullptr) {
        if (detail::asks_for_size(storage, bytes)) return cudaSuccess;
        std::inclusive_scan(in, in + count, out, operation);
        return cudaSuccess;
    }
    template <class In, class Out, class Operation, class T>
    static cudaError_t ExclusiveScan(void* storage, std::size_t& bytes, In in, Out out,
                                     Operation operation, T initial, int count,
                                     cudaStream_t = nullptr) {
        if (detail::asks_for_size(storage, bytes)) return cudaSuccess;
        std::exclusive_scan(in, in + count, out, initial, operation);
        return cudaSuccess;
    }
    template <class In, class Out>
    static cudaError_t InclusiveSum(void* storage, std::size_t& bytes, In in, Out out, int count,
                                    cudaStream_t = nullptr) {
        return InclusiveScan(storage, bytes, in, out, cub::Sum(), count);
    }
    template <class In, class Out>
    static cudaError_t ExclusiveSum(void* storage, std::size_t& bytes, In in, Out out, int count,
                                    cudaStream_t = nullptr) {
        return ExclusiveScan(storage, bytes, in, out, cub::Sum(), detail::value_of<In>(), count);
    }
};

// Sorts by the whole key; a range of bits is refused.
struct DeviceRadixSort {
    template <class Key>
    static cudaError_t SortKeys(void* storage, std::size_t& bytes, const Key* in, Key* out,
                                int count, int begin_bit = 0, int end_bit = sizeof(Key) * 8,
                                cudaStream_t = nullptr) {
        return sort_keys(storage, bytes, in, out, count, begin_bit, end_bit, std::less<Key>());
    }
    template <class Key>
    static cudaError_t SortKeysDescending(void* storage, std::size_t& bytes, const Key* in,
                                          Key* out, int count, int begin_bit = 0,
                                          int end_bit = sizeof(Key) * 8, cudaStream_t = nullptr) {
        return sort_keys(storage, bytes, in, out, count, begin_bit, end_bit, std::greater<Key>());
    }
    template <class Key, class Value>
    static cudaError_t SortPairs(void* storage, std::size_t& bytes, const Key* keys_in,
                                 Key* keys_out, const Value* values_in, Value* values_out,
                                 int count, int begin_bit = 0, int end_bit = sizeof(Key) * 8,
                                 cudaStream_t = nullptr) {
        return sort_pairs(storage, bytes, keys_in, keys_out, values_in, values_out, count,
                          begin_bit, end_bit, std::less<Key>());
    }
    template <class Key, class Value>
    static cudaError_t SortPairsDescending(void* storage, std::size_t& bytes, const Key* keys_in,
                                           Key* keys_out, const Value* values_in,
                                           Value* values_out, int count, int begin_bit = 0,
                                           int end_bit = sizeof(Key) * 8, cudaStream_t = nullptr) {
        return sort_pairs(storage, bytes, keys_in, keys_out, values_in, values_out, count,
                          begin_bit, end_bit, std::greater<Key>());
    }

private:
    template <class Key>
    static bool whole(int begin_bit, int end_bit) {
        return begin_bit == 0 && end_bit == static_cast<int>(sizeof(Key) * 8);
    }

    template <class Key, class Before>
    static cudaError_t sort_keys(void* storage, std::size_t& bytes, const Key* in, Key* out,
                                 int count, int begin_bit, int end_bit, Before before) {
        if (!whole<Key>(begin_bit, end_bit)) return cudaErrorNotSupported;
        if (detail::asks_for_size(storage, bytes)) return cudaSuccess;
        std::copy(in, in + count, out);
        std::stable_sort(out, out + count, before);
        return cudaSuccess;
    }

    template <class Key, class Value, class Before>
    static cudaError_t sort_pairs(void* storage, std::size_t& bytes, const Key* keys_in,
                                  Key* keys_out, const Value* values_in, Value* values_out,
                                  int count, int begin_bit, int end_bit, Before before) {
        if (!whole<Key>(begin_bit, end_bit)) return cudaErrorNotSupported;
        if (detail::asks_for_size(storage, bytes)) return cudaSuccess;
        std::vector<std::pair<Key, Value>> pairs;
        pairs.reserve(static_cast<std::size_t>(count));
        for (int i = 0; i < count; ++i) pairs.emplace_back(keys_in[i], values_in[i]);
        std::stable_sort(pairs.begin(), pairs.end(), [&](const auto& a, const auto& b) {
            return before(a.first, b.first);
        });
        for (int i = 0; i < count; ++i) {
            keys_out[i] = pairs[static_cast<std::size_t>(i)].first;
            values_out[i] = pairs[static_cast<std::size_t>(i)].second;
        }
        return cudaSuccess;
    }
};

}  // namespace cub
