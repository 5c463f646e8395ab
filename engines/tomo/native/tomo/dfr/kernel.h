// The Kaiser-Bessel kernel that puts polar samples onto the grid (Jackson, Meyer, Nishimura and
// Macovski, IEEE Trans. Med. Imaging 10(3), 1991), as wide as the square of grid cells that a
// sample reaches.
#pragma once

#include <array>
#include <cstddef>
#include <vector>

namespace stend::tomo::dfr {

inline constexpr int kernel_width = 4;  // grid cells

class Kernel {
public:
    // For images of which a 1 / oversampling-th part of each side is used.
    explicit Kernel(double oversampling);

    // At `distance` grid cells: 1 in the middle, 0 from half the width on.
    double operator()(double distance) const;

    // Its Fourier transform at `position`, a fraction of the image's period: what gridding has
    // multiplied the image with.
    double apodisation(double position) const;

    // The kernel over the cells that a sample at `position` reaches: the first one's index and
    // what it and those after it get.
    struct Reach {
        long first;
        std::array<double, kernel_width> weights;
    };
    Reach reach(double position) const;
    static long first(double position) {
        const double least = position - kernel_width / 2.0;
        const auto towards_zero = static_cast<long>(least);
        return towards_zero + (static_cast<double>(towards_zero) < least);
    }

private:
    static constexpr std::size_t steps = 4096;  // linear between them: an error below 1e-7

    double beta_;
    std::vector<double> table_;
};

}  // namespace stend::tomo::dfr
