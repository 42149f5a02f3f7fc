// Warp operations, atomics, conversions and elementary functions against known results.
#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <climits>
#include <cmath>

#include "expect.h"

__global__ void shuffles(int* out) {
    int lane = threadIdx.x;
    out[lane] = __shfl_sync(0xffffffff, lane * 10, 5);
    out[32 + lane] = __shfl_up_sync(0xffffffff, lane, 3);
    out[64 + lane] = __shfl_down_sync(0xffffffff, lane, 3, 8);
    out[96 + lane] = __shfl_xor_sync(0xffffffff, lane, 16);
    out[128 + lane] = __shfl_sync(0xffffffff, lane, 9, 8);
    double wide = __shfl_sync(0xffffffff, lane + 0.25, 31);
    out[160 + lane] = wide == 31.25;
    __half narrow = __shfl_down_sync(0xffffffff, __float2half(lane), 1);
    out[192 + lane] = __half2float(narrow);
}

void shuffles_follow_the_ptx_definition() {
    int* out = managed<int>(224);
    shuffles<<<1, 32>>>(out);
    for (int lane = 0; lane < 32; ++lane) {
        EXPECT(out[lane] == 50);
        EXPECT(out[32 + lane] == (lane < 3 ? lane : lane - 3));
        EXPECT(out[64 + lane] == (lane % 8 + 3 < 8 ? lane + 3 : lane));
        EXPECT(out[96 + lane] == (lane ^ 16));
        EXPECT(out[128 + lane] == lane / 8 * 8 + 1);
        EXPECT(out[160 + lane] == 1);
        EXPECT(out[192 + lane] == (lane < 31 ? lane + 1 : 31));
    }
}

__global__ void votes(unsigned* out) {
    unsigned lane = threadIdx.x;
    out[lane] = __ballot_sync(0xffffffff, lane % 2);
    out[32 + lane] = __any_sync(0xffffffff, lane == 7) + 2 * __all_sync(0xffffffff, lane < 31);
    out[64 + lane] = __match_any_sync(0xffffffff, lane % 3);
    int same;
    unsigned all = __match_all_sync(0xffffffff, 1.5f, &same);
    out[96 + lane] = all == 0xffffffff && same;
    out[128 + lane] = __reduce_add_sync(0xffffffff, lane);
    out[160 + lane] = __reduce_min_sync(0xffffffff, (int)lane - 5) == -5 &&
                      __reduce_max_sync(0xffffffff, lane) == 31 &&
                      __reduce_xor_sync(0xffffffff, lane) == 0;
    if (lane < 16) out[192 + lane] = __ballot_sync(0x0000ffff, 1);
    if (lane % 4 == 1) out[208 + lane / 4] = __activemask();
    __syncwarp();
    out[216 + lane] = __syncthreads_count(lane < 9) * 4 + __syncthreads_and(1) * 2 +
                      __syncthreads_or(lane == 31);
}

void votes_count_the_lanes_of_the_mask() {
    auto* out = managed<unsigned>(248);
    votes<<<1, 32>>>(out);
    for (unsigned lane = 0; lane < 32; ++lane) {
        EXPECT(out[lane] == 0xaaaaaaaau);
        EXPECT(out[32 + lane] == 1);
        EXPECT((out[64 + lane] >> lane & 1) && __builtin_popcount(out[64 + lane]) >= 10);
        EXPECT(out[96 + lane] == 1);
        EXPECT(out[128 + lane] == 31 * 32 / 2);
        EXPECT(out[160 + lane] == 1);
        if (lane < 16) EXPECT(out[192 + lane] == 0xffff);
        if (lane < 8) EXPECT(out[208 + lane] == 0x22222222u);
        EXPECT(out[216 + lane] == 9 * 4 + 2 + 1);
    }
}

__global__ void partial_warp(int* out) {
    int value = 1;
    for (int offset = 16; offset > 0; offset /= 2)
        value += __shfl_down_sync(0xffffffff, value, offset) * (threadIdx.x + offset < blockDim.x);
    if (threadIdx.x == 0) *out = value;
}

void lanes_that_do_not_exist_count_as_arrived() {
    int* out = managed<int>(1);
    partial_warp<<<1, 20>>>(out);
    EXPECT(*out == 20);
}

struct Counters {
    int i, lowest, highest, bits;
    unsigned u, wrapped;
    unsigned long long ull;
    float f;
    double d;
    __half h[2];
    __half2 h2;
    __nv_bfloat16 b[2];
};

__global__ void count(Counters* c, int* old) {
    old[threadIdx.x] = atomicAdd(&c->i, 1);
    atomicMin(&c->lowest, -(int)threadIdx.x);
    atomicMax(&c->highest, (int)threadIdx.x);
    atomicOr(&c->bits, 1 << threadIdx.x % 8);
    atomicSub(&c->u, 1u);
    atomicInc(&c->wrapped, 9);
    atomicAdd(&c->ull, 1ULL << 33);
    atomicAdd(&c->f, 0.5f);
    atomicAdd(&c->d, 0.25);
    atomicAdd(&c->h[1], __float2half(1.0f));
    atomicAdd(&c->h2, __floats2half2_rn(1.0f, 2.0f));
    atomicAdd(&c->b[0], __float2bfloat16(1.0f));
    atomicAdd_block(&c->i, 0);
}

void atomics_lose_nothing() {
    auto* c = managed<Counters>(1);
    auto* old = managed<int>(128);
    memset((void*)c, 0, sizeof *c);
    c->u = 1000;
    count<<<1, 128>>>(c, old);
    EXPECT(c->i == 128 && c->lowest == -127 && c->highest == 127 && c->bits == 255);
    EXPECT(c->u == 872 && c->wrapped == 8 && c->ull == 128ULL << 33);
    EXPECT(c->f == 64.0f && c->d == 32.0);
    EXPECT(__half2float(c->h[0]) == 0.0f && __half2float(c->h[1]) == 128.0f);
    EXPECT(__low2float(c->h2) == 128.0f && __high2float(c->h2) == 256.0f);
    EXPECT(__bfloat162float(c->b[0]) == 128.0f);
    long long sum = 0;
    for (int i = 0; i < 128; ++i) sum += old[i];
    EXPECT(sum == 127 * 128 / 2);
}

__device__ void conversions() {
    EXPECT(__float2int_rn(2.5f) == 2 && __float2int_rz(-2.9f) == -2);
    EXPECT(__float2int_rd(-2.1f) == -3 && __float2int_ru(2.1f) == 3);
    EXPECT(__float2int_rz(1e20f) == INT_MAX && __float2int_rn(NAN) == 0);
    EXPECT(__float2uint_rz(-1.0f) == 0 && __double2ll_rn(-0.5) == 0);
    EXPECT(__float2uint_rn(4294967296.0f) == UINT_MAX);
    EXPECT(__float_as_int(1.0f) == 0x3f800000 && __int_as_float(0x40000000) == 2.0f);
    EXPECT(__hiloint2double(__double2hiint(3.7), __double2loint(3.7)) == 3.7);
    EXPECT(__half2int_rd(__float2half(-1.5f)) == -2);
}

__device__ void integers() {
    EXPECT(__popc(0xf0f0u) == 8 && __popcll(~0ULL) == 64);
    EXPECT(__clz(1) == 31 && __clz(0) == 32 && __clzll(1) == 63);
    EXPECT(__ffs(8) == 4 && __ffs(0) == 0 && __brev(1u) == 0x80000000u);
    EXPECT(__brevll(1) == 1ULL << 63);
    EXPECT(__mulhi(1 << 30, 8) == 2 && __umulhi(0x80000000u, 4) == 2);
    EXPECT(__umul64hi(1ULL << 63, 4) == 2 && __mul24(-3, 5) == -15);
    EXPECT(__hadd(7, 8) == 7 && __rhadd(7, 8) == 8 && __sad(-3, 4, 10u) == 17);
    EXPECT(__funnelshift_l(0x80000000u, 1u, 1) == 3u && __funnelshift_r(0u, 1u, 1) == 0x80000000u);
    EXPECT(__byte_perm(0x33221100u, 0x77665544u, 0x7610) == 0x77661100u);
    EXPECT(__dp4a(0x01ff0203, 0x02020202, 10) == 10 + 2 * (1 - 1 + 2 + 3));
    EXPECT(min(3, 4u) == 3u && max(2, 3.5f) == 3.5f && max(NAN, 1.0f) == 1.0f);
    EXPECT(min(1.0, NAN) == 1.0);
}

__device__ void elementary_functions() {
    auto near = [](double a, double b) { return fabs(a - b) <= 1e-6 * fabs(b); };
    EXPECT(near(rsqrtf(4.0f), 0.5) && near(__expf(1.0f), M_E) && near(__logf(10.0f), log(10.0)));
    EXPECT(near(__powf(2.0f, 10.0f), 1024) && near(exp10f(2.0f), 100) && near(exp2f(3.0f), 8));
    EXPECT(near(normcdff(0.0f), 0.5) && near(normcdf(1.0), 0.8413447460685429));
    EXPECT(sinpif(1.0f) == 0.0f && near(cospi(1e6), 1.0) && near(erff(0.5f), erf(0.5)));
    EXPECT(__saturatef(NAN) == 0.0f && __saturatef(2.0f) == 1.0f);
    EXPECT(near(rhypotf(3, 4), 0.2) && near(norm3df(1, 2, 2), 3) && near(cbrtf(27), 3));
    float sine, cosine;
    sincosf(0.5f, &sine, &cosine);
    __sincosf(0.5f, &sine, &cosine);
    EXPECT(near(sine, sin(0.5)) && near(cosine, cos(0.5)));
    EXPECT(near(__fdividef(1, 3), 1.0 / 3) && near(__frcp_rn(3), 1.0 / 3));
    float a = 1.0f + 0x1p-12f;
    EXPECT(__fadd_rn(__fmul_rn(a, a), -1.0f) == 0x1p-11f);  // not contracted
    EXPECT(__fmaf_rn(a, a, -1.0f) == 0x1p-11f + 0x1p-24f);
}

__device__ void half_precision() {
    __half one = __float2half(1.0f), two = 2.0f;
    EXPECT(__half2float(__hfma(two, two, one)) == 5.0f && __half2float(one + two * two) == 5.0f);
    EXPECT(__half2float(hexp(one)) == 2.71875f && __half2float(hsqrt(__float2half(16.0f))) == 4.0f);
    EXPECT(__hgt(two, one) && two > one && __half2float(__hmax(one, two)) == 2.0f);
    __half2 pair = __hfma2(__half2half2(two), __halves2half2(one, two), __float2half2_rn(0.5f));
    EXPECT(__low2float(pair) == 2.5f && __high2float(pair) == 4.5f);
    EXPECT(__half2float(__hfma_relu(two, __float2half(-1.0f), one)) == 0.0f);
    __nv_bfloat16 third = __float2bfloat16(1.0f / 3);
    EXPECT(__bfloat162float(hrcp(third)) == 3.0f && __bfloat162float(third * third) < 0.112f);
    float2 both = __half22float2(pair);
    EXPECT(both.x + both.y == 7.0f);
    EXPECT(__half2float(__ldg(&two)) == 2.0f);
}

__global__ void on_the_device() {
    conversions();
    integers();
    elementary_functions();
    half_precision();
    long long before = clock64();
    __nanosleep(10);
    EXPECT(clock64() >= before);
}

int main() {
    warpboard_emulation_install_crash_handler();
    shuffles_follow_the_ptx_definition();
    votes_count_the_lanes_of_the_mask();
    lanes_that_do_not_exist_count_as_arrived();
    atomics_lose_nothing();
    on_the_device<<<1, 1>>>();
    return finish();
}
