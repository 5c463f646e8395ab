// Large radices first: they cost the fewest operations and passes.
#include "tomo/fft/plan.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numbers>
#include <stdexcept>
#include <string>

#include "tomo/bytes.h"

namespace stend::tomo {
namespace {

bool is_smooth(std::size_t n) {
    for (const std::size_t prime : {2, 3, 5})
        while (n % prime == 0) n /= prime;
    return n == 1;
}

std::vector<unsigned> radices_of(std::size_t length) {
    std::vector<unsigned> radices;
    for (const unsigned radix : {8U, 5U, 4U, 6U, 3U, 2U})
        for (; length % radix == 0; length /= radix) radices.push_back(radix);
    // 8 · 2 is 4 · 4, which is less work.
    const auto two = std::ranges::find(radices, 2U), eight = std::ranges::find(radices, 8U);
    if (two != radices.end() && eight != radices.end()) *two = *eight = 4;
    std::ranges::sort(radices, std::greater<>());
    if (radices.empty()) radices.push_back(1);
    return radices;
}

}  // namespace

std::size_t smooth_length(std::size_t least) {
    std::size_t length = std::max<std::size_t>(2, least + least % 2);
    while (!is_smooth(length)) length += 2;
    return length;
}

FftPlan::FftPlan(std::size_t length_, int sign_) : length(length_), sign(sign_) {
    if (length == 0 || !is_smooth(length))
        throw std::invalid_argument("A Fourier transform of length " + std::to_string(length) +
                                    " is not planned: it has prime factors above 5.");
    radices = radices_of(length);
    std::size_t done = 1;
    for (const unsigned radix : radices) {
        std::vector<float> factors;
        factors.reserve(done > 1 ? 2 * done * (radix - 1) : 0);
        for (std::size_t k = 0; done > 1 && k < done; ++k)
            for (unsigned j = 1; j < radix; ++j) {
                const double angle = sign * 2 * std::numbers::pi * static_cast<double>(j * k) /
                                     static_cast<double>(done * radix);
                factors.push_back(static_cast<float>(std::cos(angle)));
                factors.push_back(static_cast<float>(std::sin(angle)));
            }
        twiddles.push_back(std::move(factors));
        lengths.push_back(done *= radix);
    }
}

std::size_t FftPlan::bytes() const {
    return bytes_of(radices) + bytes_of(lengths) + bytes_of(twiddles);
}

}  // namespace stend::tomo
