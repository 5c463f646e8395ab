// Every layer by matrix products of the caller's BLAS; each thread has it compute a share, so the
// BLAS is to use one thread itself.
#include <algorithm>
#include <string>
#include <utility>

#include "buffers/buffer.h"
#include "unet/blas/layers.h"
#include "unet/finish.h"
#include "unet/variants.h"

namespace stend::unet::blas {
namespace {

// Rows of all channels between the caller's format and a map; an item is a row.
template <typename Copy>
class Rows final : public Step {
public:
    Rows(const Map& map, Copy copy) : map_(map), copy_(copy) {}

    std::size_t items() const override { return map_.channels() * map_.height(); }

    void work(std::size_t first, std::size_t last, unsigned) noexcept override {
        for (std::size_t row = first; row < last; ++row)
            copy_(map_.row(row / map_.height(), row % map_.height()), row * map_.width());
    }

private:
    const Map& map_;
    Copy copy_;
};

template <typename Copy>
std::unique_ptr<Step> rows(const Map& map, Copy copy) {
    return std::make_unique<Rows<Copy>>(map, copy);
}

class ByBlas final : public Engine {
public:
    explicit ByBlas(const Plan& plan) {
        const Model& model = plan.model;
        for (const Tensor& tensor : model.tensors)
            maps_.emplace_back(tensor.channels, plan.height >> tensor.level,
                               plan.width >> tensor.level);
        const Map &in = maps_[0], &out = maps_[model.output];
        input_ = Buffer<float>(in.channels() * plan.height * plan.width);
        output_ = Buffer<float>(out.channels() * plan.height * plan.width);
        add("input").push_back(
            rows(in, [from = input_.data(), width = in.width()](float* row, std::size_t at) {
                std::copy_n(from + at, width, row);
            }));
        for (const Layer& layer : model.layers) add(layer, plan);
        auto& last = add("output");
        last.push_back(
            rows(out, [to = output_.data(), width = out.width()](const float* row, std::size_t at) {
                std::copy_n(row, width, to + at);
            }));
        if (auto activation =
                finish(model.layers.back().activation, output_.span(), out.channels()))
            last.push_back(std::move(activation));
    }

    std::span<const Part> parts() const override { return parts_; }
    std::span<float> input() override { return input_.span(); }
    std::span<const float> output() const override { return output_.span(); }

    std::size_t bytes() const override {
        std::size_t bytes = input_.mapped_bytes() + output_.mapped_bytes() + steps_;
        for (const Map& map : maps_) bytes += map.bytes();
        return bytes;
    }

private:
    std::vector<std::unique_ptr<Step>>& add(std::string layers) {
        parts_.push_back({std::move(layers), 0, 0, {}});
        return parts_.back().steps;
    }

    void add(const Layer& layer, const Plan& plan) {
        Made made = step(layer, plan);
        add(layer.name).push_back(std::move(made.step));
        parts_.back().direct_flops = direct_flops(plan.model, layer, plan.height, plan.width);
        parts_.back().flops = made.flops;
        steps_ += made.bytes;
    }

    Made step(const Layer& layer, const Plan& plan) const {
        std::vector<const Map*> inputs;
        for (const std::size_t input : layer.inputs) inputs.push_back(&maps_[input]);
        const Map& output = maps_[layer.output];
        switch (layer.operation) {
            case Operation::convolution:
                return convolution(layer, inputs, output, plan.sgemm);
            case Operation::transposed_convolution:
                return transposed(layer, inputs, output, plan.sgemm, plan.threads);
            case Operation::max_pooling:
                break;
        }
        return pooling(*inputs[0], output);
    }

    std::vector<Map> maps_;  // of each tensor
    Buffer<float> input_, output_;
    std::size_t steps_ = 0;  // bytes
    std::vector<Part> parts_;
};

}  // namespace

std::unique_ptr<Engine> make(const Plan& plan) {
    return std::make_unique<ByBlas>(plan);
}

}  // namespace stend::unet::blas
