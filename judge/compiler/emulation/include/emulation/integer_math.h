// Integer device functions: bits, wide products, averages, dot products of packed bytes.
#pragma once

#include "emulation/runtime_interface.h"


inline int __popc(unsigned x) { return __builtin_popcount(x); }
inline int __popcll(unsigned long long x) { return __builtin_popcountll(x); }
inline int __clz(int x) { return x == 0 ? 32 : __builtin_clz(static_cast<unsigned>(x)); }
inline int __clzll(long long x) {
    return x == 0 ? 64 : __builtin_clzll(static_cast<unsigned long long>(x));
}
inline int __ffs(int x) { return __builtin_ffs(x); }
inline int __ffsll(long long x) { return __builtin_ffsll(x); }

inline unsigned __brev(unsigned x) {
    x = (x >> 1 & 0x55555555u) | (x & 0x55555555u) << 1;
    x = (x >> 2 & 0x33333333u) | (x & 0x33333333u) << 2;
    x = (x >> 4 & 0x0f0f0f0fu) | (x & 0x0f0f0f0fu) << 4;
    return __builtin_bswap32(x);
}
inline unsigned long long __brevll(unsigned long long x) {
    return static_cast<unsigned long long>(__brev(static_cast<unsigned>(x))) << 32 |
           __brev(static_cast<unsigned>(x >> 32));
}

inline int __mul24(int x, int y) {
    auto low = [](int v) { return static_cast<int>(static_cast<unsigned>(v) << 8) >> 8; };
    return static_cast<int>(static_cast<unsigned>(low(x)) * static_cast<unsigned>(low(y)));
}
inline unsigned __umul24(unsigned x, unsigned y) { return (x & 0xffffffu) * (y & 0xffffffu); }
inline int __mulhi(int x, int y) { return static_cast<int>(warpboard::emulation::Signed64{x} * y >> 32); }
inline unsigned __umulhi(unsigned x, unsigned y) {
    return static_cast<unsigned>(warpboard::emulation::Unsigned64{x} * y >> 32);
}
inline long long __mul64hi(long long x, long long y) {
    return static_cast<long long>(static_cast<__int128>(x) * y >> 64);
}
inline unsigned long long __umul64hi(unsigned long long x, unsigned long long y) {
    return static_cast<unsigned long long>(static_cast<unsigned __int128>(x) * y >> 64);
}

inline int __hadd(int x, int y) { return static_cast<int>((warpboard::emulation::Signed64{x} + y) >> 1); }
inline int __rhadd(int x, int y) { return static_cast<int>((warpboard::emulation::Signed64{x} + y + 1) >> 1); }
inline unsigned __uhadd(unsigned x, unsigned y) {
    return static_cast<unsigned>((warpboard::emulation::Unsigned64{x} + y) >> 1);
}
inline unsigned __urhadd(unsigned x, unsigned y) {
    return static_cast<unsigned>((warpboard::emulation::Unsigned64{x} + y + 1) >> 1);
}
inline unsigned __sad(int x, int y, unsigned sum) {
    return sum + static_cast<unsigned>(x < y ? warpboard::emulation::Signed64{y} - x : warpboard::emulation::Signed64{x} - y);
}
inline unsigned __usad(unsigned x, unsigned y, unsigned sum) { return sum + (x < y ? y - x : x - y); }

// The wrapping forms take the shift modulo 32, the clamping ones at most 32.
inline unsigned __funnelshift_l(unsigned low, unsigned high, unsigned shift) {
    return static_cast<unsigned>((warpboard::emulation::Unsigned64{high} << 32 | low) << (shift & 31) >> 32);
}
inline unsigned __funnelshift_r(unsigned low, unsigned high, unsigned shift) {
    return static_cast<unsigned>((warpboard::emulation::Unsigned64{high} << 32 | low) >> (shift & 31));
}
inline unsigned __funnelshift_lc(unsigned low, unsigned high, unsigned shift) {
    return shift >= 32 ? low : __funnelshift_l(low, high, shift);
}
inline unsigned __funnelshift_rc(unsigned low, unsigned high, unsigned shift) {
    return shift >= 32 ? high : __funnelshift_r(low, high, shift);
}

// Picks four of the eight bytes of {y, x}; the top bit of a selector replicates the byte's sign.
inline unsigned __byte_perm(unsigned x, unsigned y, unsigned selectors) {
    warpboard::emulation::Unsigned64 bytes = warpboard::emulation::Unsigned64{y} << 32 | x;
    unsigned result = 0;
    for (int i = 0; i < 4; ++i) {
        unsigned selector = selectors >> 4 * i & 0xf;
        auto byte = static_cast<unsigned>(bytes >> 8 * (selector & 7) & 0xff);
        if (selector & 8) byte = byte & 0x80 ? 0xff : 0;
        result |= byte << 8 * i;
    }
    return result;
}

inline int __dp4a(int a, int b, int sum) {
    for (int i = 0; i < 32; i += 8) {
        sum += static_cast<warpboard::emulation::Signed8>(a >> i) * static_cast<warpboard::emulation::Signed8>(b >> i);
    }
    return sum;
}
inline unsigned __dp4a(unsigned a, unsigned b, unsigned sum) {
    for (int i = 0; i < 32; i += 8) sum += (a >> i & 0xff) * (b >> i & 0xff);
    return sum;
}
