// Names and texts of CUDA errors, as NVIDIA's runtime words those that can occur here.
#include <cuda_runtime_api.h>

namespace {

struct ErrorText {
    cudaError_t error;
    const char* name;
    const char* text;
};

#define NAMED(error) error, #error
constexpr ErrorText texts[] = {
    {NAMED(cudaSuccess), "no error"},
    {NAMED(cudaErrorInvalidValue), "invalid argument"},
    {NAMED(cudaErrorMemoryAllocation), "out of memory"},
    {NAMED(cudaErrorInitializationError), "initialization error"},
    {NAMED(cudaErrorInvalidConfiguration), "invalid configuration argument"},
    {NAMED(cudaErrorInvalidPitchValue), "invalid pitch argument"},
    {NAMED(cudaErrorInvalidSymbol), "invalid device symbol"},
    {NAMED(cudaErrorInvalidHostPointer), "invalid host pointer"},
    {NAMED(cudaErrorInvalidDevicePointer), "invalid device pointer"},
    {NAMED(cudaErrorInvalidMemcpyDirection), "invalid copy direction for memcpy"},
    {NAMED(cudaErrorInsufficientDriver), "CUDA driver version is insufficient for CUDA runtime version"},
    {NAMED(cudaErrorInvalidDeviceFunction), "invalid device function"},
    {NAMED(cudaErrorNoDevice), "no CUDA-capable device is detected"},
    {NAMED(cudaErrorInvalidDevice), "invalid device ordinal"},
    {NAMED(cudaErrorNoKernelImageForDevice), "no kernel image is available for execution on the device"},
    {NAMED(cudaErrorInvalidResourceHandle), "invalid resource handle"},
    {NAMED(cudaErrorNotReady), "device not ready"},
    {NAMED(cudaErrorIllegalAddress), "an illegal memory access was encountered"},
    {NAMED(cudaErrorLaunchOutOfResources), "too many resources requested for launch"},
    {NAMED(cudaErrorLaunchTimeout), "the launch timed out and was terminated"},
    {NAMED(cudaErrorAssert), "device-side assert triggered"},
    {NAMED(cudaErrorMisalignedAddress), "misaligned address"},
    {NAMED(cudaErrorLaunchFailure), "unspecified launch failure"},
    {NAMED(cudaErrorNotPermitted), "operation not permitted"},
    {NAMED(cudaErrorNotSupported), "operation not supported"},
    {NAMED(cudaErrorUnknown), "unknown error"},
};
#undef NAMED

const ErrorText* find(cudaError_t error) {
    for (const ErrorText& entry : texts) {
        if (entry.error == error) return &entry;
    }
    return nullptr;
}

}  // namespace

extern "C" {

const char* cudaGetErrorName(cudaError_t error) {
    const ErrorText* found = find(error);
    return found != nullptr ? found->name : "unrecognized error code";
}

const char* cudaGetErrorString(cudaError_t error) {
    const ErrorText* found = find(error);
    return found != nullptr ? found->text : "unrecognized error code";
}

}
