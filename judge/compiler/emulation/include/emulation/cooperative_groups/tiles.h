// Groups within a warp: tiles of a fixed size and coalesced threads, with their shuffles and votes.
#pragma once

#include <cstring>
#include <type_traits>

#include "emulation/cooperative_groups/groups.h"

namespace warpboard::emulation {

// Lanes first to first + size - 1 of the tile that the calling lane is in.
inline unsigned tile_lanes(unsigned size) {
    unsigned first = lane_index() / size * size;
    return static_cast<unsigned>(((Unsigned64{1} << size) - 1) << first);
}

// The lane of the warp that has a rank in a group of lanes.
inline unsigned lane_of_rank(unsigned lanes, unsigned rank) {
    for (; rank != 0; --rank) lanes &= lanes - 1;
    return static_cast<unsigned>(__builtin_ctz(lanes));
}

// Every lane names the lane it reads; values of any size travel in words.
template <class T>
T read_lane(unsigned lanes, const T& value, unsigned source, int line) {
    static_assert(std::is_trivially_copyable_v<T>);
    constexpr std::size_t word = sizeof(Unsigned64);
    T result;
    for (std::size_t at = 0; at < sizeof(T); at += word) {
        std::size_t bytes = sizeof(T) - at < word ? sizeof(T) - at : word;
        Unsigned64 bits = 0;
        std::memcpy(&bits, reinterpret_cast<const char*>(&value) + at, bytes);
        bits = warp_operation(
            {WarpOperation::shuffle, lanes, bits, source, 32, line, "a group's shuffle"});
        std::memcpy(reinterpret_cast<char*>(&result) + at, &bits, bytes);
    }
    return result;
}

}  // namespace warpboard::emulation

namespace cooperative_groups {

// What tiles and coalesced groups have in common. Ranks are positions in the group.
class lane_group : public thread_group {
public:
    template <class T>
    T shfl(T value, int rank, int line = __builtin_LINE()) const {
        return from_rank(value, static_cast<unsigned>(rank) % size(), line);
    }

    template <class T>
    T shfl_up(T value, unsigned delta, int line = __builtin_LINE()) const {
        unsigned rank = thread_rank();
        return from_rank(value, delta <= rank ? rank - delta : rank, line);
    }

    template <class T>
    T shfl_down(T value, unsigned delta, int line = __builtin_LINE()) const {
        unsigned rank = thread_rank();
        return from_rank(value, delta < size() - rank ? rank + delta : rank, line);
    }

    template <class T>
    T shfl_xor(T value, unsigned mask, int line = __builtin_LINE()) const {
        unsigned rank = thread_rank();
        return from_rank(value, (rank ^ mask) < size() ? rank ^ mask : rank, line);
    }

    // Bit i is the vote of the thread with rank i.
    unsigned ballot(int predicate, int line = __builtin_LINE()) const {
        return by_rank(__ballot_sync(lanes_, predicate, line));
    }
    int any(int predicate, int line = __builtin_LINE()) const {
        return __any_sync(lanes_, predicate, line);
    }
    int all(int predicate, int line = __builtin_LINE()) const {
        return __all_sync(lanes_, predicate, line);
    }
    template <class T>
    unsigned match_any(T value, int line = __builtin_LINE()) const {
        return by_rank(__match_any_sync(lanes_, value, line));
    }
    template <class T>
    unsigned match_all(T value, int& predicate, int line = __builtin_LINE()) const {
        return by_rank(__match_all_sync(lanes_, value, &predicate, line));
    }

protected:
    using thread_group::thread_group;

private:
    template <class T>
    T from_rank(const T& value, unsigned rank, int line) const {
        using namespace warpboard::emulation;
        return read_lane(lanes_, value, lane_of_rank(lanes_, rank), line);
    }

    unsigned by_rank(unsigned votes) const {
        unsigned result = 0, rank = 0;
        for (unsigned lanes = lanes_; lanes != 0; lanes &= lanes - 1, ++rank) {
            result |= (votes >> __builtin_ctz(lanes) & 1u) << rank;
        }
        return result;
    }
};

template <unsigned Size, class Parent = void>
class thread_block_tile : public lane_group {
    static_assert(Size >= 1 && Size <= 32 && (Size & (Size - 1)) == 0,
                  "warpboard-unsupported: tiles of more than a warp");

public:
    thread_block_tile() : lane_group(warpboard::emulation::tile_lanes(Size)) {}

    // A tile is what it is whatever it was cut from.
    template <class Other>
    thread_block_tile(const thread_block_tile<Size, Other>&) : thread_block_tile() {}

    static constexpr unsigned size() { return Size; }
    static constexpr unsigned num_threads() { return Size; }
    static unsigned thread_rank() { return warpboard::emulation::lane_index() % Size; }
    static unsigned meta_group_rank() { return warpboard::emulation::thread_rank() / Size; }
    static unsigned meta_group_size() { return (thread_block::size() + Size - 1) / Size; }
};

template <unsigned Size, class Parent>
thread_block_tile<Size, Parent> tiled_partition(const Parent&) {
    return {};
}

inline thread_group tiled_partition(const thread_group&, unsigned size) {
    return thread_group(warpboard::emulation::tile_lanes(size));
}

class coalesced_group : public lane_group {
private:
    explicit coalesced_group(unsigned lanes) : lane_group(lanes) {}
    friend coalesced_group coalesced_threads(int line);
};

inline coalesced_group coalesced_threads(int line = __builtin_LINE()) {
    return coalesced_group(__activemask(line));
}

}  // namespace cooperative_groups
