// The wall between what runs a network (network.cpp) and what computes it: one model in one
// variant, for one size, with its weights and memory.
//
// The work of an image is a list of parts, each a list of steps, each a number of items that don't
// depend on each other, so that threads share them and the result is the same on any number of
// them.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <stend/unet/network.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "isa/isa.h"

namespace stend::unet {

// What an engine is made for; checked. The model is there only while it is made.
struct Plan {
    const Model& model;
    std::size_t height, width;  // at least the granularity; a level's are halved rounding down
    unsigned threads;
    const Sgemm& sgemm;
};

class Step {
public:
    Step() = default;
    Step(const Step&) = delete;
    Step& operator=(const Step&) = delete;
    virtual ~Step() = default;

    virtual std::size_t items() const = 0;

    // How many are best worked on at once; threads that are many take fewer.
    virtual std::size_t at_once() const { return items(); }

    // Items first … last - 1, when all of the step before are done. `member` tells the threads
    // apart, below Plan::threads.
    virtual void work(std::size_t first, std::size_t last, unsigned member) noexcept = 0;
};

// What is timed as one: a layer, or several computed together.
struct Part {
    std::string layers;
    double direct_flops = 0, flops = 0;
    std::vector<std::unique_ptr<Step>> steps;
};

class Engine {
public:
    Engine() = default;
    Engine(const Engine&) = delete;
    Engine& operator=(const Engine&) = delete;
    virtual ~Engine() = default;

    virtual std::span<const Part> parts() const = 0;

    // [channels][height][width]: filled before the first step, read after the last.
    virtual std::span<float> input() = 0;
    virtual std::span<const float> output() const = 0;

    virtual std::size_t bytes() const = 0;
};

// What a variant's errors come from (tolerance.cpp).
enum class Rounding : std::uint8_t {
    sums,          // in float32, one product after another
    tiles,         // the same in Winograd's tiles F(4×4, 3×3)
    halves,        // factors in two bfloat16
    factors,       // factors in one bfloat16
    tile_factors,  // the same in tiles F(2×4, 3×3)
};

// A variant: what it needs of the processor, and of the caller.
struct Maker {
    std::string_view name;
    Rounding rounding;
    isa::Features needs;
    bool needs_sgemm;
    std::unique_ptr<Engine> (*make)(const Plan& plan);
};

}  // namespace stend::unet
