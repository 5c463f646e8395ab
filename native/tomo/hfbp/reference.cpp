// The same lines of the same strips, in double precision and the slow way round: each pixel asks
// each projection, along the digital line that passes through it. What every variant is compared
// with.
#include <algorithm>
#include <cmath>

#include "tomo/bytes.h"
#include "tomo/hfbp/strips.h"
#include "tomo/hfbp/variants.h"
#include "tomo/ramp.h"

namespace stend::tomo::hfbp {
namespace {

class Reference final : public Engine {
public:
    Reference(const Plan& plan, const Ladder& ladder)
        : plan_(plan),
          ladder_(ladder),
          directions_(directions(plan)),
          cuts_(cuts(plan.size, strip_width)),
          kernel_(impulse_response(plan.filter, plan.detectors)),
          filtered_(plan.angles.size() * plan.detectors) {}

    unsigned lanes() const override { return 1; }
    unsigned stages() const override { return 2; }
    std::size_t items(unsigned stage) const override {
        return stage == 0 ? plan_.angles.size() : plan_.size;
    }
    std::size_t bytes() const override {
        return bytes_of(plan_.angles) + bytes_of(plan_.weights) + bytes_of(kernel_) +
               bytes_of(filtered_);
    }

    void work(unsigned stage, std::size_t first, std::size_t last, const Batch& batch,
              unsigned /*member*/) noexcept override {
        for (std::size_t item = first; item < last; ++item)
            if (stage == 0)
                filter(item,
                       batch.sinogram[0] + static_cast<std::ptrdiff_t>(item) * batch.angle_stride);
            else
                back_project(static_cast<unsigned>(item),
                             batch.slice[0] + static_cast<std::ptrdiff_t>(item) * batch.row_stride);
    }

private:
    void filter(std::size_t angle, const float* row) {
        const std::size_t n = plan_.detectors;
        for (std::size_t i = 0; i < n; ++i) {
            double sum = 0;
            for (std::size_t j = 0; j < n; ++j) sum += kernel_[i > j ? i - j : j - i] * row[j];
            filtered_[angle * n + i] = sum * plan_.weights[angle];
        }
    }

    // Between the outermost pixels' centres. Positions are rounded as the other variants' are, so
    // that none of them is beyond an edge for one and on it for the other.
    double at(std::size_t angle, double s) const {
        s = std::rint(std::ldexp(s, 32)) / std::ldexp(1, 32);
        const double end = static_cast<double>(plan_.detectors) - 1;
        if (s < 0 || s > end) return 0;
        const double* row = &filtered_[angle * plan_.detectors];
        const auto i = static_cast<std::size_t>(s);
        return i + 1 < plan_.detectors ? std::lerp(row[i], row[i + 1], s - std::floor(s)) : row[i];
    }

    // By how many positions a line has moved in a row of its strip.
    unsigned moved_in(unsigned width, unsigned shift, unsigned row) const {
        if (!ladder_.divided(width)) return moved(width, shift, row);
        const Half half = row < width / 2 ? upper(width) : lower(width);
        return half.start(shift) + moved_in(half.width, half.shift(shift), row - half.first);
    }

    double smeared(const Direction& direction, unsigned along, unsigned across) const {
        const auto strip = std::ranges::upper_bound(cuts_, along) - 1;
        const unsigned first = *strip, width = *(strip + 1) - first;
        const bool backwards = std::signbit(direction.slope);
        const unsigned row = backwards ? first + width - 1 - along : along - first;
        const double exact = std::abs(direction.slope) * ladder_.last_shift(width);
        const double middle = (static_cast<double>(plan_.size) - 1) / 2;
        const double strip_middle = first + (width - 1) / 2.0 - middle;
        double sum = 0;
        for (const double shift : {std::floor(exact), std::floor(exact) + 1}) {
            const double part = 1 - std::abs(shift - exact);
            if (part <= 0 || shift > ladder_.last_shift(width)) continue;
            const double start =
                across - static_cast<double>(moved_in(width, static_cast<unsigned>(shift), row)) /
                             ladder_.fine;
            const double in_middle = start + shift / 2 / ladder_.fine - middle;
            sum += part *
                   at(direction.angle,
                      plan_.center + direction.gain * (in_middle - direction.slope * strip_middle));
        }
        return sum;
    }

    void back_project(unsigned row, float* to) {
        for (unsigned column = 0; column < plan_.size; ++column) {
            double sum = 0;
            for (const Direction& direction : directions_[rows])
                sum += smeared(direction, row, column);
            for (const Direction& direction : directions_[columns])
                sum += smeared(direction, column, row);
            to[column] = static_cast<float>(sum);
        }
    }

    Plan plan_;
    Ladder ladder_;
    std::array<std::vector<Direction>, 2> directions_;
    std::vector<unsigned> cuts_;
    std::vector<double> kernel_;
    std::vector<double> filtered_;  // [angle][pixel], times the angle's weight
};

}  // namespace

std::unique_ptr<Engine> reference(const Plan& plan, const Ladder& ladder) {
    return std::make_unique<Reference>(plan, ladder);
}

}  // namespace stend::tomo::hfbp
