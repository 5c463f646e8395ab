// The radices that cost least.
#include "tomo/fft/plan.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <stdexcept>
#include <string>
#include <utility>

#include "tomo/bytes.h"

namespace stend::tomo {
namespace {

bool is_smooth(std::size_t n) {
    for (const std::size_t prime : {2, 3, 5})
        while (n % prime == 0) n /= prime;
    return n == 1;
}

struct Radices {
    double cost = std::numeric_limits<double>::infinity();  // for each element
    std::vector<unsigned> all;
};

// The cheapest passes, none of a radix above `most`, the largest first.
Radices cheapest(std::size_t length, unsigned most) {
    if (length == 1) return {0, {}};
    // Vectors added, multiplied, loaded and stored by a pass, for each element.
    constexpr std::pair<unsigned, double> passes[] = {{8, 15}, {6, 14.3}, {5, 15.2},
                                                      {4, 11}, {3, 11.3}, {2, 8}};
    Radices best;
    for (const auto& [radix, cost] : passes) {
        if (radix > most || length % radix != 0) continue;
        Radices rest = cheapest(length / radix, radix);
        if (cost + rest.cost >= best.cost) continue;
        best = {cost + rest.cost, {radix}};
        best.all.insert(best.all.end(), rest.all.begin(), rest.all.end());
    }
    return best;
}

std::vector<unsigned> radices_of(std::size_t length) {
    if (length == 1) return {1};
    return cheapest(length, 8).all;
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
