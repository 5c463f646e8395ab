// A transform that a library in C has planned, repeated as a chain: the input's first element,
// which every element of the spectrum holds once, is the number of the repetition, and each
// repetition reads it from what the one before left in the spectrum. One that was left out is
// missing for ever after.
#pragma once

#include <cstddef>
#include <cstdint>

namespace stend::fft {

struct Chain {
    // Both FFTW's fftw_execute_dft and MKL's DftiComputeForward are called like this; a status is
    // not looked at, for a transform that was refused leaves the number before.
    using Function = void (*)(void* plan, void* in, void* out);

    Function function;
    void* plan;
    double* in;  // complex numbers; the first one's real part is the number
    double* out;
    std::size_t told;  // index in `out` of the real part that tells the number
    double without;    // what stands there when the number is 0
    double numbers;    // repetitions are numbered modulo this

    void repeat(std::uint64_t times) const;
};

}  // namespace stend::fft
