// Direct Fourier reconstruction without a grid, in double precision: every Fourier sample of every
// filtered projection, summed up at every pixel as the inversion formula has it (Kak and Slaney
// 1988, 3.3.1). What every variant is compared with; no faster than its formula.
#include <algorithm>
#include <cmath>
#include <complex>
#include <numbers>

#include "tomo/bytes.h"
#include "tomo/dfr/geometry.h"
#include "tomo/dfr/variants.h"
#include "tomo/ramp.h"

namespace stend::tomo::dfr {
namespace {

using Number = std::complex<double>;

class Reference final : public Engine {
public:
    explicit Reference(const Plan& plan)
        : plan_(plan),
          period_(Geometry(plan).long_period),
          filter_(ramp(period_, plan.filter)),
          count_(std::min(period_ / 2,
                          static_cast<std::size_t>(Geometry(plan).top * real(period_) + 1e-9)) +
                 1),
          spectra_(plan.angles.size() * count_) {}

    unsigned lanes() const override { return 1; }
    unsigned stages() const override { return 2; }
    std::size_t items(unsigned stage) const override {
        return stage == 0 ? plan_.angles.size() : plan_.size;
    }
    std::size_t bytes() const override {
        return bytes_of(plan_.angles) + bytes_of(plan_.weights) + bytes_of(filter_) +
               bytes_of(spectra_);
    }

    void work(unsigned stage, std::size_t first, std::size_t last, const Batch& batch,
              unsigned /*member*/) noexcept override {
        for (std::size_t item = first; item < last; ++item)
            if (stage == 0)
                transform(item, batch.sinogram[0] +
                                    static_cast<std::ptrdiff_t>(item) * batch.angle_stride);
            else
                sum_up(item, batch.slice[0] + static_cast<std::ptrdiff_t>(item) * batch.row_stride);
    }

private:
    static double real(std::size_t n) { return static_cast<double>(n); }

    // exp(i s) at `s` of the period.
    Number turn(double s) const {
        return std::polar(1.0, 2 * std::numbers::pi * s / real(period_));
    }

    // Filtered and weighted, about the axis.
    void transform(std::size_t angle, const float* row) {
        for (std::size_t k = 0; k < count_; ++k) {
            const Number step = turn(-real(k));
            Number sum = 0;
            for (std::size_t i = plan_.detectors; i-- > 0;) sum = sum * step + Number(row[i]);
            // Every frequency stands for itself and its opposite but zero, and the highest is its
            // own.
            const double share = k == 0 || 2 * k == period_ ? 1 : 2;
            spectra_[angle * count_ + k] = sum * turn(real(k) * plan_.center) * filter_[k] * share *
                                           plan_.weights[angle] / real(period_);
        }
    }

    void sum_up(std::size_t row, float* to) const {
        const double middle = (real(plan_.size) - 1) / 2;
        const double y = (middle - real(row)) * plan_.pixel;
        for (std::size_t column = 0; column < plan_.size; ++column) {
            const double x = (real(column) - middle) * plan_.pixel;
            double sum = 0;
            for (std::size_t a = 0; a < plan_.angles.size(); ++a)
                sum += at(a, x * std::cos(plan_.angles[a]) + y * std::sin(plan_.angles[a]));
            to[column] = static_cast<float>(sum);
        }
    }

    // The filtered projection at any place: its Fourier series.
    double at(std::size_t angle, double s) const {
        const Number step = turn(s);
        Number sum = 0;
        for (std::size_t k = count_; k-- > 0;) sum = sum * step + spectra_[angle * count_ + k];
        return sum.real();
    }

    Plan plan_;
    std::size_t period_;  // of the projections, zeros included
    std::vector<double> filter_;
    std::size_t count_;            // of the frequencies that a slice has room for
    std::vector<Number> spectra_;  // [angle][frequency]
};

}  // namespace

std::unique_ptr<Engine> reference(const Plan& plan) {
    return std::make_unique<Reference>(plan);
}

}  // namespace stend::tomo::dfr
