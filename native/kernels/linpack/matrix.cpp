// Two generators and HPL's residual.
#include "kernels/linpack/matrix.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace stend::linpack {
namespace {

// matgen of the LINPACK benchmark: Lehmer's generator modulo 2^16, from −2 to 2.
class Classic {
public:
    double next() {
        state_ = 3125 * state_ % 65536;
        return (state_ - 32768.0) / 16384.0;
    }

private:
    std::int32_t state_ = 1325;
};

// splitmix64 (Steele, Lea, Flood 2014) of the element's number, from −1/2 to 1/2: elements
// don't wait for each other.
double scattered(std::uint64_t number) {
    std::uint64_t z = (number + 1) * 0x9E3779B97F4A7C15;
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9;
    z = (z ^ z >> 27) * 0x94D049BB133111EB;
    z ^= z >> 31;
    return static_cast<double>(static_cast<std::int64_t>(z) >> 11) * 0x1p-53;
}

double size_of(double x, double y) {
    return std::max(x, std::abs(y));
}

}  // namespace

template <typename Use>
void System::each_column(Use use) const {
    std::vector<double> column(n_);
    Classic classic;
    const bool standard = n_ == 100 || n_ == 1000;
    for (std::size_t j = 0; j < n_; ++j) {
        if (standard)
            std::ranges::generate(column, [&] { return classic.next(); });
        else
            for (std::size_t i = 0; i < n_; ++i) column[i] = scattered(j * n_ + i);
        use(j, column.data());
    }
}

System::System(std::size_t n, Side side) : n_(n), side_(side), row_sums_(n) {
    std::vector<double> sums(n);
    each_column([&](std::size_t, const double* column) {
        for (std::size_t i = 0; i < n_; ++i) {
            row_sums_[i] += column[i];
            sums[i] += std::abs(column[i]);
        }
    });
    largest_row_ = std::ranges::max(sums);
}

// Random sides are further columns of the better generator's matrix, as HPL's is the next one.
std::vector<double> System::side(std::uint64_t number) const {
    if (side_ == Side::row_sums) return row_sums_;
    std::vector<double> b(n_);
    for (std::size_t i = 0; i < n_; ++i) b[i] = scattered((n_ + number) * n_ + i);
    return b;
}

void System::write(Shape shape, double* a, double* b, std::uint64_t number) const {
    each_column(
        [&](std::size_t j, const double* column) { std::copy_n(column, n_, a + j * shape.lda); });
    std::ranges::copy(side(number), b);
}

double System::residual(const double* x, std::uint64_t number) const {
    const std::vector<double> b = side(number);
    std::vector<double> left(b);
    each_column([&](std::size_t j, const double* column) {
        for (std::size_t i = 0; i < n_; ++i) left[i] -= x[j] * column[i];
    });
    double largest_x = 0, largest_b = 0, largest_left = 0, sum = 0;
    for (std::size_t i = 0; i < n_; ++i) {
        largest_x = size_of(largest_x, x[i]);
        largest_b = size_of(largest_b, b[i]);
        largest_left = size_of(largest_left, left[i]);
        sum += left[i];  // std::max passes over NaN, a sum doesn't
    }
    const double scale = largest_row_ * largest_x + largest_b;
    if (!std::isfinite(sum) || !std::isfinite(scale))  // what divides by infinity would be right
        return std::numeric_limits<double>::quiet_NaN();
    return largest_left / (0x1p-53 * scale * static_cast<double>(n_));
}

}  // namespace stend::linpack
