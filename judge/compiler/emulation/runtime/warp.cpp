#include "warp.h"

#include <algorithm>

namespace warpboard::emulation {
namespace {

// Calls visit(lane) for each set bit.
template <class Visit>
void for_each_lane(unsigned lanes, Visit visit) {
    for (; lanes != 0; lanes &= lanes - 1) visit(static_cast<unsigned>(__builtin_ctz(lanes)));
}

// The lane that a shuffle reads, as PTX ISA's `shfl` defines it: a source outside the segment of
// `width` lanes means the lane's own value.
unsigned source_lane(const LaneRequest& request, unsigned lane) {
    unsigned width = std::clamp(request.width, 1u, Warp::lanes);
    unsigned first = lane / width * width;
    unsigned past = first + width;
    switch (request.operation) {
        case WarpOperation::shuffle: return first + request.argument % width;
        case WarpOperation::shuffle_up:
            return request.argument <= lane - first ? lane - request.argument : lane;
        case WarpOperation::shuffle_down:
            return request.argument < past - lane ? lane + request.argument : lane;
        case WarpOperation::shuffle_xor: {
            unsigned source = lane ^ request.argument;
            return source < past ? source : lane;
        }
        default: return lane;
    }
}

std::uint64_t reduce(WarpOperation operation, std::uint64_t left, std::uint64_t right) {
    auto a = static_cast<std::uint32_t>(left);
    auto b = static_cast<std::uint32_t>(right);
    auto signed_a = static_cast<std::int32_t>(a);
    auto signed_b = static_cast<std::int32_t>(b);
    switch (operation) {
        case WarpOperation::reduce_add: return a + b;
        case WarpOperation::reduce_min_signed: return signed_b < signed_a ? b : a;
        case WarpOperation::reduce_min_unsigned: return std::min(a, b);
        case WarpOperation::reduce_max_signed: return signed_b > signed_a ? b : a;
        case WarpOperation::reduce_max_unsigned: return std::max(a, b);
        case WarpOperation::reduce_and: return a & b;
        case WarpOperation::reduce_or: return a | b;
        case WarpOperation::reduce_xor: return a ^ b;
        default: return left;
    }
}

}  // namespace

void Warp::compute(unsigned group) {
    const LaneRequest& first = requests[__builtin_ctz(group)];
    switch (first.operation) {
        case WarpOperation::sync:
            return;
        case WarpOperation::shuffle:
        case WarpOperation::shuffle_up:
        case WarpOperation::shuffle_down:
        case WarpOperation::shuffle_xor:
            for_each_lane(group, [&](unsigned lane) {
                unsigned source = source_lane(requests[lane], lane);
                // Reading a lane that takes no part is undefined on a GPU; here it changes nothing.
                if ((group >> source & 1) == 0) source = lane;
                results[lane] = requests[source].value;
            });
            return;
        case WarpOperation::ballot: {
            std::uint64_t votes = 0;
            for_each_lane(group, [&](unsigned lane) {
                votes |= std::uint64_t{requests[lane].value != 0} << lane;
            });
            for_each_lane(group, [&](unsigned lane) { results[lane] = votes; });
            return;
        }
        case WarpOperation::match_any:
            for_each_lane(group, [&](unsigned lane) {
                unsigned same = 0;
                for_each_lane(group, [&](unsigned other) {
                    same |= unsigned{requests[other].value == requests[lane].value} << other;
                });
                results[lane] = same;
            });
            return;
        case WarpOperation::match_all: {
            bool same = true;
            for_each_lane(group, [&](unsigned lane) { same &= requests[lane].value == first.value; });
            for_each_lane(group, [&](unsigned lane) { results[lane] = same ? first.mask : 0; });
            return;
        }
        case WarpOperation::active_mask:
            for_each_lane(group, [&](unsigned lane) { results[lane] = group; });
            return;
        default: {
            std::uint64_t total = first.value;
            for_each_lane(group & (group - 1), [&](unsigned lane) {
                total = reduce(first.operation, total, requests[lane].value);
            });
            for_each_lane(group, [&](unsigned lane) { results[lane] = total; });
            return;
        }
    }
}

unsigned Warp::complete_for(unsigned lane) {
    const LaneRequest& request = requests[lane];
    unsigned group = request.mask & alive;
    if ((posted & group) != group) return 0;
    bool fitting = true;
    for_each_lane(group, [&](unsigned other) {
        const LaneRequest& with = requests[other];
        fitting &= with.mask == request.mask && with.operation == request.operation;
        if (request.operation == WarpOperation::active_mask) fitting &= with.line == request.line;
    });
    if (!fitting) return 0;
    compute(group);
    posted &= ~group;
    return group;
}

unsigned Warp::complete() {
    unsigned served = 0;
    for_each_lane(posted, [&](unsigned lane) {
        if ((served >> lane & 1) == 0) served |= complete_for(lane);
    });
    return served;
}

unsigned Warp::complete_active_masks() {
    unsigned served = 0;
    for_each_lane(posted, [&](unsigned lane) {
        if (requests[lane].operation != WarpOperation::active_mask || (served >> lane & 1)) return;
        unsigned group = 0;
        for_each_lane(posted & ~served, [&](unsigned other) {
            const LaneRequest& with = requests[other];
            if (with.operation == WarpOperation::active_mask && with.line == requests[lane].line) {
                group |= 1u << other;
            }
        });
        compute(group);
        served |= group;
    });
    posted &= ~served;
    return served;
}

}  // namespace warpboard::emulation
