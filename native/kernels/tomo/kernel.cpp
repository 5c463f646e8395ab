// The kernel. Before each repetition a few pixels of the slices are spoilt, each time others, and
// after it they must be pictures again, so that none can be left out; after each batch the slices
// are compared with the phantom's exact pictures, and their distance is told with the time.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <numbers>
#include <optional>
#include <stdexcept>
#include <stend/tomo.hpp>
#include <string>
#include <vector>

#include "buffers/buffer.h"
#include "kernels/tomo/tomo.h"

namespace stend::slices {
namespace {

constexpr Problem all_problems[] = {
    {"shepp-logan-3d", "modified-shepp-logan-3d", 511, 511, 420, 0.5, 0.5},
    {"may-beetle", "may-beetle", 1261, 1175, 400, 0.5, 0.5},
};

struct Named {
    std::string_view name;
    tomo::Algorithm algorithm;
};
constexpr Named algorithms[] = {
    {"fbp", tomo::Algorithm::fbp},   {"fbp-int16", tomo::Algorithm::fbp_int16},
    {"dfr", tomo::Algorithm::dfr},   {"dfr-half", tomo::Algorithm::dfr_half},
    {"hfbp", tomo::Algorithm::hfbp}, {"hfbp-fine", tomo::Algorithm::hfbp_fine},
};

// Slices that are compared with their exact pictures, at most.
constexpr std::size_t most_compared = 32;
constexpr float spoilt = -1e30F;

tomo::ParallelBeam beam(const Problem& problem) {
    tomo::ParallelBeam beam{.detectors = problem.detectors, .angles = {}};
    for (std::size_t a = 0; a < problem.angles; ++a)
        beam.angles.push_back((problem.first + problem.step * static_cast<double>(a)) *
                              std::numbers::pi / 180);
    return beam;
}

// Item i of `count`, evenly spread over `all`.
std::size_t spread(std::size_t i, std::size_t count, std::size_t all) {
    return (2 * i + 1) * all / (2 * count);
}

class Slices final : public Kernel {
public:
    Slices(const Problem& problem, tomo::Algorithm algorithm, std::size_t slices, unsigned threads,
           std::string_view variant)
        : problem_(problem),
          slices_(slices),
          threads_(threads),
          side_(problem.detectors),
          reconstruction_(beam(problem), {.size = side_},
                          {.algorithm = algorithm, .variant = variant, .threads = threads}) {}

    void prepare() override {
        sinograms_ = Buffer<float>(slices_ * problem_.angles * side_);
        pictures_ = Buffer<float>(slices_ * side_ * side_);
        exact_ = Buffer<float>(compared() * side_ * side_);
        const std::vector<tomo::Ellipsoid> solids = tomo::phantom(problem_.phantom);
        const tomo::ParallelBeam rays = beam(problem_);
        const tomo::PhantomView view{.rows = problem_.slices, .threads = threads_};
        for (std::size_t i = 0; i < slices_; ++i) {
            const std::size_t row = spread(i, slices_, problem_.slices);
            tomo::project(solids, rays, view, row, row + 1,
                          {.data = sinograms_.data() + i * problem_.angles * side_,
                           .row_stride = 0,
                           .angle_stride = static_cast<std::ptrdiff_t>(side_)});
        }
        for (std::size_t i = 0; i < compared(); ++i) {
            const std::size_t row =
                spread(spread(i, compared(), slices_), slices_, problem_.slices);
            tomo::draw(solids, side_, {.size = side_}, view, {}, row, row + 1,
                       {.data = exact_.data() + i * side_ * side_,
                        .slice_stride = 0,
                        .row_stride = static_cast<std::ptrdiff_t>(side_)});
        }
    }

    void repeat(std::uint64_t times) override {
        for (std::uint64_t i = 0; i < times; ++i, ++asked_) {
            for (std::size_t slice = 0; slice < slices_; ++slice) pixel(slice) = spoilt;
            reconstruction_.run(
                {.data = sinograms_.data(),
                 .slice_stride = static_cast<std::ptrdiff_t>(problem_.angles * side_),
                 .angle_stride = static_cast<std::ptrdiff_t>(side_)},
                slices_,
                {.data = pictures_.data(),
                 .slice_stride = static_cast<std::ptrdiff_t>(side_ * side_),
                 .row_stride = static_cast<std::ptrdiff_t>(side_)});
            bool whole = true;
            for (std::size_t slice = 0; slice < slices_; ++slice)
                whole &= pixel(slice) > spoilt / 2;
            made_ += whole;
        }
    }

    bool check() override {
        told_[0] = distance();
        return made_ == asked_ && told_[0] < farthest();
    }

    Proof prove() override {
        const bool right = check();
        char said[320];
        std::snprintf(
            said, sizeof said,
            "%zu slices of %s differ from the phantom's exact pictures by %.5f (root mean "
            "square inside the circle, of its whole contrast %.2f); %s %.4f. %llu of %llu "
            "repetitions wrote every slice.",
            compared(), std::string(problem_.name).c_str(), told_[0], contrast(),
            right ? "allowed are" : "more than what is allowed,", farthest(),
            static_cast<unsigned long long>(made_), static_cast<unsigned long long>(asked_));
        return {right, said};
    }

    std::string_view variant() const override { return reconstruction_.variant(); }
    unsigned threads() const override { return threads_; }
    std::vector<std::string> columns() const override { return {"RMSE"}; }
    std::span<const double> further() const override { return told_; }

private:
    std::size_t compared() const { return std::min(slices_, most_compared); }

    // One pixel of a slice, another one in each repetition.
    float& pixel(std::size_t slice) const {
        const std::size_t pixels = side_ * side_;
        return pictures_
            .data()[slice * pixels + (asked_ * 7919 + slice * 104729 + pixels / 2) % pixels];
    }

    // Root mean square over the pixels of all compared slices ten pixels inside the circle that
    // touches their sides, as stend.tomo.phantoms.rmse has it.
    double distance() const {
        const double middle = (static_cast<double>(side_) - 1) / 2;
        const double radius = static_cast<double>(side_) / 2 - 10;
        double sum = 0;
        std::size_t pixels = 0;
        for (std::size_t i = 0; i < compared(); ++i) {
            const float* picture =
                pictures_.data() + spread(i, compared(), slices_) * side_ * side_;
            const float* exact = exact_.data() + i * side_ * side_;
            for (std::size_t y = 0; y < side_; ++y) {
                const double from_middle = static_cast<double>(y) - middle;
                if (std::abs(from_middle) > radius) continue;
                const double half = std::sqrt(radius * radius - from_middle * from_middle);
                const auto first = static_cast<std::size_t>(std::ceil(middle - half));
                const auto last = static_cast<std::size_t>(std::floor(middle + half));
                for (std::size_t x = first; x <= last; ++x) {
                    const double error = picture[y * side_ + x] - exact[y * side_ + x];
                    sum += error * error;
                }
                pixels += last - first + 1;
            }
        }
        return std::sqrt(sum / static_cast<double>(pixels));
    }

    double contrast() const {
        const std::span<const float> exact = exact_.span();
        const auto [low, high] = std::ranges::minmax(exact);
        return high - low;
    }

    // What a sampled picture with sharp edges allows is 1 to 2.4 hundredths of the contrast
    // (peers/tomo); directions that aren't weighted make 7.7, an axis half a
    // pixel off 4.3, a tenth too bright 3.2.
    double farthest() const { return 0.03 * contrast(); }

    const Problem& problem_;
    std::size_t slices_;
    unsigned threads_;
    std::size_t side_;
    tomo::Reconstruction reconstruction_;
    Buffer<float> sinograms_, pictures_, exact_;
    std::uint64_t asked_ = 0, made_ = 0;  // repetitions
    std::array<double, 1> told_{std::nan("")};
};

template <typename All>
const auto& named(const All& all, std::string_view name, const char* what) {
    std::string names;
    for (const auto& one : all) {
        if (one.name == name) return one;
        names += (names.empty() ? "" : ", ") + std::string(one.name);
    }
    throw std::invalid_argument("There is no " + std::string(what) + " \"" + std::string(name) +
                                "\"; there are " + names + ".");
}

}  // namespace

std::span<const Problem> problems() {
    return all_problems;
}

const Problem& problem(std::string_view name) {
    return named(all_problems, name, "problem");
}

tomo::Algorithm algorithm(std::string_view name) {
    return named(algorithms, name, "algorithm").algorithm;
}

std::unique_ptr<Kernel> kernel(const Problem& problem, tomo::Algorithm algorithm,
                               std::size_t slices, unsigned threads, std::string_view variant) {
    if (slices == 0 || slices > problem.slices)
        throw std::invalid_argument(std::to_string(slices) + " slices were asked of " +
                                    std::string(problem.name) + "; give 1 to " +
                                    std::to_string(problem.slices) + ".");
    return std::make_unique<Slices>(problem, algorithm, slices, threads, variant);
}

}  // namespace stend::slices
