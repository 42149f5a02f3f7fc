// What cuda_fp16.h and cuda_bf16.h leave to the device: fused multiply-adds, elementary functions
// and conversions with a rounding mode, the same for both types. Computed wider, rounded once.
#pragma once

#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <math.h>

#include "emulation/atomics.h"
#include "emulation/conversions.h"
#include "emulation/float_math.h"

namespace warpboard::emulation {

template <>
inline constexpr bool has_floating_atomics<__half> = true;
template <>
inline constexpr bool has_floating_atomics<__half2> = true;
template <>
inline constexpr bool has_floating_atomics<__nv_bfloat16> = true;
template <>
inline constexpr bool has_floating_atomics<__nv_bfloat162> = true;

// One rounding: the product of two 11-bit significands is exact in double, and so is its sum with
// a third but for the rarest exponents.
inline __half fused(__half a, __half b, __half c) {
    return __double2half(fma(static_cast<double>(__half2float(a)),
                             static_cast<double>(__half2float(b)),
                             static_cast<double>(__half2float(c))));
}
inline __nv_bfloat16 fused(__nv_bfloat16 a, __nv_bfloat16 b, __nv_bfloat16 c) {
    return __double2bfloat16(fma(static_cast<double>(__bfloat162float(a)),
                                 static_cast<double>(__bfloat162float(b)),
                                 static_cast<double>(__bfloat162float(c))));
}

template <class T>
T zero_if_negative(T value) {
    return value < T(0.0f) ? T(0.0f) : value;
}

template <class T>
T clamped_to_unit(T value) {
    return T(__saturatef(static_cast<float>(value)));
}

}  // namespace warpboard::emulation

#define WARPBOARD_FUSED(SCALAR, PAIR)                                                          \
    inline SCALAR __hfma(SCALAR a, SCALAR b, SCALAR c) {                                       \
        return warpboard::emulation::fused(a, b, c);                                           \
    }                                                                                          \
    inline SCALAR __hfma_relu(SCALAR a, SCALAR b, SCALAR c) {                                  \
        return warpboard::emulation::zero_if_negative(__hfma(a, b, c));                        \
    }                                                                                          \
    inline SCALAR __hfma_sat(SCALAR a, SCALAR b, SCALAR c) {                                   \
        return warpboard::emulation::clamped_to_unit(__hfma(a, b, c));                         \
    }                                                                                          \
    inline PAIR __hfma2(PAIR a, PAIR b, PAIR c) {                                              \
        return PAIR(__hfma(a.x, b.x, c.x), __hfma(a.y, b.y, c.y));                             \
    }                                                                                          \
    inline PAIR __hfma2_relu(PAIR a, PAIR b, PAIR c) {                                         \
        return PAIR(__hfma_relu(a.x, b.x, c.x), __hfma_relu(a.y, b.y, c.y));                   \
    }                                                                                          \
    inline PAIR __hfma2_sat(PAIR a, PAIR b, PAIR c) {                                          \
        return PAIR(__hfma_sat(a.x, b.x, c.x), __hfma_sat(a.y, b.y, c.y));                     \
    }
WARPBOARD_FUSED(__half, __half2)
WARPBOARD_FUSED(__nv_bfloat16, __nv_bfloat162)
#undef WARPBOARD_FUSED

#define WARPBOARD_HALF_FUNCTION_OF(SCALAR, PAIR, NAME, EXPRESSION)     \
    inline SCALAR h##NAME(SCALAR value) {                              \
        float x = static_cast<float>(value);                           \
        return SCALAR(static_cast<float>(EXPRESSION));                 \
    }                                                                  \
    inline PAIR h2##NAME(PAIR value) { return PAIR(h##NAME(value.x), h##NAME(value.y)); }
#define WARPBOARD_HALF_FUNCTION(NAME, EXPRESSION)                          \
    WARPBOARD_HALF_FUNCTION_OF(__half, __half2, NAME, EXPRESSION)          \
    WARPBOARD_HALF_FUNCTION_OF(__nv_bfloat16, __nv_bfloat162, NAME, EXPRESSION)
WARPBOARD_HALF_FUNCTION(ceil, ceilf(x))
WARPBOARD_HALF_FUNCTION(floor, floorf(x))
WARPBOARD_HALF_FUNCTION(rint, rintf(x))
WARPBOARD_HALF_FUNCTION(trunc, truncf(x))
WARPBOARD_HALF_FUNCTION(sqrt, sqrtf(x))
WARPBOARD_HALF_FUNCTION(rsqrt, 1.0f / sqrtf(x))
WARPBOARD_HALF_FUNCTION(rcp, 1.0f / x)
WARPBOARD_HALF_FUNCTION(exp, expf(x))
WARPBOARD_HALF_FUNCTION(exp2, exp2f(x))
WARPBOARD_HALF_FUNCTION(exp10, exp10f(x))
WARPBOARD_HALF_FUNCTION(log, logf(x))
WARPBOARD_HALF_FUNCTION(log2, log2f(x))
WARPBOARD_HALF_FUNCTION(log10, log10f(x))
WARPBOARD_HALF_FUNCTION(sin, sinf(x))
WARPBOARD_HALF_FUNCTION(cos, cosf(x))
WARPBOARD_HALF_FUNCTION(tanh, tanhf(x))
WARPBOARD_HALF_FUNCTION(tanh_approx, tanhf(x))
#undef WARPBOARD_HALF_FUNCTION
#undef WARPBOARD_HALF_FUNCTION_OF

#define WARPBOARD_HALF_TO_INTEGER_OF(SCALAR, SCALAR_NAME, TO, TO_NAME, MODE, ROUND)             \
    inline TO __##SCALAR_NAME##2##TO_NAME##_##MODE(SCALAR value) {                              \
        return warpboard::emulation::saturating<TO>(ROUND(static_cast<float>(value)));          \
    }
#define WARPBOARD_HALF_TO_INTEGER(TO, TO_NAME)                                                  \
    WARPBOARD_HALF_TO_INTEGER_OF(__half, half, TO, TO_NAME, rn, rintf)                          \
    WARPBOARD_HALF_TO_INTEGER_OF(__half, half, TO, TO_NAME, rd, floorf)                         \
    WARPBOARD_HALF_TO_INTEGER_OF(__half, half, TO, TO_NAME, ru, ceilf)                          \
    WARPBOARD_HALF_TO_INTEGER_OF(__nv_bfloat16, bfloat16, TO, TO_NAME, rn, rintf)               \
    WARPBOARD_HALF_TO_INTEGER_OF(__nv_bfloat16, bfloat16, TO, TO_NAME, rd, floorf)              \
    WARPBOARD_HALF_TO_INTEGER_OF(__nv_bfloat16, bfloat16, TO, TO_NAME, ru, ceilf)
WARPBOARD_HALF_TO_INTEGER(short, short)
WARPBOARD_HALF_TO_INTEGER(unsigned short, ushort)
WARPBOARD_HALF_TO_INTEGER(int, int)
WARPBOARD_HALF_TO_INTEGER(unsigned, uint)
WARPBOARD_HALF_TO_INTEGER(long long, ll)
WARPBOARD_HALF_TO_INTEGER(unsigned long long, ull)
#undef WARPBOARD_HALF_TO_INTEGER
#undef WARPBOARD_HALF_TO_INTEGER_OF
