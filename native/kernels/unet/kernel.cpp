// The kernel: images in turn through the network, which tells of its layers besides.
#include <cstdio>
#include <string>
#include <vector>

#include "kernels/unet/turns.h"
#include "kernels/unet/unet.h"

namespace stend::inference {
namespace {

std::string sentence(const char* format, auto... values) {
    char said[80];
    std::snprintf(said, sizeof said, format, values...);
    return said;
}

class Inference final : public Kernel {
public:
    Inference(unet::Precision precision, std::size_t side, unsigned threads,
              std::string_view variant, const std::optional<blas::Description>& library)
        : side_(problem(side).side),
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
        turns_.emplace(side_, unet::tolerance(model, precision_, variant_));
        network_.emplace(model, side_, side_, options());
        tell();
    }

    void repeat(std::uint64_t times) override {
        for (; times > 0; --times) {
            const std::size_t which = turns_->turn();
            turns_->begin();
            network_->run(turns_->image(which).data(), 1, turns_->output(which).data());
            turns_->end();
        }
    }

    bool check() override {
        tell();
        return turns_->right();
    }

    Proof prove() override { return {turns_->right(), turns_->said()}; }

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

    // As the network has them, but work behind the last layer is of that layer: no pooling is last,
    // so a last part without operations brings out what was made.
    std::vector<unet::Timing> parts() const {
        std::vector<unet::Timing> parts = network_->timings();
        if (parts.size() > 1 && parts.back().direct_flops == 0) {
            const unet::Timing behind = parts.back();
            parts.pop_back();
            parts.back().seconds += behind.seconds;
            parts.back().flops += behind.flops;
        }
        return parts;
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

    std::size_t side_;
    unet::Precision precision_;
    unsigned threads_;
    std::string variant_;
    std::optional<blas::Description> description_;
    std::optional<blas::Library> library_;
    std::optional<unet::Network> network_;
    std::optional<Turns> turns_;
    std::vector<double> told_;
};

}  // namespace

std::unique_ptr<Kernel> kernel(unet::Precision precision, std::size_t side, unsigned threads,
                               std::string_view variant,
                               const std::optional<blas::Description>& library) {
    return std::make_unique<Inference>(precision, side, threads, variant, library);
}

}  // namespace stend::inference
