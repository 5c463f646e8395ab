// Blocks of tiles go through three phases: their input transformed and rounded to bfloat16, one
// matrix product at each of the 24 points, and their output transformed back. A block is so small
// that what lies between the phases stays in the second cache, as far as it can.
#if defined(__x86_64__)

#include "unet/bfloat16/winograd.h"

#include <algorithm>
#include <utility>

#include "unet/bfloat16/strips.h"
#include "unet/bfloat16/transforms.h"

namespace stend::unet::bfloat16 {
namespace {

using blocked::Geometry;
using blocked::Made;
using blocked::Plane;
using blocked::Stage;
using blocked::Workspace;
using transforms::points;

// Of a second cache of 1 MiB.
constexpr std::size_t block_bytes = std::size_t{384} << 10;

// Fewer tiles than these would read the weights of deep layers too often.
constexpr std::size_t least_tiles = 112;

constexpr std::size_t cache_line = 64;

// A plane's channels as Lanes of even and odd ones: widened so without moving any between lanes.
constexpr std::size_t in_pair(std::size_t lane) {
    return lane % plane_channels / 2 + lane % 2 * (plane_channels / 2);
}

// [point][panel of 32 outputs][plane of 32 inputs][pair of inputs][output][2].
Buffer<Number> transformed(const Stage& stage) {
    const std::size_t outputs = stage.layer.bias.size(), lanes = stage.channels.size();
    const std::size_t inputs = stage.layer.weights.size() / outputs / 9;
    const std::size_t panels = (outputs + plane_channels - 1) / plane_channels;
    const std::size_t matrix = lanes * plane_channels;
    Buffer<Number> packed(points * panels * matrix);
    for (std::size_t out = 0; out < outputs; ++out)
        for (std::size_t lane = 0; lane < lanes; ++lane) {
            if (stage.channels[lane] == Stage::none) continue;
            const auto values = transforms::of_weights(
                &stage.layer.weights[(out * inputs + stage.channels[lane]) * 9]);
            const std::size_t at = lane / plane_channels * plane_channels + in_pair(lane);
            Number* to = packed.data() + out / plane_channels * matrix +
                         (at / 2 * plane_channels + out % plane_channels) * 2 + at % 2;
            for (const double value : values) {
                *to = rounded(static_cast<float>(value));
                to += panels * matrix;
            }
        }
    return packed;
}

// Where a block is worked on.
struct Area {
    Number* inputs;  // [point][plane][tile][32 channels]
    float* sums;     // [point][panel][tile][32 channels]
    std::size_t first, count;
};

STEND_FOR("avx512f,avx512bw,avx512dq,avx512vl,avx512bf16")

STEND_INLINE Lanes even_and_odd(__m512i pixel) {
    const __m512i upper = _mm512_set1_epi32(static_cast<int>(0xFFFF0000));
    return {_mm512_castsi512_ps(_mm512_slli_epi32(pixel, 16)),
            _mm512_castsi512_ps(_mm512_and_si512(pixel, upper))};
}

class Convolution {
public:
    Convolution(const Stage& stage, unsigned threads)
        : from_(stage.from),
          to_(stage.to),
          pooled_to_(stage.pooled_to),
          in_(stage.in),
          out_(stage.out),
          pooled_(stage.pooled),
          weights_(transformed(stage)),
          bias_(stage.out.size() * plane_channels),
          relu_(stage.layer.activation == Activation::relu) {
        std::ranges::copy(stage.layer.bias, bias_.begin());
        columns_ = (to_.width + transforms::columns - 1) / transforms::columns;
        tiles_ = columns_ * ((to_.height + transforms::rows - 1) / transforms::rows);
        const std::size_t bytes = points * (in_.size() * 64 + out_.size() * 128);
        block_ = std::min(tiles_, std::max(block_bytes / bytes, least_tiles));
        apart_ = threads == 1 || blocks() >= blocks_each * threads;
        if (!apart_) block_ = tiles_;
    }

    // Whether each thread takes blocks of its own; else all work on one, phase by phase.
    bool apart() const { return apart_; }
    std::size_t blocks() const { return (tiles_ + block_ - 1) / block_; }
    std::size_t tiles() const { return tiles_; }
    std::size_t planes() const { return in_.size(); }
    std::size_t panels() const { return out_.size(); }
    std::size_t area_bytes() const { return input_bytes() + points * sum_stride() * sizeof(float); }
    std::size_t bytes() const { return weights_.mapped_bytes(); }
    double flops() const {
        return 2.0 * static_cast<double>(points * tiles_ * planes() * panels()) * plane_channels *
               plane_channels;
    }

    Area area(std::byte* memory, std::size_t block) const {
        return {reinterpret_cast<Number*>(memory), reinterpret_cast<float*>(memory + input_bytes()),
                block * block_, std::min(block_, tiles_ - block * block_)};
    }

    void transform(const Area& area, std::size_t plane, std::size_t tile) const {
        Lanes half[transforms::in_rows][transforms::in_columns];
        const auto [y, x] = place(area.first + tile);
        const Plane from = in_[plane] + from_.offset(y - 1, x - 1);
        for (std::size_t column = 0; column < transforms::in_columns; ++column) {
            Lanes pixels[transforms::in_rows], sums[transforms::in_rows];
            for (std::size_t row = 0; row < transforms::in_rows; ++row)
                pixels[row] = even_and_odd(
                    _mm512_load_si512(from + from_.offset(signed_of(row), signed_of(column))));
            transforms::input_down(pixels, sums);
            for (std::size_t row = 0; row < transforms::in_rows; ++row)
                half[row][column] = sums[row];
        }
        Number* to = area.inputs + (plane * block_ + tile) * plane_channels;
        for (const auto& row : half) {
            Lanes whole[transforms::in_columns];
            transforms::input_along(row, whole);
            for (const Lanes& value : whole) {
                _mm512_store_si512(to, rounded(value));
                to += input_stride();
            }
        }
    }

    void multiply(const Area& area, std::size_t point, std::size_t panel) const {
        const std::size_t matrix = planes() * plane_channels * plane_channels;
        multiply_strips(
            {.pixels = area.inputs + point * input_stride(),
             .count = area.count,
             .planes = planes(),
             .plane_stride = block_ * plane_channels,
             .weights = weights_.data() + (point * panels() + panel) * matrix,
             .sums = area.sums + point * sum_stride() + panel * block_ * plane_channels});
    }

    void finish(const Area& area, std::size_t panel, std::size_t tile) const {
        Lanes half[transforms::columns][transforms::in_rows];
        const float* from = area.sums + (panel * block_ + tile) * plane_channels;
        for (std::size_t row = 0; row < transforms::in_rows; ++row) {
            Lanes sums[transforms::in_columns], along[transforms::columns];
            for (Lanes& sum : sums) {
                sum = lanes(from);
                from += sum_stride();
            }
            transforms::output_along(sums, along);
            for (std::size_t column = 0; column < transforms::columns; ++column)
                half[column][row] = along[column];
        }
        Lanes outputs[transforms::columns][transforms::rows];
        const Lanes bias = lanes(&bias_[panel * plane_channels]);
        for (std::size_t column = 0; column < transforms::columns; ++column) {
            transforms::output_down(half[column], outputs[column]);
            for (Lanes& output : outputs[column]) {
                output = output + bias;
                if (relu_) output = larger(zero(), output);
            }
        }
        store(outputs, panel, area.first + tile);
    }

private:
    static constexpr std::size_t blocks_each = 4;

    // A line more, so that points don't fall on the same lines of a cache.
    std::size_t input_stride() const {
        return planes() * block_ * plane_channels + cache_line / sizeof(Number);
    }
    std::size_t sum_stride() const {
        return panels() * block_ * plane_channels + cache_line / sizeof(float);
    }
    std::size_t input_bytes() const { return points * input_stride() * sizeof(Number); }

    std::pair<std::ptrdiff_t, std::ptrdiff_t> place(std::size_t tile) const {
        return {signed_of(tile / columns_ * transforms::rows),
                signed_of(tile % columns_ * transforms::columns)};
    }

    // What of a tile lies in the image; its pooling's, too, whose sides are even.
    void store(const Lanes (&outputs)[transforms::columns][transforms::rows], std::size_t panel,
               std::size_t tile) const {
        const auto [y, x] = place(tile);
        const std::size_t rows =
                              std::min(transforms::rows, to_.height - static_cast<std::size_t>(y)),
                          columns = std::min(transforms::columns,
                                             to_.width - static_cast<std::size_t>(x));
        for (std::size_t column = 0; column < columns; ++column)
            for (std::size_t row = 0; row < rows; ++row)
                write<1>(&out_[panel], 0, to_.offset(y + signed_of(row), x + signed_of(column)),
                         outputs[column][row]);
        if (pooled_.empty()) return;
        for (std::size_t column = 0; column < columns; column += 2)
            write<1>(&pooled_[panel], 0, pooled_to_.offset(y / 2, (x + signed_of(column)) / 2),
                     larger(larger(outputs[column][0], outputs[column][1]),
                            larger(outputs[column + 1][0], outputs[column + 1][1])));
    }

    Geometry from_, to_, pooled_to_;
    std::vector<Plane> in_, out_, pooled_;
    Buffer<Number> weights_;
    std::vector<float> bias_;
    bool relu_, apart_;
    std::size_t columns_, tiles_, block_;
};

STEND_FOR_ANY

// An item is a block.
class Blocks final : public Step {
public:
    Blocks(std::shared_ptr<const Convolution> convolution, const Workspace& workspace)
        : convolution_(std::move(convolution)), workspace_(workspace) {}

    std::size_t items() const override { return convolution_->blocks(); }

    void work(std::size_t first, std::size_t last, unsigned member) noexcept override {
        const Convolution& convolution = *convolution_;
        std::byte* memory = workspace_.data() + member * convolution.area_bytes();
        for (std::size_t block = first; block < last; ++block) {
            const Area area = convolution.area(memory, block);
            for (std::size_t plane = 0; plane < convolution.planes(); ++plane)
                for (std::size_t tile = 0; tile < area.count; ++tile)
                    convolution.transform(area, plane, tile);
            for (std::size_t point = 0; point < points; ++point)
                for (std::size_t panel = 0; panel < convolution.panels(); ++panel)
                    convolution.multiply(area, point, panel);
            for (std::size_t panel = 0; panel < convolution.panels(); ++panel)
                for (std::size_t tile = 0; tile < area.count; ++tile)
                    convolution.finish(area, panel, tile);
        }
    }

private:
    std::shared_ptr<const Convolution> convolution_;
    const Workspace& workspace_;
};

// A phase of the one block that all threads share: `outer` by `inner` items.
class Phase final : public Step {
public:
    using Item = void (Convolution::*)(const Area&, std::size_t, std::size_t) const;

    Phase(std::shared_ptr<const Convolution> convolution, const Workspace& workspace, Item item,
          std::size_t outer, std::size_t inner)
        : convolution_(std::move(convolution)),
          workspace_(workspace),
          item_(item),
          outer_(outer),
          inner_(inner) {}

    std::size_t items() const override { return outer_ * inner_; }

    void work(std::size_t first, std::size_t last, unsigned) noexcept override {
        const Area area = convolution_->area(workspace_.data(), 0);
        for (std::size_t item = first; item < last; ++item)
            ((*convolution_).*item_)(area, item / inner_, item % inner_);
    }

private:
    std::shared_ptr<const Convolution> convolution_;
    const Workspace& workspace_;
    Item item_;
    std::size_t outer_, inner_;
};

}  // namespace

Made winograd(const Stage& stage, unsigned threads, Workspace& workspace) {
    const auto convolution = std::make_shared<const Convolution>(stage, threads);
    Made made{.steps = {}, .flops = convolution->flops(), .bytes = convolution->bytes()};
    workspace.need(convolution->area_bytes() * (convolution->apart() ? threads : 1));
    if (convolution->apart()) {
        made.steps.push_back(std::make_unique<Blocks>(convolution, workspace));
        return made;
    }
    const auto phase = [&](Phase::Item item, std::size_t outer, std::size_t inner) {
        made.steps.push_back(std::make_unique<Phase>(convolution, workspace, item, outer, inner));
    };
    phase(&Convolution::transform, convolution->planes(), convolution->tiles());
    phase(&Convolution::multiply, points, convolution->panels());
    phase(&Convolution::finish, convolution->panels(), convolution->tiles());
    return made;
}

}  // namespace stend::unet::bfloat16
#endif
