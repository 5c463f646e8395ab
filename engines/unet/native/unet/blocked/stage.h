// A layer as the fast variants compute it: from planes to planes.
#pragma once

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "unet/blocked/planes.h"
#include "unet/engine.h"

namespace stend::unet::blocked {

// How channels lie in planes.
struct Form {
    std::size_t channels = 16;  // in a plane
    // Planes for the same channels: 2 where each number is split in a high and a low part; all high
    // parts come first, then all low ones.
    std::size_t parts = 1;
};

struct Stage {
    const Layer& layer;  // there only while steps are made
    // Of each lane of `in`'s planes (of its first part), the input channel it holds, or none.
    static constexpr std::size_t none = static_cast<std::size_t>(-1);
    std::vector<std::size_t> channels;

    Geometry from, to;           // of the planes that are read and written
    std::vector<Plane> in, out;  // joined inputs; each tensor begins with a plane of its own

    // A max pooling of `out` that is to be done as well; empty where there is none.
    std::vector<Plane> pooled;
    Geometry pooled_to;

    // The network's input as [channels][height][width], read instead of `in`, which is empty.
    const float* image = nullptr;
    // The network's output as [channels][height][width], written instead of `out`, which is empty.
    float* result = nullptr;
};

// Memory that steps use while they work and leave to the next; as large as the largest asks for.
class Workspace {
public:
    void need(std::size_t bytes) { bytes_ = std::max(bytes_, bytes); }
    void allocate() { memory_ = Buffer<std::byte>(bytes_); }
    std::byte* data() const { return memory_.data(); }
    std::size_t bytes() const { return memory_.mapped_bytes(); }

private:
    std::size_t bytes_ = 0;
    Buffer<std::byte> memory_;
};

// What a stage becomes. `flops` are those of the matrix products that are really computed; `bytes`
// the memory that its weights are kept in.
struct Made {
    std::vector<std::unique_ptr<Step>> steps;
    double flops = 0;
    std::size_t bytes = 0;
};

// Of one step that knows its bytes().
template <typename One>
Made made_of(std::unique_ptr<One>&& step, double flops) {
    Made made{.steps = {}, .flops = flops, .bytes = step->bytes()};
    made.steps.push_back(std::move(step));
    return made;
}

// What a variant computes each kind of layer with. Steps keep what they need of the stage, and may
// use the workspace when they work, not before.
struct Kernels {
    Form form;
    using Make = Made (*)(const Stage& stage, unsigned threads, Workspace& workspace);
    Make first;         // a 3×3 or 1×1 convolution of `image`, few channels
    Make convolution3;  // and, where asked for, the pooling of its output
    Make convolution1;  // to planes
    Make last;          // a 1×1 convolution to `result`, few channels
    Make transposed;
    Make pooling;
    // An image's few or many channels into planes, and planes into the result.
    void (*enter)(const float* image, const Geometry& to, std::size_t channels,
                  const std::vector<Plane>& out, std::size_t row);
    void (*leave)(const std::vector<Plane>& in, const Geometry& from, std::size_t channels,
                  float* result, std::size_t row);
};

// Whether a layer takes the caller's image as it is, or makes the caller's output.
bool reads_image(const Model& model, const Layer& layer);
bool writes_result(const Model& model, const Layer& layer);

std::unique_ptr<Engine> make(const Plan& plan, const Kernels& kernels);

}  // namespace stend::unet::blocked
