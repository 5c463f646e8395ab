// A thread takes some tiles at a time through all of the layer: their transform, 36 products with
// the kept weights, and back. What lies between stays in its cache.
#include <algorithm>

#include "unet/winograd/convolution3.h"
#include "unet/winograd/layer.h"
#include "unet/winograd/panels.h"

namespace stend::unet::winograd {
namespace {

// Input channels that are summed in registers at a time: a panel of B for them, and the rows of A,
// fit in the first cache.
constexpr std::size_t most_planes = 16;

// Tiles at a time: with few weights, so few that tiles of all elements stay in the second cache;
// with many, more, for all weights come from beyond it each time.
std::size_t tiles_at_a_time(std::size_t weights) {
    return weights <= (std::size_t{5} << 19) ? 28 : 128;
}

// An item is a tile.
class Kept final : public Step {
public:
    Kept(const Kernels& kernels, const blocked::Stage& stage, unsigned threads,
         blocked::Workspace& workspace)
        : kernels_(kernels),
          transforms_(kernels, stage),
          panels_(kernels, stage),
          weights_(elements * panels_.floats()),
          v_(std::min(transforms_.tiles(), tiles_at_a_time(weights_.mapped_bytes())),
             stage.in.size()),
          m_(v_.count, stage.out.size()),
          workspace_(workspace) {
        const Buffer<float> packed = filters(panels_, stage);
        for (std::size_t panel = 0; panel < panels_.count; ++panel)
            kernels.filters(packed.data() + 9 * panels_.offset(panel), panels_.inputs,
                            panels_.width(panel), weights_.data() + panels_.offset(panel),
                            static_cast<std::ptrdiff_t>(panels_.floats()));
        workspace.need(threads * member_floats() * sizeof(float));
    }

    std::size_t bytes() const { return weights_.mapped_bytes(); }

    std::size_t items() const override { return transforms_.tiles(); }
    std::size_t at_once() const override { return v_.count; }

    void work(std::size_t first, std::size_t last, unsigned member) noexcept override {
        float* v = reinterpret_cast<float*>(workspace_.data()) + member * member_floats();
        float* m = v + v_.floats;
        for (; first < last; first += v_.count) {
            const std::size_t end = std::min(first + v_.count, last);
            for (std::size_t plane = 0; plane < v_.planes.size(); ++plane)
                transforms_.input(plane, first, end, v + v_.offset(0, plane), v_.stride);
            multiply(end - first, v, m);
            for (std::size_t plane = 0; plane < m_.planes.size(); ++plane)
                transforms_.output(plane, first, end, m + m_.offset(0, plane), m_.stride);
        }
    }

private:
    std::size_t member_floats() const { return v_.floats + m_.floats; }

    void multiply(std::size_t tiles, const float* v, float* m) {
        const std::size_t planes = v_.planes.size();
        for (std::size_t element = 0; element < elements; ++element)
            for (std::size_t plane = 0; plane < planes; plane += most_planes)
                for (std::size_t panel = 0; panel < panels_.count; ++panel) {
                    const std::size_t width = panels_.width(panel), channel = panel * panels_.panel;
                    const float* b = weights_.data() + element * panels_.floats() +
                                     panels_.offset(panel) + plane * line * width;
                    float* c = m + m_.offset(element, channel / line) + channel % line;
                    kernels_.product({.rows = tiles,
                                      .a = v + v_.offset(element, 0),
                                      .offsets = &v_.planes[plane],
                                      .planes = std::min(most_planes, planes - plane),
                                      .b = b,
                                      .channels = width,
                                      .c = {c, c + m_.count * line},
                                      .step = line,
                                      .add = plane > 0,
                                      .bias = nullptr,
                                      .relu = false,
                                      .next = b + panels_.inputs * width});
                }
    }

    const Kernels& kernels_;
    Transforms transforms_;
    Panels panels_;
    Buffer<float> weights_;  // [element][panel][input][output of the panel]
    Tiles v_, m_;
    blocked::Workspace& workspace_;
};

}  // namespace

blocked::Made kept(const Kernels& kernels, const blocked::Stage& stage, unsigned threads,
                   blocked::Workspace& workspace) {
    auto step = std::make_unique<Kept>(kernels, stage, threads, workspace);
    blocked::Made made{.steps = {},
                       .flops = 2.0 * elements * static_cast<double>(step->items()) *
                                static_cast<double>(Panels(kernels, stage).floats()),
                       .bytes = step->bytes()};
    made.steps.push_back(std::move(step));
    return made;
}

}  // namespace stend::unet::winograd
