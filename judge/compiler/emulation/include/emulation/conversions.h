// Conversions with a rounding mode, and bits seen as another type.
//
// CUDA's float-to-integer conversions saturate and take NaN to zero (PTX ISA, cvt).
#pragma once

#include <cstring>
#include <limits>
#include <math.h>

namespace warpboard::emulation {

template <class To, class From>
To saturating(From value) {
    if (value != value) return 0;
    constexpr From low = static_cast<From>(std::numeric_limits<To>::min());
    constexpr From past = static_cast<From>(std::numeric_limits<To>::max() / 2 + 1) * 2;
    if (value < low) return std::numeric_limits<To>::min();
    if (value >= past) return std::numeric_limits<To>::max();
    return static_cast<To>(value);
}

template <class To, class From>
To bits_as(From value) {
    static_assert(sizeof(To) == sizeof(From));
    To result;
    std::memcpy(&result, &value, sizeof result);
    return result;
}

}  // namespace warpboard::emulation

#define WARPBOARD_TO_INTEGER(FROM, FROM_NAME, TO, TO_NAME)                                   \
    inline TO __##FROM_NAME##2##TO_NAME##_rn(FROM x) {                                       \
        return warpboard::emulation::saturating<TO>(rint(x));                                \
    }                                                                                        \
    inline TO __##FROM_NAME##2##TO_NAME##_rz(FROM x) {                                       \
        return warpboard::emulation::saturating<TO>(trunc(x));                               \
    }                                                                                        \
    inline TO __##FROM_NAME##2##TO_NAME##_rd(FROM x) {                                       \
        return warpboard::emulation::saturating<TO>(floor(x));                               \
    }                                                                                        \
    inline TO __##FROM_NAME##2##TO_NAME##_ru(FROM x) {                                       \
        return warpboard::emulation::saturating<TO>(ceil(x));                                \
    }
WARPBOARD_TO_INTEGER(float, float, int, int)
WARPBOARD_TO_INTEGER(float, float, unsigned, uint)
WARPBOARD_TO_INTEGER(float, float, long long, ll)
WARPBOARD_TO_INTEGER(float, float, unsigned long long, ull)
WARPBOARD_TO_INTEGER(double, double, int, int)
WARPBOARD_TO_INTEGER(double, double, unsigned, uint)
WARPBOARD_TO_INTEGER(double, double, long long, ll)
WARPBOARD_TO_INTEGER(double, double, unsigned long long, ull)
#undef WARPBOARD_TO_INTEGER

inline float __int2float_rn(int x) { return static_cast<float>(x); }
inline float __uint2float_rn(unsigned x) { return static_cast<float>(x); }
inline float __ll2float_rn(long long x) { return static_cast<float>(x); }
inline float __ull2float_rn(unsigned long long x) { return static_cast<float>(x); }
inline double __int2double_rn(int x) { return x; }
inline double __uint2double_rn(unsigned x) { return x; }
inline double __ll2double_rn(long long x) { return static_cast<double>(x); }
inline double __ull2double_rn(unsigned long long x) { return static_cast<double>(x); }
inline float __double2float_rn(double x) { return static_cast<float>(x); }

inline int __float_as_int(float x) { return warpboard::emulation::bits_as<int>(x); }
inline unsigned __float_as_uint(float x) { return warpboard::emulation::bits_as<unsigned>(x); }
inline float __int_as_float(int x) { return warpboard::emulation::bits_as<float>(x); }
inline float __uint_as_float(unsigned x) { return warpboard::emulation::bits_as<float>(x); }
inline long long __double_as_longlong(double x) {
    return warpboard::emulation::bits_as<long long>(x);
}
inline double __longlong_as_double(long long x) { return warpboard::emulation::bits_as<double>(x); }
inline int __double2hiint(double x) { return static_cast<int>(__double_as_longlong(x) >> 32); }
inline int __double2loint(double x) { return static_cast<int>(__double_as_longlong(x)); }
inline double __hiloint2double(int high, int low) {
    return __longlong_as_double(static_cast<long long>(high) << 32 | static_cast<unsigned>(low));
}
