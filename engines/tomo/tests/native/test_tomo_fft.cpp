// The transform is the defining sum, at every mix of radices, in every lane; the mean of each
// lane's own numbers.
#include <cmath>
#include <complex>
#include <numbers>
#include <random>
#include <vector>

#include "check.h"
#include "tomo/fft/transform.h"
#include "tomo/lanes/portable.h"

using namespace stend::tomo;

namespace {

using L = Portable;
constexpr std::size_t lengths[] = {1,  2,  3,  4,  5,  6,  8,  9,   10,  12,  15,  16, 18,
                                   20, 24, 25, 27, 30, 32, 36, 120, 144, 125, 360, 640};

std::vector<Complex<L>> noise(std::size_t length) {
    std::mt19937 random(static_cast<unsigned>(length));
    std::normal_distribution<float> normal;
    std::vector<Complex<L>> numbers(length);
    for (Complex<L>& x : numbers)
        for (unsigned lane = 0; lane < L::count; ++lane) {
            x.re[lane] = normal(random);
            x.im[lane] = normal(random);
        }
    return numbers;
}

std::complex<double> of_lane(const Complex<L>& x, unsigned lane) {
    return {x.re[lane], x.im[lane]};
}

template <int sign>
void the_transform_is_the_defining_sum(std::size_t length) {
    const std::vector<Complex<L>> in = noise(length);
    std::vector<Complex<L>> out(length), scratch(length);
    const FftPlan plan(length, sign);
    const Transform<L, sign> transform{plan};
    transform([&](std::size_t i) { return in[i]; }, scratch.data(),
              [&](std::size_t k, Complex<L> x) { out[k] = x; });
    for (std::size_t k = 0; k < length; ++k)
        for (unsigned lane = 0; lane < L::count; ++lane) {
            std::complex<double> sum;
            for (std::size_t i = 0; i < length; ++i)
                sum +=
                    of_lane(in[i], lane) * std::polar(1.0, sign * 2 * std::numbers::pi *
                                                               static_cast<double>(i * k % length) /
                                                               static_cast<double>(length));
            const double error = std::abs(of_lane(out[k], lane) - sum);
            CHECK(error < 1e-6 * std::sqrt(static_cast<double>(length)) *
                              (1 + std::log2(static_cast<double>(length))));
        }
}

void lengths_with_other_primes_are_refused() {
    CHECK_THROWS(std::invalid_argument, FftPlan(7, 1));
    CHECK_THROWS(std::invalid_argument, FftPlan(0, 1));
    CHECK(smooth_length(0) == 2);
    CHECK(smooth_length(7) == 8);
    CHECK(smooth_length(601) == 640);
}

}  // namespace

int main() {
    for (const std::size_t length : lengths) {
        the_transform_is_the_defining_sum<-1>(length);
        the_transform_is_the_defining_sum<+1>(length);
    }
    lengths_with_other_primes_are_refused();
}
