// Lays a model's tensors out in planes and makes each layer's steps with a variant's kernels. A
// pooling is done together with the 3×3 convolution before it; the first and the last convolution
// read and write the caller's format where they can.
#include <algorithm>
#include <functional>
#include <memory>
#include <string>
#include <utility>

#include "buffers/buffer.h"
#include "unet/blocked/stage.h"
#include "unet/finish.h"

namespace stend::unet::blocked {
namespace {

// Channels that are worth being read or written one by one.
constexpr std::size_t few = 4;

// A row of an image between the caller's format and planes; an item is a row.
class Rows final : public Step {
public:
    Rows(std::size_t height, std::function<void(std::size_t)> row)
        : height_(height), row_(std::move(row)) {}

    std::size_t items() const override { return height_; }

    void work(std::size_t first, std::size_t last, unsigned) noexcept override {
        for (std::size_t y = first; y < last; ++y) row_(y);
    }

private:
    std::size_t height_;
    std::function<void(std::size_t)> row_;
};

// Zeros below and at the right of what a transposed convolution makes, where its level is larger;
// the planes held another tensor before. An item is a plane.
class Rim final : public Step {
public:
    explicit Rim(const Stage& stage) : out_(stage.out), from_(stage.from), to_(stage.to) {}

    std::size_t items() const override { return out_.size(); }

    void work(std::size_t first, std::size_t last, unsigned) noexcept override {
        for (; first < last; ++first) {
            if (2 * from_.height < to_.height) clear(out_[first], to_.height - 1, 0);
            for (std::size_t y = 0; 2 * from_.width < to_.width && y < to_.height; ++y)
                clear(out_[first], y, to_.width - 1);
        }
    }

private:
    // To the end of the row.
    void clear(Plane plane, std::size_t y, std::size_t x) const {
        std::fill_n(
            plane + to_.offset(static_cast<std::ptrdiff_t>(y), static_cast<std::ptrdiff_t>(x)),
            (to_.width - x) * pixel_floats, 0.0F);
    }

    std::vector<Plane> out_;
    Geometry from_, to_;
};

// What stays when it is made.
struct Blocked final : Engine {
    explicit Blocked(Planes laid_out) : planes(std::move(laid_out)) {}

    std::span<const Part> parts() const override { return all; }
    std::span<float> input() override { return image.span(); }
    std::span<const float> output() const override { return result.span(); }

    std::size_t bytes() const override {
        return image.mapped_bytes() + result.mapped_bytes() + planes.bytes() + workspace.bytes() +
               weights;
    }

    Planes planes;
    Buffer<float> image, result;
    Workspace workspace;
    std::size_t weights = 0;
    std::vector<Part> all;
};

// Makes it by a plan.
class Assembly {
public:
    Assembly(const Plan& plan, const Kernels& kernels)
        : plan_(plan),
          kernels_(kernels),
          made_(std::make_unique<Blocked>(Planes(plan.model, plan.height, plan.width, counts()))) {}

    std::unique_ptr<Engine> engine() && {
        const Model& model = plan_.model;
        const std::size_t pixels = plan_.height * plan_.width;
        made_->image = Buffer<float>(model.tensors[0].channels * pixels);
        made_->result = Buffer<float>(model.tensors[model.output].channels * pixels);
        enter();
        for (std::size_t layer = 0; layer < model.layers.size(); ++layer) {
            const bool pooled = pooled_with_next(layer);
            add(layer, pooled);
            layer += pooled ? 1 : 0;
        }
        leave();
        made_->workspace.allocate();
        return std::move(made_);
    }

private:
    bool reads_image(const Layer& layer) const { return blocked::reads_image(plan_.model, layer); }
    bool writes_result(const Layer& layer) const {
        return blocked::writes_result(plan_.model, layer);
    }

    bool enters() const {
        return std::ranges::any_of(plan_.model.layers, [&](const Layer& layer) {
            return !reads_image(layer) && std::ranges::count(layer.inputs, std::size_t{0}) > 0;
        });
    }

    std::vector<std::size_t> counts() const {
        std::vector<std::size_t> counts;
        for (const Tensor& tensor : plan_.model.tensors)
            counts.push_back((tensor.channels + kernels_.form.channels - 1) /
                             kernels_.form.channels * kernels_.form.parts);
        if (!enters()) counts[0] = 0;
        if (writes_result(plan_.model.layers.back())) counts[plan_.model.output] = 0;
        return counts;
    }

    // Not of odd sides, whose last row or column has no other to be pooled with.
    bool pooled_with_next(std::size_t layer) const {
        const std::vector<Layer>& layers = plan_.model.layers;
        const Geometry& made = made_->planes.level(plan_.model.tensors[layers[layer].output].level);
        return made.height % 2 == 0 && made.width % 2 == 0 && layer + 1 < layers.size() &&
               layers[layer].operation == Operation::convolution && layers[layer].kernel == 3 &&
               !reads_image(layers[layer]) &&
               layers[layer + 1].operation == Operation::max_pooling &&
               layers[layer + 1].inputs[0] == layers[layer].output;
    }

    // The planes of a layer's inputs, high parts first, and which channel is in which lane.
    void join(Stage& stage) const {
        const std::size_t lanes = kernels_.form.channels, parts = kernels_.form.parts;
        std::size_t channel = 0;
        for (const std::size_t input : stage.layer.inputs) {
            const std::size_t channels = plan_.model.tensors[input].channels;
            const std::size_t planes = (channels + lanes - 1) / lanes;
            for (std::size_t lane = 0; lane < planes * lanes; ++lane)
                stage.channels.push_back(lane < channels ? channel++ : Stage::none);
        }
        for (std::size_t part = 0; part < parts; ++part)
            for (const std::size_t input : stage.layer.inputs) {
                const std::vector<Plane> planes = made_->planes.of(input);
                const std::size_t share = planes.size() / parts;
                stage.in.insert(stage.in.end(), planes.begin() + static_cast<long>(part * share),
                                planes.begin() + static_cast<long>((part + 1) * share));
            }
    }

    Stage stage(const Layer& layer) {
        const std::vector<Tensor>& tensors = plan_.model.tensors;
        Stage stage{.layer = layer,
                    .channels = {},
                    .from = made_->planes.level(tensors[layer.inputs[0]].level),
                    .to = made_->planes.level(tensors[layer.output].level),
                    .in = {},
                    .out = made_->planes.of(layer.output),
                    .pooled = {},
                    .pooled_to = {}};
        if (reads_image(layer))
            stage.image = made_->image.data();
        else
            join(stage);
        if (writes_result(layer)) stage.result = made_->result.data();
        return stage;
    }

    Kernels::Make kernel(const Layer& layer) const {
        if (reads_image(layer)) return kernels_.first;
        if (writes_result(layer)) return kernels_.last;
        if (layer.operation == Operation::max_pooling) return kernels_.pooling;
        if (layer.operation == Operation::transposed_convolution) return kernels_.transposed;
        return layer.kernel == 3 ? kernels_.convolution3 : kernels_.convolution1;
    }

    void add(std::size_t number, bool pooled) {
        const Layer& layer = plan_.model.layers[number];
        Stage whole = stage(layer);
        Part part{.layers = layer.name,
                  .direct_flops = direct_flops(plan_.model, layer, plan_.height, plan_.width),
                  .flops = 0,
                  .steps = {}};
        if (pooled) {
            const Layer& pooling = plan_.model.layers[number + 1];
            whole.pooled = made_->planes.of(pooling.output);
            whole.pooled_to = made_->planes.level(plan_.model.tensors[pooling.output].level);
            part.layers += " + " + pooling.name;
        }
        Made made = kernel(layer)(whole, plan_.threads, made_->workspace);
        part.flops = made.flops;
        part.steps = std::move(made.steps);
        if (layer.operation == Operation::transposed_convolution &&
            (whole.to.height % 2 == 1 || whole.to.width % 2 == 1))
            part.steps.push_back(std::make_unique<Rim>(whole));
        made_->weights += made.bytes;
        made_->all.push_back(std::move(part));
    }

    void enter() {
        if (!enters()) return;
        const std::size_t channels = plan_.model.tensors[0].channels;
        made_->all.push_back({.layers = "input", .direct_flops = 0, .flops = 0, .steps = {}});
        made_->all.back().steps.push_back(std::make_unique<Rows>(
            plan_.height, [enter = kernels_.enter, image = made_->image.data(),
                           to = made_->planes.level(0), channels, out = made_->planes.of(0)](
                              std::size_t row) { enter(image, to, channels, out, row); }));
    }

    void leave() {
        const Layer& layer = plan_.model.layers.back();
        const std::size_t channels = plan_.model.tensors[plan_.model.output].channels;
        std::vector<std::unique_ptr<Step>> steps;
        if (!writes_result(layer))
            steps.push_back(std::make_unique<Rows>(
                plan_.height, [leave = kernels_.leave, result = made_->result.data(),
                               from = made_->planes.level(0), channels,
                               in = made_->planes.of(plan_.model.output)](std::size_t row) {
                    leave(in, from, channels, result, row);
                }));
        if (auto activation = finish(layer.activation, made_->result.span(), channels))
            steps.push_back(std::move(activation));
        if (steps.empty()) return;
        made_->all.push_back({.layers = "output", .direct_flops = 0, .flops = 0, .steps = {}});
        made_->all.back().steps = std::move(steps);
    }

    const Plan& plan_;
    const Kernels& kernels_;
    std::unique_ptr<Blocked> made_;
};

}  // namespace

bool reads_image(const Model& model, const Layer& layer) {
    return layer.operation == Operation::convolution && layer.inputs.size() == 1 &&
           layer.inputs[0] == 0 && model.tensors[0].channels <= few;
}

bool writes_result(const Model& model, const Layer& layer) {
    return layer.operation == Operation::convolution && layer.kernel == 1 &&
           layer.output == model.output && !reads_image(model, layer) &&
           model.tensors[layer.output].channels <= few;
}

std::unique_ptr<Engine> make(const Plan& plan, const Kernels& kernels) {
    return Assembly(plan, kernels).engine();
}

}  // namespace stend::unet::blocked
