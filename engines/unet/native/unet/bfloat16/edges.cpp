// An item of each step is a row of the output.
#if defined(__x86_64__)

#include "unet/bfloat16/edges.h"

#include "unet/bfloat16/lanes.h"

namespace stend::unet::bfloat16 {
namespace {

using blocked::Geometry;
using blocked::Made;
using blocked::Plane;
using blocked::Stage;
using blocked::Workspace;

// Where a channel's number is: in which plane of a part, and where from a pixel's first.
struct Place {
    std::size_t plane;
    std::ptrdiff_t lane;
};

Place place(std::size_t channel) {
    return {channel / plane_channels, static_cast<std::ptrdiff_t>(channel % plane_channels)};
}

STEND_FOR("avx512f,avx512bw,avx512dq,avx512vl,avx512bf16")

// A 1×1 convolution with few outputs.
template <std::size_t parts>
class Last final : public Step {
public:
    explicit Last(const Stage& stage)
        : from_(stage.from),
          in_(stage.in),
          result_(stage.result),
          bias_(stage.layer.bias),
          relu_(stage.layer.activation == Activation::relu),
          planes_(stage.in.size() / parts),
          weights_(bias_.size() * stage.channels.size()) {
        const std::size_t inputs = stage.layer.weights.size() / bias_.size();
        for (std::size_t out = 0; out < bias_.size(); ++out)
            for (std::size_t lane = 0; lane < stage.channels.size(); ++lane)
                if (stage.channels[lane] != Stage::none)
                    weights_[out * stage.channels.size() + lane] =
                        stage.layer.weights[out * inputs + stage.channels[lane]];
    }

    std::size_t items() const override { return from_.height; }

    void work(std::size_t first, std::size_t last, unsigned) noexcept override {
        for (std::size_t y = first; y < last; ++y)
            for (std::size_t out = 0; out < bias_.size(); ++out)
                for (std::size_t x = 0; x < from_.width; ++x)
                    result_[(out * from_.height + y) * from_.width + x] = value(out, y, x);
    }

    std::size_t bytes() const { return weights_.size() * sizeof(float); }

private:
    float value(std::size_t out, std::size_t y, std::size_t x) const {
        const std::ptrdiff_t pixel = from_.offset(signed_of(y), signed_of(x));
        const float* weight = weights_.data() + out * planes_ * plane_channels;
        __m512 sum = _mm512_setzero_ps();
        for (std::size_t plane = 0; plane < planes_; ++plane, weight += plane_channels) {
            const Lanes values = read<parts>(&in_[plane], planes_, pixel), by = lanes(weight);
            sum = _mm512_fmadd_ps(values.low, by.low, sum);
            sum = _mm512_fmadd_ps(values.high, by.high, sum);
        }
        const float finished = _mm512_reduce_add_ps(sum) + bias_[out];
        return relu_ && finished < 0 ? 0 : finished;
    }

    Geometry from_;
    std::vector<Plane> in_;
    float* result_;
    std::vector<float> bias_;
    bool relu_;
    std::size_t planes_;
    std::vector<float> weights_;  // [output][lane]
};

template <std::size_t parts>
class Pooling final : public Step {
public:
    explicit Pooling(const Stage& stage)
        : from_(stage.from), to_(stage.to), in_(stage.in), out_(stage.out) {}

    std::size_t items() const override { return to_.height; }

    void work(std::size_t first, std::size_t last, unsigned) noexcept override {
        for (std::size_t y = first; y < last; ++y)
            for (std::size_t plane = 0; plane < out_.size() / parts; ++plane)
                for (std::size_t x = 0; x < to_.width; ++x)
                    write<parts>(&out_[plane], out_.size() / parts,
                                 to_.offset(signed_of(y), signed_of(x)),
                                 larger(pair(plane, 2 * y, 2 * x), pair(plane, 2 * y + 1, 2 * x)));
    }

private:
    Lanes pair(std::size_t plane, std::size_t y, std::size_t x) const {
        const std::size_t apart = in_.size() / parts;
        const std::ptrdiff_t pixel = from_.offset(signed_of(y), signed_of(x));
        return larger(read<parts>(&in_[plane], apart, pixel),
                      read<parts>(&in_[plane], apart, pixel + signed_of(blocked::pixel_floats)));
    }

    Geometry from_, to_;
    std::vector<Plane> in_, out_;
};

STEND_FOR_ANY

}  // namespace

template <std::size_t parts>
Made last(const Stage& stage, unsigned, Workspace&) {
    auto step = std::make_unique<Last<parts>>(stage);
    const double terms = static_cast<double>(stage.layer.weights.size());
    const double pixels = static_cast<double>(stage.from.height * stage.from.width);
    return blocked::made_of(std::move(step), 2 * terms * pixels);
}

template <std::size_t parts>
Made pooling(const Stage& stage, unsigned, Workspace&) {
    Made made;
    made.steps.push_back(std::make_unique<Pooling<parts>>(stage));
    return made;
}

template <std::size_t parts>
void enter(const float* image, const Geometry& to, std::size_t channels,
           const std::vector<Plane>& out, std::size_t row) {
    for (std::size_t channel = 0; channel < out.size() / parts * plane_channels; ++channel) {
        const auto [plane, lane] = place(channel);
        for (std::size_t part = 0; part < parts; ++part) {
            float* begin = out[part * out.size() / parts + plane];
            // Lanes of no channel, too: an infinity that another tensor left there, times a weight
            // of 0, would be no number.
            for (std::size_t x = 0; x < to.width; ++x)
                reinterpret_cast<Number*>(begin + to.offset(signed_of(row), signed_of(x)))[lane] =
                    channel < channels
                        ? part_of(image[(channel * to.height + row) * to.width + x], part)
                        : Number{0};
        }
    }
}

template <std::size_t parts>
void leave(const std::vector<Plane>& in, const Geometry& from, std::size_t channels, float* result,
           std::size_t row) {
    for (std::size_t channel = 0; channel < channels; ++channel) {
        const auto [plane, lane] = place(channel);
        float* to = result + (channel * from.height + row) * from.width;
        for (std::size_t x = 0; x < from.width; ++x) {
            to[x] = 0;
            for (std::size_t part = 0; part < parts; ++part)
                to[x] += widened(numbers(in[part * in.size() / parts + plane] +
                                         from.offset(signed_of(row), signed_of(x)))[lane]);
        }
    }
}

#define STEND_PARTS(parts)                                                                      \
    template Made last<parts>(const Stage&, unsigned, Workspace&);                              \
    template Made pooling<parts>(const Stage&, unsigned, Workspace&);                           \
    template void enter<parts>(const float*, const Geometry&, std::size_t,                      \
                               const std::vector<Plane>&, std::size_t);                         \
    template void leave<parts>(const std::vector<Plane>&, const Geometry&, std::size_t, float*, \
                               std::size_t);
STEND_PARTS(1)
STEND_PARTS(2)
#undef STEND_PARTS

}  // namespace stend::unet::bfloat16
#endif
