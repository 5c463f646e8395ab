// The kernel. Before each repetition pixels of the output are spoilt, each time others, and after
// it they must be numbers again, so that none can be left out; after each batch every bit of the
// output must be what it was before, and at known places near the known answers.
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdio>
#include <limits>
#include <string>
#include <vector>

#include "buffers/buffer.h"
#include "inference/inference.h"
#include "inference/problem.h"

namespace stend::inference {
namespace {

constexpr std::size_t spoilt = 64;  // pixels, in each repetition
constexpr float nothing = std::numeric_limits<float>::quiet_NaN();

// FNV-1a (Fowler, Noll, Vo), a float at a time.
std::uint64_t digest(std::span<const float> values) {
    std::uint64_t sum = 0xCBF29CE484222325U;
    for (const float value : values)
        sum = (sum ^ std::bit_cast<std::uint32_t>(value)) * 0x100000001B3U;
    return sum;
}

std::string sentence(const char* format, auto... values) {
    char said[320];
    std::snprintf(said, sizeof said, format, values...);
    return said;
}

class Inference final : public Kernel {
public:
    Inference(unet::Precision precision, std::size_t side, unsigned threads,
              std::string_view variant, const std::optional<blas::Description>& library)
        : problem_(problem(side)),
          precision_(precision),
          threads_(threads),
          variant_(variant),
          description_(library) {
        // What can't run is refused before memory is taken, by a network of a few weights.
        const unet::Network trial(unet::classic({.channels = 1, .depth = 1}), 2, 2, options());
    }

    void prepare() override {
        // The network's own threads call it, each for a part.
        if (description_) library_.emplace(*description_, 1);
        const unet::Model model = measured_model();
        allowed_ = unet::tolerance(model, precision_);
        network_.emplace(model, problem_.side, problem_.side, options());
        image_ = Buffer<float>(pixels());
        output_ = Buffer<float>(outputs * pixels());
        fill(image_.span());
        std::ranges::fill(output_.span(), nothing);
        tell();
    }

    void repeat(std::uint64_t times) override {
        for (std::uint64_t i = 0; i < times; ++i, ++asked_) {
            for (std::size_t n = 0; n < spoilt; ++n) pixel(n) = nothing;
            network_->run(image_.data(), 1, output_.data());
            bool whole = true;
            for (std::size_t n = 0; n < spoilt; ++n) whole &= !std::isnan(pixel(n));
            made_ += whole;
        }
    }

    bool check() override {
        tell();
        const std::uint64_t now = digest(output_.span());
        if (made_ > 0 && !first_) first_ = now;
        return made_ == asked_ && now == first_ && error() <= allowed_;
    }

    Proof prove() override {
        const bool right = check();
        return {right,
                sentence("At %zu places of the output, and on average over each channel, the "
                         "largest difference from known answers is %.2e of the output's largest "
                         "magnitude; %s %.1e. %llu of %llu repetitions wrote the output, %s.",
                         points, error(), right ? "allowed are" : "allowed would be", allowed_,
                         static_cast<unsigned long long>(made_),
                         static_cast<unsigned long long>(asked_),
                         digest(output_.span()) == first_ ? "always the same bits"
                                                          : "not always the same bits")};
    }

    std::string_view variant() const override { return variant_; }
    unsigned threads() const override { return threads_; }

    // Those of each part in the order they run, then of the whole.
    std::vector<std::string> columns() const override {
        std::vector<std::string> names;
        for (const unet::Timing& part : parts()) {
            names.push_back(part.layers + " s");
            names.push_back(part.layers + " FLOP");
        }
        names.insert(names.end(), {"multiplied FLOP", "memory B"});
        return names;
    }
    std::span<const double> further() const override { return told_; }

    std::string about() const override {
        if (!network_) return "";
        double flops = 0;
        for (const unet::Timing& part : network_->timings()) flops += part.flops;
        return sentence("%.1f GFLOP multiplied an image, %.0f MiB of memory", 1e-9 * flops,
                        static_cast<double>(network_->bytes()) / (1U << 20U)) +
               (library_ ? ", " + library_->about() : "");
    }

private:
    unet::Options options() const {
        unet::Options options{
            .precision = precision_, .variant = variant_, .threads = threads_, .sgemm = {}};
        if (description_) options.sgemm = multiplication();
        return options;
    }

    unet::Sgemm multiplication() const {
        return [this](std::size_t m, std::size_t n, std::size_t k, const float* a, std::size_t lda,
                      const float* b, std::size_t ldb, float* c, std::size_t ldc, bool add) {
            const auto whole = [](std::size_t size) { return static_cast<std::int64_t>(size); };
            library_->sgemm_by_rows(whole(m), whole(n), whole(k), a, whole(lda), b, whole(ldb), c,
                                    whole(ldc), add);
        };
    }

    std::size_t pixels() const { return problem_.side * problem_.side; }

    double error() const { return inference::error(problem_, output_.span()); }

    // As the network has them, but the last layer and the copy of what it made are one.
    std::vector<unet::Timing> parts() const {
        std::vector<unet::Timing> parts;
        for (const unet::Timing& part : network_->timings()) {
            if (parts.empty() || parts.back().layers != part.layers) {
                parts.push_back(part);
                continue;
            }
            parts.back().direct_flops += part.direct_flops;
            parts.back().flops += part.flops;
            parts.back().seconds += part.seconds;
        }
        return parts;
    }

    // The n-th that is spoilt, others in each repetition.
    float& pixel(std::size_t n) const {
        return output_.data()[(asked_ * 7919 + n * 104729) % (outputs * pixels())];
    }

    void tell() {
        double flops = 0;
        told_.clear();
        for (const unet::Timing& part : parts()) {
            told_.push_back(part.seconds);
            told_.push_back(part.direct_flops);
            flops += part.flops;
        }
        told_.push_back(flops);
        told_.push_back(static_cast<double>(network_->bytes()));
    }

    const Problem& problem_;
    unet::Precision precision_;
    unsigned threads_;
    std::string variant_;
    double allowed_ = 0;  // of error()
    std::optional<blas::Description> description_;
    std::optional<blas::Library> library_;
    std::optional<unet::Network> network_;
    Buffer<float> image_, output_;
    std::uint64_t asked_ = 0, made_ = 0;  // repetitions
    std::optional<std::uint64_t> first_;  // what the first batch left
    std::vector<double> told_;
};

}  // namespace

std::unique_ptr<Kernel> kernel(unet::Precision precision, std::size_t side, unsigned threads,
                               std::string_view variant,
                               const std::optional<blas::Description>& library) {
    return std::make_unique<Inference>(precision, side, threads, variant, library);
}

}  // namespace stend::inference
