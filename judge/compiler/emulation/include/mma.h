// Warp matrix multiply-accumulate (nvcuda::wmma) for the emulated device, in place of NVIDIA's header.
//
// How a fragment's elements lie in the lanes is unspecified in CUDA; here element i of a tile, row
// by row, is in lane i % 32. A product is computed by all lanes from a staging copy of the tiles.
#pragma once

#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <cstring>
#include <type_traits>

#include "emulation/language.h"
#include "emulation/warp.h"

namespace nvcuda::wmma {

struct matrix_a {};
struct matrix_b {};
struct accumulator {};
struct row_major {};
struct col_major {};
enum layout_t { mem_row_major, mem_col_major };

namespace precision {
struct tf32 {};
}

namespace detail {

constexpr unsigned lanes = 32;
constexpr unsigned most_warps = 32;

template <class T>
struct Storage {
    using type = T;
};
template <>
struct Storage<precision::tf32> {
    using type = float;
};

// What products are summed in: exact for the narrow types' products.
template <class T>
using Wide = std::conditional_t<std::is_integral_v<T>, int,
                                std::conditional_t<std::is_same_v<T, double>, double, float>>;

inline void meet(int line, const char* name) {
    warpboard::emulation::collective(warpboard::emulation::WarpOperation::sync, 0xffffffffu, 0,
                                     line, name);
}

}  // namespace detail

template <class Use, int M, int N, int K, class T, class Layout = void>
struct fragment {
    static constexpr int rows = std::is_same_v<Use, matrix_b> ? K : M;
    static constexpr int columns = std::is_same_v<Use, matrix_a> ? K : N;
    static_assert(rows * columns % detail::lanes == 0, "no such fragment shape");
    using element_type = typename detail::Storage<T>::type;
    using storage_element_type = element_type;
    static constexpr int num_elements = rows * columns / detail::lanes;
    static constexpr int num_storage_elements = num_elements;
    element_type x[num_elements];
};

namespace detail {

// Calls visit(element, row, column) for each element that the calling lane holds.
template <class Fragment, class Visit>
void for_each_element(Fragment& fragment, Visit visit) {
    unsigned lane = warpboard::emulation::lane_index();
    for (int slot = 0; slot < Fragment::num_elements; ++slot) {
        int element = slot * static_cast<int>(lanes) + static_cast<int>(lane);
        visit(fragment.x[slot], element / Fragment::columns, element % Fragment::columns);
    }
}

template <class Fragment, class Pointer>
void load(Fragment& fragment, Pointer from, unsigned stride, bool by_columns) {
    for_each_element(fragment, [&](auto& element, int row, int column) {
        element = by_columns ? from[column * stride + row] : from[row * stride + column];
    });
}

}  // namespace detail

template <class Use, int M, int N, int K, class T, class Layout, class Value>
void fill_fragment(fragment<Use, M, N, K, T, Layout>& fragment, const Value& value) {
    for (auto& element : fragment.x) element = value;
}

template <class Use, int M, int N, int K, class T, class Layout, class P>
void load_matrix_sync(fragment<Use, M, N, K, T, Layout>& fragment, const P* from, unsigned stride,
                      int line = __builtin_LINE()) {
    detail::meet(line, "load_matrix_sync()");
    detail::load(fragment, from, stride, std::is_same_v<Layout, col_major>);
}

template <int M, int N, int K, class T, class P>
void load_matrix_sync(fragment<accumulator, M, N, K, T>& fragment, const P* from, unsigned stride,
                      layout_t layout, int line = __builtin_LINE()) {
    detail::meet(line, "load_matrix_sync()");
    detail::load(fragment, from, stride, layout == mem_col_major);
}

template <int M, int N, int K, class T, class P>
void store_matrix_sync(P* to, const fragment<accumulator, M, N, K, T>& fragment, unsigned stride,
                       layout_t layout, int line = __builtin_LINE()) {
    detail::meet(line, "store_matrix_sync()");
    detail::for_each_element(fragment, [&](const auto& element, int row, int column) {
        to[layout == mem_col_major ? column * stride + row : row * stride + column] = element;
    });
}

template <int M, int N, int K, class T, class A, class B, class LayoutA, class LayoutB, class C>
void mma_sync(fragment<accumulator, M, N, K, T>& d,
              const fragment<matrix_a, M, N, K, A, LayoutA>& a,
              const fragment<matrix_b, M, N, K, B, LayoutB>& b,
              const fragment<accumulator, M, N, K, C>& c, bool saturate = false,
              int line = __builtin_LINE()) {
    static_cast<void>(saturate);
    using Wide = detail::Wide<typename detail::Storage<A>::type>;
    static thread_local Wide left[detail::most_warps][M * K];
    static thread_local Wide right[detail::most_warps][K * N];
    unsigned warp = warpboard::emulation::thread_rank() / detail::lanes;
    detail::for_each_element(a, [&](const auto& element, int row, int column) {
        left[warp][row * K + column] = static_cast<Wide>(element);
    });
    detail::for_each_element(b, [&](const auto& element, int row, int column) {
        right[warp][row * N + column] = static_cast<Wide>(element);
    });
    detail::meet(line, "mma_sync()");
    fragment<accumulator, M, N, K, T> result;
    for (int slot = 0; slot < result.num_elements; ++slot) {
        result.x[slot] = static_cast<T>(c.x[slot]);
    }
    detail::for_each_element(result, [&](T& element, int row, int column) {
        Wide sum = static_cast<Wide>(element);
        for (int k = 0; k < K; ++k) sum += left[warp][row * K + k] * right[warp][k * N + column];
        element = static_cast<T>(sum);
    });
    detail::meet(line, "mma_sync()");  // the staging copy is free again
    d = result;
}

// Rounds to TF32's ten explicit bits of significand, ties away from zero (PTX ISA, cvt.rna.tf32).
inline float __float_to_tf32(float value) {
    warpboard::emulation::Unsigned32 bits;
    std::memcpy(&bits, &value, sizeof bits);
    if ((bits & 0x7f800000u) != 0x7f800000u) bits = (bits + 0x1000u) & ~0x1fffu;
    std::memcpy(&value, &bits, sizeof bits);
    return value;
}

}  // namespace nvcuda::wmma
