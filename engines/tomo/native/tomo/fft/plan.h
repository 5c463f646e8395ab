// What a Fourier transform of one length needs: its radices and twiddle factors.
#pragma once

#include <cstddef>
#include <vector>

namespace stend::tomo {

// The smallest even number of no prime factors but 2, 3 and 5 that is at least `least`.
std::size_t smooth_length(std::size_t least);

struct FftPlan {
    // `length` has no prime factors but 2, 3 and 5, and sign is -1 or +1: that of the exponent.
    // Throws std::invalid_argument for any other length.
    FftPlan(std::size_t length, int sign);

    std::size_t bytes() const;  // of its tables

    std::size_t length;
    int sign;
    // The radix of each pass, the first pass first, and the length of what it leaves transformed.
    std::vector<unsigned> radices;
    std::vector<std::size_t> lengths;
    // For each pass after the first, for each k below the length before, the radix - 1 factors
    // exp(±2πi jk / length), j = 1 …, as real and imaginary part.
    std::vector<std::vector<float>> twiddles;
};

}  // namespace stend::tomo
