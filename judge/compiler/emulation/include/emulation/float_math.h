// Floating-point device functions that the C library does not have, and CUDA's min and max.
//
// Fast intrinsics (__expf, …) are the accurate functions here: a result within the accurate
// function's error is within the intrinsic's.
#pragma once

#include <math.h>

#include <type_traits>

namespace warpboard::emulation {

// Hides a value from the compiler, so that it is not contracted into a fused multiply-add: the
// _rn functions promise separate roundings.
template <class T>
T rounded(T value) {
#if defined(__x86_64__)
    asm("" : "+x"(value));
#elif defined(__aarch64__)
    asm("" : "+w"(value));
#endif
    return value;
}

template <class T>
concept arithmetic = std::is_arithmetic_v<T>;

}  // namespace warpboard::emulation

// As fmin and fmax: a NaN gives way to a number.
template <warpboard::emulation::arithmetic A, warpboard::emulation::arithmetic B>
constexpr std::common_type_t<A, B> min(A a, B b) {
    using T = std::common_type_t<A, B>;
    T left = static_cast<T>(a), right = static_cast<T>(b);
    return right < left || left != left ? right : left;
}

template <warpboard::emulation::arithmetic A, warpboard::emulation::arithmetic B>
constexpr std::common_type_t<A, B> max(A a, B b) {
    using T = std::common_type_t<A, B>;
    T left = static_cast<T>(a), right = static_cast<T>(b);
    return left < right || left != left ? right : left;
}

inline unsigned umin(unsigned a, unsigned b) { return min(a, b); }
inline unsigned umax(unsigned a, unsigned b) { return max(a, b); }
inline long long llmin(long long a, long long b) { return min(a, b); }
inline long long llmax(long long a, long long b) { return max(a, b); }
inline unsigned long long ullmin(unsigned long long a, unsigned long long b) { return min(a, b); }
inline unsigned long long ullmax(unsigned long long a, unsigned long long b) { return max(a, b); }

// Fast intrinsics.
inline float __expf(float x) { return expf(x); }
inline float __exp10f(float x) { return exp10f(x); }
inline float __logf(float x) { return logf(x); }
inline float __log2f(float x) { return log2f(x); }
inline float __log10f(float x) { return log10f(x); }
inline float __sinf(float x) { return sinf(x); }
inline float __cosf(float x) { return cosf(x); }
inline float __tanf(float x) { return tanf(x); }
inline float __tanhf(float x) { return tanhf(x); }
inline float __powf(float x, float y) { return powf(x, y); }
inline void __sincosf(float x, float* sine, float* cosine) { sincosf(x, sine, cosine); }
inline float __fdividef(float x, float y) { return x / y; }
inline float fdividef(float x, float y) { return x / y; }
inline float __saturatef(float x) { return x > 0.0f ? (x < 1.0f ? x : 1.0f) : 0.0f; }

// Roots, norms and their reciprocals.
inline float rsqrtf(float x) { return 1.0f / sqrtf(x); }
inline double rsqrt(double x) { return 1.0 / sqrt(x); }
inline float rsqrt(float x) { return rsqrtf(x); }
inline float rcbrtf(float x) { return 1.0f / cbrtf(x); }
inline double rcbrt(double x) { return 1.0 / cbrt(x); }
inline float rhypotf(float x, float y) { return 1.0f / hypotf(x, y); }
inline double rhypot(double x, double y) { return 1.0 / hypot(x, y); }
inline float norm3df(float x, float y, float z) { return sqrtf(x * x + y * y + z * z); }
inline double norm3d(double x, double y, double z) { return sqrt(x * x + y * y + z * z); }
inline float rnorm3df(float x, float y, float z) { return 1.0f / norm3df(x, y, z); }
inline float norm4df(float x, float y, float z, float w) {
    return sqrtf(x * x + y * y + z * z + w * w);
}
inline float rnorm4df(float x, float y, float z, float w) { return 1.0f / norm4df(x, y, z, w); }

// Functions of pi times the argument, reduced to half a turn around zero first: zeros are exact.
inline double sinpi(double x) {
    double turn = remainder(x, 2.0);
    if (turn > 0.5) turn = 1.0 - turn;
    if (turn < -0.5) turn = -1.0 - turn;
    return sin(M_PI * turn);
}
inline double cospi(double x) { return sinpi(0.5 - fabs(remainder(x, 2.0))); }
inline float sinpif(float x) { return static_cast<float>(sinpi(x)); }
inline float cospif(float x) { return static_cast<float>(cospi(x)); }
inline void sincospi(double x, double* sine, double* cosine) {
    *sine = sinpi(x);
    *cosine = cospi(x);
}
inline void sincospif(float x, float* sine, float* cosine) {
    *sine = sinpif(x);
    *cosine = cospif(x);
}

// The standard normal distribution function, by erfc: no cancellation in the lower tail.
inline double normcdf(double x) { return 0.5 * erfc(-x * M_SQRT1_2); }
inline float normcdff(float x) { return 0.5f * erfcf(-x * static_cast<float>(M_SQRT1_2)); }

// Rounded to nearest, never contracted.
inline float __fadd_rn(float x, float y) { return warpboard::emulation::rounded(x + y); }
inline float __fsub_rn(float x, float y) { return warpboard::emulation::rounded(x - y); }
inline float __fmul_rn(float x, float y) { return warpboard::emulation::rounded(x * y); }
inline float __fdiv_rn(float x, float y) { return x / y; }
inline float __frcp_rn(float x) { return 1.0f / x; }
inline float __fsqrt_rn(float x) { return sqrtf(x); }
inline float __frsqrt_rn(float x) { return static_cast<float>(1.0 / sqrt(static_cast<double>(x))); }
inline float __fmaf_rn(float x, float y, float z) { return fmaf(x, y, z); }
inline double __dadd_rn(double x, double y) { return warpboard::emulation::rounded(x + y); }
inline double __dsub_rn(double x, double y) { return warpboard::emulation::rounded(x - y); }
inline double __dmul_rn(double x, double y) { return warpboard::emulation::rounded(x * y); }
inline double __ddiv_rn(double x, double y) { return x / y; }
inline double __drcp_rn(double x) { return 1.0 / x; }
inline double __dsqrt_rn(double x) { return sqrt(x); }
inline double __fma_rn(double x, double y, double z) { return fma(x, y, z); }
