// The smallest test harness: EXPECT notes what does not hold, finish() says how it went.
#pragma once

#include <cstdio>

#include "warpboard_emulation.h"

inline int unmet_expectations = 0;

#define EXPECT(...)                                              \
    do {                                                         \
        if (!(__VA_ARGS__)) {                                    \
            std::printf("line %d: %s\n", __LINE__, #__VA_ARGS__); \
            ++unmet_expectations;                                \
        }                                                        \
    } while (0)

inline int finish() {
    std::printf("%d expectations unmet\n", unmet_expectations);
    return unmet_expectations == 0 ? 0 : 1;
}

// Device memory that the host may read and write too.
template <class T>
T* managed(std::size_t count) {
    T* pointer = nullptr;
    EXPECT(cudaMallocManaged(&pointer, count * sizeof(T)) == cudaSuccess);
    return pointer;
}
