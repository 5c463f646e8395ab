// The scalar simulation, in STREAM's own notation.
#include "kernels/stream/reference.h"

#include <cmath>

namespace stend::stream {
namespace {

// E(r): the first r repetitions multiply by 2^E(r) in all; between −504 and 504, E(0) = 0.
// Successive exponents differ by 389 or by 389 − 1009, so leaving m repetitions out, whichever
// they are, changes the exponent by 389·m modulo the prime 1009: it is seen unless m is a
// multiple of 1009.
int scale_exponent(std::uint64_t repetitions) {
    return static_cast<int>((repetitions % 1009 * 389 + 504) % 1009) - 504;
}

double scale_scalar(std::uint64_t number) {
    return std::ldexp(1.0, scale_exponent(number + 1) - scale_exponent(number));
}

double applied(Operation operation, double x, double y, double s) {
    switch (operation) {
        case Operation::copy:
            return x;
        case Operation::scale:
            return s * x;
        case Operation::add:
            return x + y;
        case Operation::triad:
            return x + s * y;
    }
    return NAN;
}

}  // namespace

Step step(Operation operation, std::uint64_t number) {
    constexpr double unused = 3;  // copy and add must not use it
    constexpr Step copies[]{{c, a, a, unused}, {a, b, b, unused}, {b, c, c, unused}};
    const bool odd = number % 2 == 1;
    switch (operation) {
        case Operation::copy:
            return copies[number % 3];
        case Operation::scale:
            return odd ? Step{c, b, b, scale_scalar(number)} : Step{b, c, c, scale_scalar(number)};
        case Operation::add:
            return odd ? Step{a, c, b, unused} : Step{c, a, b, unused};
        case Operation::triad:
            return odd ? Step{c, b, a, 0.5} : Step{a, b, c, 2};
    }
    return {};
}

void Simulation::go_on_to(std::uint64_t repetitions) {
    for (; repetitions_ < repetitions; ++repetitions_) {
        const auto [out, x, y, s] = step(operation_, repetitions_);
        lines_[out] = {applied(operation_, lines_[x].slope, lines_[y].slope, s),
                       applied(operation_, lines_[x].offset, lines_[y].offset, s)};
    }
}

}  // namespace stend::stream
