// Filtered back projection as the textbook has it, in double precision: each projection convolved
// with the ramp's kernel by its defining sum, then smeared back along its rays with linear
// interpolation (Kak and Slaney 1988, 3.3.3). What every variant is compared with.
#include <cmath>

#include "tomo/bytes.h"
#include "tomo/fbp/variants.h"
#include "tomo/ramp.h"

namespace stend::tomo::fbp {
namespace {

class Reference final : public Engine {
public:
    explicit Reference(const Plan& plan)
        : plan_(plan),
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
                back_project(item,
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

    // Beyond the outermost pixels' centres a projection fades to zero within a pixel: rays that
    // meet a centre of these exactly, as many do, must not hang on rounding.
    double at(std::size_t angle, double s) const {
        const double left = std::floor(s);
        const auto pixel = [&](double i) {
            const bool there = i >= 0 && i < static_cast<double>(plan_.detectors);
            return there ? filtered_[angle * plan_.detectors + static_cast<std::size_t>(i)] : 0;
        };
        return pixel(left) + (s - left) * (pixel(left + 1) - pixel(left));
    }

    void back_project(std::size_t row, float* to) {
        const double middle = (static_cast<double>(plan_.size) - 1) / 2;
        const double y = (middle - static_cast<double>(row)) * plan_.pixel;
        for (std::size_t column = 0; column < plan_.size; ++column) {
            const double x = (static_cast<double>(column) - middle) * plan_.pixel;
            double sum = 0;
            for (std::size_t a = 0; a < plan_.angles.size(); ++a)
                sum += at(a, x * std::cos(plan_.angles[a]) + y * std::sin(plan_.angles[a]) +
                                 plan_.center);
            to[column] = static_cast<float>(sum);
        }
    }

    Plan plan_;
    std::vector<double> kernel_;
    std::vector<double> filtered_;  // [angle][pixel], times the angle's weight
};

}  // namespace

std::unique_ptr<Engine> reference(const Plan& plan) {
    return std::make_unique<Reference>(plan);
}

}  // namespace stend::tomo::fbp
