// Items are blocks of units by panels, a panel being 32 output channels (of one of the four places
// of a transposed convolution): blocks so small that their input stays in the second cache while
// panel after panel is multiplied with it.
#if defined(__x86_64__)

#include "unet/bfloat16/products.h"

#include <algorithm>
#include <utility>

#include "unet/bfloat16/lanes.h"

namespace stend::unet::bfloat16 {
namespace {

using blocked::Geometry;
using blocked::Made;
using blocked::Plane;
using blocked::Stage;

constexpr std::size_t half = 16;  // of a panel's channels

// In the order that products read them: [panel][plane][tap][part][half][pair][channel][2].
class Weights {
public:
    Weights(const Stage& stage, std::size_t parts)
        : layer_(stage.layer),
          channels_(stage.channels),
          parts_(parts),
          transposed_(layer_.operation == Operation::transposed_convolution),
          taps_(transposed_ ? 1 : layer_.kernel * layer_.kernel),
          outputs_(layer_.bias.size()) {}

    std::size_t taps() const { return taps_; }
    std::size_t places() const { return transposed_ ? 4 : 1; }
    std::size_t channel_panels() const { return (outputs_ + plane_channels - 1) / plane_channels; }
    std::size_t panel() const {
        return channels_.size() / plane_channels * taps_ * parts_ * matrix;
    }

    Buffer<Number> packed() const {
        Buffer<Number> packed(channel_panels() * places() * panel());
        Number* to = packed.data();
        for (std::size_t panel = 0; panel < channel_panels() * places(); ++panel)
            for (std::size_t plane = 0; plane < channels_.size(); plane += plane_channels)
                for (std::size_t tap = 0; tap < taps_; ++tap)
                    for (std::size_t part = 0; part < parts_; ++part, to += matrix)
                        fill(to, panel, plane, tap, part);
        return packed;
    }

private:
    void fill(Number* to, std::size_t panel, std::size_t plane, std::size_t tap,
              std::size_t part) const {
        const std::size_t first = panel / places() * plane_channels, place = panel % places();
        for (std::size_t out = 0; out < plane_channels; ++out)
            for (std::size_t lane = 0; lane < plane_channels; ++lane) {
                const std::size_t pair = out / half * half + lane / 2;
                to[(pair * half + out % half) * 2 + lane % 2] =
                    part_of(weight(first + out, channels_[plane + lane], tap + place), part);
            }
    }

    float weight(std::size_t out, std::size_t in, std::size_t tap) const {
        if (out >= outputs_ || in == Stage::none) return 0;
        if (transposed_) return layer_.weights[(in * outputs_ + out) * 4 + tap];
        const std::size_t inputs = layer_.weights.size() / (outputs_ * taps_);
        return layer_.weights[(out * inputs + in) * taps_ + tap];
    }

    const Layer& layer_;
    const std::vector<std::size_t>& channels_;
    std::size_t parts_;
    bool transposed_;
    std::size_t taps_, outputs_;
};

std::vector<std::ptrdiff_t> taps(const Layer& layer, const Geometry& from) {
    if (layer.operation == Operation::transposed_convolution) return {0};
    std::vector<std::ptrdiff_t> taps;
    const auto kernel = static_cast<std::ptrdiff_t>(layer.kernel), reach = kernel / 2;
    for (std::ptrdiff_t y = -reach; y <= reach; ++y)
        for (std::ptrdiff_t x = -reach; x <= reach; ++x)
            taps.push_back(from.offset(y, x) * 2);  // bfloat16 in a float
    return taps;
}

STEND_FOR("avx512f,avx512bw,avx512dq,avx512vl,avx512bf16")

template <std::size_t parts>
class Products final : public Step {
public:
    Products(const Stage& stage, unsigned threads, const Multiplier& multiplier)
        : multiplier_(multiplier),
          from_(stage.from),
          to_(stage.to),
          pooled_to_(stage.pooled_to),
          out_(stage.out),
          pooled_(stage.pooled),
          taps_(taps(stage.layer, stage.from)),
          relu_(stage.layer.activation == Activation::relu) {
        const Weights weights(stage, parts);
        places_ = weights.places();
        panels_ = weights.channel_panels() * places_;
        panel_ = weights.panel();
        weights_ = weights.packed();
        bias_.resize(weights.channel_panels() * plane_channels);
        std::ranges::copy(stage.layer.bias, bias_.begin());
        for (const Plane plane : stage.in) planes_.push_back(numbers(plane));
        columns_ = (from_.width + unit_columns - 1) / unit_columns;
        units_ = columns_ * ((from_.height + unit_rows - 1) / unit_rows);
        blocks_ = blocks(threads);
    }

    std::size_t items() const override { return blocks_ * panels_; }

    void work(std::size_t first, std::size_t last, unsigned) noexcept override {
        multiplier_.begin();
        for (std::size_t item = first; item < last; ++item) {
            const std::size_t block = item / panels_;
            for (std::size_t unit = units_ * block / blocks_; unit < units_ * (block + 1) / blocks_;
                 ++unit)
                compute(unit, item % panels_);
        }
        multiplier_.end();
    }

    std::size_t bytes() const { return weights_.mapped_bytes(); }
    double flops() const {
        return 2.0 * static_cast<double>(units_ * unit_rows * unit_columns * panels_ * panel_) /
               static_cast<double>(parts) * (parts == 2 ? 3 : 1);
    }

private:
    // As many as the cache wants, or as give each of several threads some.
    std::size_t blocks(unsigned threads) const {
        constexpr std::size_t items_each = 8;
        const std::size_t bytes =
            units_ * unit_rows * unit_columns * blocked::pixel_bytes * planes_.size();
        const std::size_t shared =
            threads == 1 ? 1 : (threads * items_each + panels_ - 1) / panels_;
        return std::clamp<std::size_t>(std::max(bytes / multiplier_.block_bytes + 1, shared), 1,
                                       units_);
    }

    void compute(std::size_t unit, std::size_t panel) const {
        alignas(64) float sums[unit_rows * unit_columns * plane_channels];
        const std::size_t y = unit / columns_ * unit_rows, x = unit % columns_ * unit_columns;
        const auto row = [&](std::size_t r) {  // the last one again where the height is odd
            return from_.offset(static_cast<std::ptrdiff_t>(std::min(y + r, from_.height - 1)),
                                static_cast<std::ptrdiff_t>(x)) *
                   2;
        };
        multiplier_.multiply({.planes = planes_.data(),
                              .count = planes_.size() / parts,
                              .taps = taps_.data(),
                              .tap_count = taps_.size(),
                              .row = {row(0), row(1)},
                              .weights = weights_.data() + panel * panel_,
                              .sums = sums});
        const std::size_t rows = std::min(unit_rows, from_.height - y),
                          columns = std::min(unit_columns, from_.width - x);
        for (std::size_t r = 0; r < rows; ++r) store(sums, r, y + r, x, columns, panel);
        if (!pooled_.empty()) pool(sums, y, x, columns, panel);
    }

    STEND_INLINE static Lanes sum(const float* sums, std::size_t row, std::size_t x) {
        const float* low = sums + (row * 2 * unit_columns + x) * half;
        return {_mm512_load_ps(low), _mm512_load_ps(low + unit_columns * half)};
    }

    STEND_INLINE Lanes finished(Lanes sum, std::size_t panel) const {
        const Lanes value = sum + lanes(bias_.data() + panel / places_ * plane_channels);
        return relu_ ? larger(zero(), value) : value;
    }

    void store(const float* sums, std::size_t r, std::size_t y, std::size_t x, std::size_t columns,
               std::size_t panel) const {
        const std::size_t scale = places_ == 4 ? 2 : 1, place = panel % places_;
        const std::ptrdiff_t begin = to_.offset(static_cast<std::ptrdiff_t>(y * scale + place / 2),
                                                static_cast<std::ptrdiff_t>(x * scale + place % 2));
        const auto stride = static_cast<std::ptrdiff_t>(scale * blocked::pixel_floats);
        const Plane* to = &out_[panel / places_];
        for (std::size_t i = 0; i < columns; ++i)
            write<parts>(to, out_.size() / parts, begin + static_cast<std::ptrdiff_t>(i) * stride,
                         finished(sum(sums, r, i), panel));
    }

    // Adding, and rounding, keep the order, so that the largest of the sums will do.
    void pool(const float* sums, std::size_t y, std::size_t x, std::size_t columns,
              std::size_t panel) const {
        const std::ptrdiff_t begin = pooled_to_.offset(static_cast<std::ptrdiff_t>(y / 2),
                                                       static_cast<std::ptrdiff_t>(x / 2));
        for (std::size_t i = 0; i < columns; i += 2) {
            const Lanes largest = larger(larger(sum(sums, 0, i), sum(sums, 0, i + 1)),
                                         larger(sum(sums, 1, i), sum(sums, 1, i + 1)));
            write<parts>(&pooled_[panel], pooled_.size() / parts,
                         begin + static_cast<std::ptrdiff_t>(i / 2 * blocked::pixel_floats),
                         finished(largest, panel));
        }
    }

    const Multiplier& multiplier_;
    Geometry from_, to_, pooled_to_;
    std::vector<Plane> out_, pooled_;
    std::vector<const Number*> planes_;
    std::vector<std::ptrdiff_t> taps_;
    Buffer<Number> weights_;
    std::vector<float> bias_;
    bool relu_;
    std::size_t places_, panels_, panel_;  // of a transposed convolution's pixel; all; its weights
    std::size_t columns_, units_, blocks_;
};

STEND_FOR_ANY

}  // namespace

template <std::size_t parts>
Made products(const Stage& stage, unsigned threads, const Multiplier& multiplier) {
    auto step = std::make_unique<Products<parts>>(stage, threads, multiplier);
    return blocked::made_of(std::move(step), step->flops());
}

template Made products<1>(const Stage&, unsigned, const Multiplier&);
template Made products<2>(const Stage&, unsigned, const Multiplier&);

}  // namespace stend::unet::bfloat16
#endif
