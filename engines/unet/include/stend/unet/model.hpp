// What a network is: tensors, and the layers that make one from others, with their weights. Comes
// in: an ONNX file (onnx.hpp), a description of the classic network, or what the caller builds;
// goes out: a Model that network.hpp runs.
//
// U-Net: Ronneberger, Fischer, Brox, "U-Net: Convolutional Networks for Biomedical Image
// Segmentation", MICCAI 2015; here convolutions are padded, so that the output has the input's
// size.
#pragma once

#if __cplusplus < 202002L
#error "stend/unet needs C++20: compile with -std=c++20 or later"
#endif

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace stend::unet {

enum class Operation : std::uint8_t {
    convolution,             // 3×3 or 1×1, stride 1, zeros around: height and width stay
    transposed_convolution,  // 2×2, stride 2: height and width double
    max_pooling,             // 2×2, stride 2: height and width are halved
};

// What follows a layer, element by element; softmax is over the channels of each pixel.
enum class Activation : std::uint8_t { none, relu, sigmoid, softmax };

struct Tensor {
    std::string name;
    std::size_t channels;
    unsigned level;  // its height and width are the input's, halved so many times
};

struct Layer {
    std::string name;
    Operation operation;
    // Tensors of one level; their channels follow on each other (what ONNX calls Concat). Max
    // pooling has one.
    std::vector<std::size_t> inputs;
    std::size_t output;
    std::size_t kernel;  // side: 1 or 3 of a convolution, else 2
    // None of a pooling; sigmoid and softmax only of the layer that makes the model's output.
    Activation activation;
    // A convolution's [output channels][input channels][kernel][kernel] (correlation, as in ONNX),
    // a transposed one's [input channels][output channels][2][2]; none of a pooling.
    std::vector<float> weights;
    std::vector<float> bias;  // of each output channel; a pooling has none
};

struct Model {
    std::vector<Tensor> tensors;  // the first is the input, at level 0
    std::vector<Layer> layers;    // in an order in which they can run; each makes another tensor
    std::size_t output;           // a tensor of level 0, made by the last layer and used by none
    // Whether odd sides are halved rounding down, and what a transposed convolution makes is given
    // zeros below and at its right where its level is larger, as networks do that pad to fit. Else
    // images of such sides are computed with their last row and column repeated, and cut again.
    bool pads_to_fit = false;
};

// Throws std::invalid_argument, with a sentence, for a model that is not as described above, that
// has nothing to compute, more than 4,096 layers, 65,536 channels or 12 levels, or a weight that is
// not a finite number.
void check(const Model& model);

// 2 to the deepest tensor's level: sides that are multiples of it can be halved evenly.
std::size_t granularity(const Model& model);

// How many pixels of a side are computed: the next multiple of the granularity; where the network
// pads to fit, as many as there are, unless they are fewer than that.
std::size_t computed_side(const Model& model, std::size_t pixels);

// Weights and biases.
std::size_t parameters(const Model& model);

// Additions and multiplications of one image by direct convolution, the work that literature counts
// (2·C·C'·k² a pixel of a convolution; biases, activations and pooling are not counted). Of the
// whole model, and of a layer of it.
double direct_flops(const Model& model, std::size_t height, std::size_t width);
double direct_flops(const Model& model, const Layer& layer, std::size_t height, std::size_t width);

// The classic network. Each level of the contracting path has two 3×3 convolutions and a pooling,
// the channels doubling; each of the expanding path a transposed convolution, which halves them,
// the tensor of the same level beside it, and two 3×3 convolutions; last is a 1×1 convolution.
struct Classic {
    std::size_t inputs = 1, outputs = 2;
    std::size_t channels = 64;  // of the first level
    unsigned depth = 4;         // poolings
    std::uint64_t seed = 1;
};

// With weights from a pseudo-random sequence (SplitMix64; Steele, Lea, Flood, OOPSLA 2014), the
// same bits on every machine. In the order of the layers, each layer's weights, then its biases:
// the n-th number (from 1) is u = 2·(mix(seed + n·0x9E3779B97F4A7C15) >> 40) / 2^24 - 1, a float,
// times the float √(6 / fan-in) for weights (He et al., ICCV 2015; fan-in: input channels ×
// kernel², of a transposed convolution input channels), times 1/16 for biases. Hidden layers have
// ReLU, but the transposed ones; the last has no activation. Throws std::invalid_argument as
// check().
Model classic(const Classic& description);

}  // namespace stend::unet
