// Few tiles: first all their input channels are transformed, then each thread takes output channels
// through the rest: some input channels at a time, their weights are transformed and multiplied
// with.
#include <algorithm>

#include "unet/winograd/convolution3.h"
#include "unet/winograd/layer.h"
#include "unet/winograd/panels.h"

namespace stend::unet::winograd {
namespace {

// Planes of input channels whose weights are transformed at a time.
constexpr std::size_t most_planes = 4;

// Output channels that inputs in the cache are multiplied to, a panel after another.
constexpr std::size_t channels_at_a_time = 4 * line;

// What both steps below are about.
struct Share {
    Share(const Kernels& chosen, const blocked::Stage& stage)
        : kernels(chosen), transforms(chosen, stage), v(transforms.tiles(), stage.in.size()) {}

    const Kernels& kernels;
    Transforms transforms;
    Tiles v;
};

// An item is a plane of the input.
class Input final : public Step {
public:
    Input(std::shared_ptr<const Share> share, blocked::Workspace& workspace)
        : share_(std::move(share)), workspace_(workspace) {}

    std::size_t items() const override { return share_->v.planes.size(); }

    void work(std::size_t first, std::size_t last, unsigned) noexcept override {
        float* v = reinterpret_cast<float*>(workspace_.data());
        for (std::size_t plane = first; plane < last; ++plane)
            share_->transforms.input(plane, 0, share_->v.count, v + share_->v.offset(0, plane),
                                     share_->v.stride);
    }

private:
    std::shared_ptr<const Share> share_;
    blocked::Workspace& workspace_;
};

// An item is some output channels.
class Products final : public Step {
public:
    Products(std::shared_ptr<const Share> share, std::shared_ptr<const Buffer<float>> weights,
             const Panels& panels, unsigned threads, blocked::Workspace& workspace)
        : share_(std::move(share)),
          weights_(std::move(weights)),
          panels_(panels),
          channels_(channels_at_a_time),
          m_(share_->v.count, channels_ / line),
          u_stride_(most_planes * line * panels.panel + 3 * line),
          workspace_(workspace) {
        workspace.need((share_->v.floats + threads * member_floats()) * sizeof(float));
    }

    std::size_t items() const override { return (panels_.outputs + channels_ - 1) / channels_; }

    void work(std::size_t first, std::size_t last, unsigned member) noexcept override {
        const float* v = reinterpret_cast<const float*>(workspace_.data());
        float* m = reinterpret_cast<float*>(workspace_.data()) + share_->v.floats +
                   member * member_floats();
        for (std::size_t item = first; item < last; ++item) {
            const std::size_t begin = item * channels_,
                              end = std::min(begin + channels_, panels_.outputs);
            for (std::size_t plane = 0; plane < share_->v.planes.size(); plane += most_planes)
                for (std::size_t channel = begin; channel < end; channel += panels_.panel)
                    multiply(plane, channel / panels_.panel, channel - begin, v, m);
            for (std::size_t plane = begin / line; plane < end / line; ++plane)
                share_->transforms.output(plane, 0, share_->v.count,
                                          m + m_.offset(0, plane - begin / line), m_.stride);
        }
    }

private:
    std::size_t member_floats() const { return m_.floats + elements * u_stride_; }

    // Inputs of `most_planes` planes, to a panel's outputs.
    void multiply(std::size_t plane, std::size_t panel, std::size_t channel, const float* v,
                  float* m) {
        float* u = m + m_.floats;
        const Tiles& tiles = share_->v;
        const std::size_t width = panels_.width(panel);
        const std::size_t planes = std::min(most_planes, tiles.planes.size() - plane);
        share_->kernels.filters(
            weights_->data() + 9 * (panels_.offset(panel) + plane * line * width), planes * line,
            width, u, static_cast<std::ptrdiff_t>(u_stride_));
        for (std::size_t element = 0; element < elements; ++element) {
            const float* a = v + tiles.offset(element, 0);
            float* c = m + m_.offset(element, channel / line) + channel % line;
            share_->kernels.product({.rows = tiles.count,
                                     .a = a,
                                     .offsets = &tiles.planes[plane],
                                     .planes = planes,
                                     .b = u + element * u_stride_,
                                     .channels = width,
                                     .c = {c, c + m_.count * line},
                                     .step = line,
                                     .add = plane > 0,
                                     .bias = nullptr,
                                     .relu = false,
                                     .next = a + tiles.stride + tiles.planes[plane]});
        }
    }

    std::shared_ptr<const Share> share_;
    std::shared_ptr<const Buffer<float>> weights_;  // [panel][input][3][3][output of the panel]
    Panels panels_;
    std::size_t channels_;  // of an item
    Tiles m_;
    std::size_t u_stride_;
    blocked::Workspace& workspace_;
};

}  // namespace

blocked::Made passing(const Kernels& kernels, const blocked::Stage& stage, unsigned threads,
                      blocked::Workspace& workspace) {
    const Panels panels(kernels, stage);
    const auto weights = std::make_shared<const Buffer<float>>(filters(panels, stage));
    const auto share = std::make_shared<const Share>(kernels, stage);
    blocked::Made made{.steps = {},
                       .flops = 2.0 * elements * static_cast<double>(share->v.count) *
                                static_cast<double>(panels.floats()),
                       .bytes = weights->mapped_bytes()};
    made.steps.push_back(std::make_unique<Input>(share, workspace));
    made.steps.push_back(std::make_unique<Products>(share, weights, panels, threads, workspace));
    return made;
}

}  // namespace stend::unet::winograd
