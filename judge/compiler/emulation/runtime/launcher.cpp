#include "launcher.h"

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <cstdio>
#include <cstdint>
#include <cstring>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "block.h"
#include "builtins.h"
#include "crash_handler.h"
#include "device_limits.h"
#include "diagnosis.h"
#include "emulation/runtime_interface.h"
#include "last_error.h"
#include "warpboard_emulation.h"

__thread uint3 threadIdx;
__thread uint3 blockIdx;
dim3 blockDim;
dim3 gridDim;

namespace {
constexpr std::size_t canary_bytes = 256;
constexpr unsigned char canary = 0xa5;
constexpr unsigned char poison = 0xff;  // a NaN in every floating type
}  // namespace

// Every `extern __shared__` array of a submission is this one, by its assembler name.
extern "C" __attribute__((aligned(256))) __thread char
    warpboard_dynamic_shared[warpboard::emulation::most_shared_bytes + canary_bytes];

__thread char warpboard_dynamic_shared[warpboard::emulation::most_shared_bytes + canary_bytes];

namespace warpboard::emulation {
namespace {

unsigned configured_threads = 1;
std::atomic<std::size_t> allowed_dynamic_shared{default_shared_bytes};
const char* kernel_name = "?";
std::size_t dynamic_bytes = 0;

struct Grid {
    KernelBody body;
    std::atomic<std::uint64_t> next_block{0};
    std::uint64_t blocks = 0;
};

// Dynamic shared memory begins undefined and must not be written past its end.
void prepare_dynamic_shared() {
    std::memset(warpboard_dynamic_shared, poison, dynamic_bytes);
    std::memset(warpboard_dynamic_shared + dynamic_bytes, canary, canary_bytes);
}

void check_dynamic_shared() {
    for (std::size_t i = 0; i < canary_bytes; ++i) {
        if (static_cast<unsigned char>(warpboard_dynamic_shared[dynamic_bytes + i]) == canary) {
            continue;
        }
        fail("kernel `%s` wrote past the end of its dynamic shared memory: byte %zu of %zu "
             "(the third launch argument)",
             kernel_name, dynamic_bytes + i, dynamic_bytes);
    }
}

// Runs blocks until none is left. Blocks start in the order of their indices, so a block may wait
// for one with a smaller index.
void run_blocks(Grid& grid) {
    static thread_local const std::unique_ptr<Block> block = std::make_unique<Block>();
    prepare_dynamic_shared();
    for (;;) {
        std::uint64_t index = grid.next_block.fetch_add(1, std::memory_order_relaxed);
        if (index >= grid.blocks) break;
        std::uint64_t row = index / gridDim.x;
        blockIdx = uint3{static_cast<unsigned>(index - row * gridDim.x),
                         static_cast<unsigned>(row % gridDim.y),
                         static_cast<unsigned>(row / gridDim.y)};
        block->run(grid.body, blockDim);
    }
    check_dynamic_shared();
}

// The threads beside the caller's. They live as long as the process.
class Workers {
public:
    explicit Workers(unsigned count) {
        for (unsigned i = 0; i < count; ++i) {
            std::thread([this] { serve(); }).detach();
        }
        count_ = count;
    }

    void run(Grid& grid) {
        if (count_ == 0 || grid.blocks == 1) {
            run_blocks(grid);
            return;
        }
        {
            std::lock_guard lock(mutex_);
            grid_ = &grid;
            ++generation_;
            busy_ = count_;
        }
        begin_.notify_all();
        run_blocks(grid);
        std::unique_lock lock(mutex_);
        end_.wait(lock, [this] { return busy_ == 0; });
    }

private:
    [[noreturn]] void serve() {
        use_alternate_signal_stack();
        unsigned seen = 0;
        for (;;) {
            Grid* grid;
            {
                std::unique_lock lock(mutex_);
                begin_.wait(lock, [&] { return generation_ != seen; });
                seen = generation_;
                grid = grid_;
            }
            run_blocks(*grid);
            std::lock_guard lock(mutex_);
            if (--busy_ == 0) end_.notify_one();
        }
    }

    std::mutex mutex_;
    std::condition_variable begin_;
    std::condition_variable end_;
    Grid* grid_ = nullptr;
    unsigned generation_ = 0;
    unsigned busy_ = 0;
    unsigned count_ = 0;
};

Workers& workers() {
    // Never destroyed: its threads are not joined at exit.
    static auto* const instance = new Workers(configured_threads - 1);
    return *instance;
}

// The error that a launch with this configuration gets, as the CUDA programming guide's table of
// technical specifications has it.
cudaError_t refuse(const LaunchConfiguration& launch) {
    const dim3& block = launch.block;
    const dim3& grid = launch.grid;
    if (block.x == 0 || block.y == 0 || block.z == 0 || grid.x == 0 || grid.y == 0 || grid.z == 0) {
        return cudaErrorInvalidConfiguration;
    }
    auto threads = std::uint64_t{block.x} * block.y;
    if (block.x > most_block_threads || block.y > most_block_threads ||
        block.z > most_block_z || threads * block.z > most_block_threads ||
        grid.x > most_grid_x || grid.y > most_grid_yz || grid.z > most_grid_yz) {
        return cudaErrorInvalidConfiguration;
    }
    if (launch.shared_bytes > allowed_dynamic_shared) return cudaErrorInvalidValue;
    return cudaSuccess;
}

}  // namespace

const char* current_kernel() { return kernel_name; }

bool in_kernel() { return Block::current() != nullptr; }

unsigned worker_threads() { return configured_threads; }

std::size_t dynamic_shared_bytes() { return dynamic_bytes; }

cudaError_t allow_dynamic_shared(const void*, int bytes) {
    if (bytes < 0 || static_cast<std::size_t>(bytes) > most_shared_bytes) {
        return set_last_error(cudaErrorInvalidValue);
    }
    // One limit for all kernels: a kernel that forgot to ask while another did is not told.
    std::size_t wanted = static_cast<std::size_t>(bytes);
    std::size_t allowed = allowed_dynamic_shared;
    while (wanted > allowed && !allowed_dynamic_shared.compare_exchange_weak(allowed, wanted)) {
    }
    return cudaSuccess;
}

void run_grid(const char* kernel, const LaunchConfiguration& launch, void (*body)(void*),
              void* context) {
    if (in_kernel()) {
        fail_here("launched a kernel: dynamic parallelism is not supported by the emulated device");
    }
    if (cudaError_t error = refuse(launch); error != cudaSuccess) {
        set_launch_error(error, kernel, launch);
        return;
    }
    static std::mutex one_launch_at_a_time;  // host threads of the submission may launch too
    std::lock_guard lock(one_launch_at_a_time);
    set_launch_succeeded();
    kernel_name = kernel;
    blockDim = launch.block;
    gridDim = launch.grid;
    dynamic_bytes = launch.shared_bytes;
    Grid grid;
    grid.body = KernelBody{body, context};
    grid.blocks = std::uint64_t{launch.grid.x} * launch.grid.y * launch.grid.z;
    use_alternate_signal_stack();
    workers().run(grid);
}

void fail_here(const char* text) {
    char place[256];
    describe_place(place, sizeof place);
    fail("%s %s", place, text);
}

}  // namespace warpboard::emulation

extern "C" void warpboard_emulation_configure(unsigned threads) {
    warpboard::emulation::configured_threads = std::clamp(threads, 1u, 256u);
}
