// Streams and events. Work is done by the time a launch or a copy returns, so streams are tokens
// and an event is the time at which it was recorded.
#include <cuda_runtime_api.h>
#include <time.h>

#include <cstdint>

#include "last_error.h"

struct CUstream_st {
    unsigned flags;
    int priority;
};

struct CUevent_st {
    bool timed;
    bool recorded;
    std::int64_t nanoseconds;
};

using namespace warpboard::emulation;

namespace {

std::int64_t monotonic_nanoseconds() {
    timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return std::int64_t{now.tv_sec} * 1'000'000'000 + now.tv_nsec;
}

cudaError_t create_stream(cudaStream_t* stream, unsigned flags, int priority) {
    if (stream == nullptr) return set_last_error(cudaErrorInvalidValue);
    *stream = new CUstream_st{flags, priority};
    return cudaSuccess;
}

cudaError_t create_event(cudaEvent_t* event, unsigned flags) {
    if (event == nullptr) return set_last_error(cudaErrorInvalidValue);
    *event = new CUevent_st{(flags & cudaEventDisableTiming) == 0, false, 0};
    return cudaSuccess;
}

cudaError_t known(cudaEvent_t event) {
    return set_last_error(event == nullptr ? cudaErrorInvalidResourceHandle : cudaSuccess);
}

// The two special handles cudaStreamLegacy and cudaStreamPerThread are small integers.
bool is_created(cudaStream_t stream) { return reinterpret_cast<std::uintptr_t>(stream) > 2; }

}  // namespace

extern "C" {

cudaError_t cudaStreamCreate(cudaStream_t* stream) { return create_stream(stream, 0, 0); }

cudaError_t cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned flags) {
    return create_stream(stream, flags, 0);
}

cudaError_t cudaStreamCreateWithPriority(cudaStream_t* stream, unsigned flags, int priority) {
    return create_stream(stream, flags, priority);
}

cudaError_t cudaStreamGetPriority(cudaStream_t stream, int* priority) {
    *priority = is_created(stream) ? stream->priority : 0;
    return cudaSuccess;
}

cudaError_t cudaStreamGetFlags(cudaStream_t stream, unsigned* flags) {
    *flags = is_created(stream) ? stream->flags : 0;
    return cudaSuccess;
}

cudaError_t cudaStreamDestroy(cudaStream_t stream) {
    if (!is_created(stream)) return set_last_error(cudaErrorInvalidResourceHandle);
    delete stream;
    return cudaSuccess;
}

cudaError_t cudaStreamSynchronize(cudaStream_t) { return cudaSuccess; }
cudaError_t cudaStreamQuery(cudaStream_t) { return cudaSuccess; }
cudaError_t cudaStreamWaitEvent(cudaStream_t, cudaEvent_t event, unsigned) { return known(event); }

cudaError_t cudaStreamAddCallback(cudaStream_t stream, cudaStreamCallback_t callback,
                                  void* user_data, unsigned) {
    callback(stream, cudaSuccess, user_data);
    return cudaSuccess;
}

cudaError_t cudaLaunchHostFunc(cudaStream_t, cudaHostFn_t function, void* user_data) {
    function(user_data);
    return cudaSuccess;
}

cudaError_t cudaEventCreate(cudaEvent_t* event) { return create_event(event, cudaEventDefault); }

cudaError_t cudaEventCreateWithFlags(cudaEvent_t* event, unsigned flags) {
    return create_event(event, flags);
}

cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t) {
    if (cudaError_t error = known(event); error != cudaSuccess) return error;
    event->recorded = true;
    event->nanoseconds = monotonic_nanoseconds();
    return cudaSuccess;
}

cudaError_t cudaEventRecordWithFlags(cudaEvent_t event, cudaStream_t stream, unsigned) {
    return cudaEventRecord(event, stream);
}

cudaError_t cudaEventQuery(cudaEvent_t event) { return known(event); }
cudaError_t cudaEventSynchronize(cudaEvent_t event) { return known(event); }

cudaError_t cudaEventDestroy(cudaEvent_t event) {
    if (cudaError_t error = known(event); error != cudaSuccess) return error;
    delete event;
    return cudaSuccess;
}

cudaError_t cudaEventElapsedTime(float* milliseconds, cudaEvent_t start, cudaEvent_t end) {
    if (milliseconds == nullptr) return set_last_error(cudaErrorInvalidValue);
    if (start == nullptr || end == nullptr || !start->timed || !end->timed || !start->recorded ||
        !end->recorded) {
        return set_last_error(cudaErrorInvalidResourceHandle);
    }
    *milliseconds = static_cast<float>(static_cast<double>(end->nanoseconds - start->nanoseconds) *
                                       1e-6);
    return cudaSuccess;
}

}
