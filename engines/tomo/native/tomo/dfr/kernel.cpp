// The kernel from a table, its transform in closed form.
#include "tomo/dfr/kernel.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace stend::tomo::dfr {
namespace {

using std::numbers::pi;

// The modified Bessel function of order 0 by its power series; libc++ has no std::cyl_bessel_i.
double bessel_i0(double x) {
    double sum = 1, term = 1;
    for (int k = 1; term > 1e-17 * sum; ++k) {
        term *= x * x / (4.0 * k * k);
        sum += term;
    }
    return sum;
}

}  // namespace

// The best shape for a width and an oversampling: Beatty, Nishimura and Pauly, IEEE Trans. Med.
// Imaging 24(6), 2005, equation 5.
Kernel::Kernel(double oversampling) : table_(steps + 2) {
    const double part = kernel_width / oversampling * (oversampling - 0.5);
    beta_ = pi * std::sqrt(part * part - 0.8);
    for (std::size_t i = 0; i <= steps; ++i) {
        const double x = static_cast<double>(i) / steps;
        table_[i] = bessel_i0(beta_ * std::sqrt(1 - x * x)) / bessel_i0(beta_);
    }
}

double Kernel::operator()(double distance) const {
    const double x = std::abs(distance) * (2.0 * steps / kernel_width);
    if (x >= steps) return 0;
    const auto i = static_cast<std::size_t>(x);
    return table_[i] + (x - static_cast<double>(i)) * (table_[i + 1] - table_[i]);
}

// Jackson et al., equation A3.
double Kernel::apodisation(double position) const {
    const double x = pi * kernel_width * position;
    const double square = beta_ * beta_ - x * x;
    const double root = std::sqrt(std::abs(square));
    const double shape = root < 1e-6 ? 1 : (square > 0 ? std::sinh(root) : std::sin(root)) / root;
    return kernel_width * shape / bessel_i0(beta_);
}

Kernel::Reach Kernel::reach(double position) const {
    Reach reached{first(position), {}};
    const double beyond = position - static_cast<double>(reached.first);
    for (int j = 0; j < kernel_width; ++j) reached.weights[j] = (*this)(beyond - j);
    return reached;
}

}  // namespace stend::tomo::dfr
