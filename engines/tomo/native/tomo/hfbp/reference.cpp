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
          strips_(strips(plan, ladder)),
          kernel_(impulse_response(plan.filter, plan.detectors)),
          filtered_(plan.angles.size() * plan.detectors) {}

    unsigned lanes() const override { return 1; }
    unsigned stages() const override { return 2; }
    std::size_t items(unsigned stage) const override {
        return stage == 0 ? plan_.angles.size() : plan_.size;
    }
    std::size_t bytes() const override {
        std::size_t all = bytes_of(plan_.angles) + bytes_of(plan_.weights) + bytes_of(kernel_) +
                          bytes_of(filtered_) + bytes_of(strips_);
        for (const Strip& strip : strips_) {
            all += bytes_of(strip.lines);
            for (const auto& of_shift : strip.shares) all += bytes_of(of_shift);
        }
        return all;
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

    // A strip's lines, and by shift the parts of each direction's weight that they take.
    struct Strip {
        unsigned first, width;
        std::vector<Fit> lines;
        std::array<std::vector<std::vector<Share>>, 4> shares;  // by orientation, and backwards
    };

    static std::vector<Strip> strips(const Plan& plan, const Ladder& ladder) {
        const auto found = directions(plan);
        const std::vector<unsigned> first = cuts(plan.size, strip_width(plan.size));
        std::vector<Strip> strips;
        for (std::size_t i = 0; i + 1 < first.size(); ++i) {
            const unsigned width = first[i + 1] - first[i];
            const std::vector<Fit> lines = fits(width, ladder);
            strips.push_back(
                {first[i],
                 width,
                 lines,
                 {shares(found[rows], false, lines), shares(found[rows], true, lines),
                  shares(found[columns], false, lines), shares(found[columns], true, lines)}});
        }
        return strips;
    }

    // Of the pixel (along, across), from the directions of an orientation.
    double smeared(Orientation orientation, unsigned along, unsigned across) const {
        const Strip& strip = *(std::ranges::upper_bound(strips_, along, {}, &Strip::first) - 1);
        const double middle = (static_cast<double>(plan_.size) - 1) / 2;
        const double strip_middle = strip.first + (strip.width - 1) / 2.0 - middle;
        double sum = 0;
        for (const bool backwards : {false, true}) {
            const auto& of_shift = strip.shares[2 * orientation + (backwards ? 1 : 0)];
            const unsigned down = along - strip.first;
            const unsigned row = backwards ? strip.width - 1 - down : down;
            for (unsigned shift = 0; shift < of_shift.size(); ++shift) {
                if (of_shift[shift].empty()) continue;
                const double moved =
                    static_cast<double>(moved_in(ladder_, strip.width, shift, row)) / ladder_.fine;
                const double in_middle = across - moved + strip.lines[shift].middle - middle;
                for (const auto& [direction, part] : of_shift[shift])
                    sum +=
                        part * at(direction.angle,
                                  plan_.center + direction.gain *
                                                     (in_middle - direction.slope * strip_middle));
            }
        }
        return sum;
    }

    void back_project(unsigned row, float* to) {
        for (unsigned column = 0; column < plan_.size; ++column) {
            to[column] =
                static_cast<float>(smeared(rows, row, column) + smeared(columns, column, row));
        }
    }

    Plan plan_;
    Ladder ladder_;
    std::vector<Strip> strips_;
    std::vector<double> kernel_;
    std::vector<double> filtered_;  // [angle][pixel], times the angle's weight
};

}  // namespace

std::unique_ptr<Engine> reference(const Plan& plan, const Ladder& ladder) {
    return std::make_unique<Reference>(plan, ladder);
}

}  // namespace stend::tomo::hfbp
