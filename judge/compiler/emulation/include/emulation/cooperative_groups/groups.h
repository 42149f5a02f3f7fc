// Groups of threads as such: what they are, how large, and where the caller stands in them.
#pragma once

#include "emulation/language.h"
#include "emulation/barrier.h"
#include "emulation/warp.h"

namespace cooperative_groups {

// Any group, its kind forgotten: the whole block, or some lanes of the caller's warp.
class thread_group {
public:
    void sync(int line = __builtin_LINE()) const {
        if (lanes_ == 0) {
            warpboard::emulation::block_barrier(line, "a thread block's sync()");
        } else {
            warpboard::emulation::collective(warpboard::emulation::WarpOperation::sync, lanes_, 0,
                                             line, "a group's sync()");
        }
    }

    unsigned thread_rank() const {
        if (lanes_ == 0) return warpboard::emulation::thread_rank();
        unsigned before = (1u << warpboard::emulation::lane_index()) - 1;
        return static_cast<unsigned>(__builtin_popcount(lanes_ & before));
    }

    unsigned size() const {
        if (lanes_ == 0) return blockDim.x * blockDim.y * blockDim.z;
        return static_cast<unsigned>(__builtin_popcount(lanes_));
    }

    unsigned num_threads() const { return size(); }
    bool is_valid() const { return true; }

protected:
    explicit thread_group(unsigned lanes) : lanes_(lanes) {}

    friend thread_group tiled_partition(const thread_group& parent, unsigned size);

    unsigned lanes_;  // a mask of the warp's lanes; 0: the whole block
};

class thread_block : public thread_group {
public:
    static void sync(int line = __builtin_LINE()) {
        warpboard::emulation::block_barrier(line, "a thread block's sync()");
    }
    static unsigned thread_rank() { return warpboard::emulation::thread_rank(); }
    static unsigned size() { return blockDim.x * blockDim.y * blockDim.z; }
    static unsigned num_threads() { return size(); }
    static dim3 group_index() { return blockIdx; }
    static dim3 thread_index() { return threadIdx; }
    static dim3 group_dim() { return blockDim; }
    static dim3 dim_threads() { return blockDim; }

private:
    thread_block() : thread_group(0) {}
    friend thread_block this_thread_block();
};

inline thread_block this_thread_block() { return thread_block(); }

// Knows its extent; cannot wait for the other blocks, which may not have begun.
class grid_group {
public:
    __attribute__((error("warpboard-unsupported: grid-wide synchronisation"))) void sync() const;

    static bool is_valid() { return false; }
    static unsigned long long num_blocks() {
        return static_cast<unsigned long long>(gridDim.x) * gridDim.y * gridDim.z;
    }
    static unsigned long long block_rank() {
        return (static_cast<unsigned long long>(blockIdx.z) * gridDim.y + blockIdx.y) * gridDim.x +
               blockIdx.x;
    }
    static unsigned long long size() { return num_blocks() * thread_block::size(); }
    static unsigned long long num_threads() { return size(); }
    static unsigned long long thread_rank() {
        return block_rank() * thread_block::size() + thread_block::thread_rank();
    }
    static dim3 group_dim() { return gridDim; }
    static dim3 dim_blocks() { return gridDim; }
    static dim3 block_index() { return blockIdx; }
};

inline grid_group this_grid() { return grid_group(); }

template <class Group>
void sync(const Group& group, int line = __builtin_LINE()) {
    group.sync(line);
}

template <class Group>
auto thread_rank(const Group& group) {
    return group.thread_rank();
}

}  // namespace cooperative_groups
