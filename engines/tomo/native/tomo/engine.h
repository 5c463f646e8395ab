// The wall between what runs a reconstruction (reconstruction.cpp) and what computes it: one
// algorithm in one variant, for one geometry, with its tables and memory.
//
// Slices are computed a batch at a time, one in each SIMD lane. A batch goes through stages, each a
// number of items that don't depend on each other, so that threads share them and the result is the
// same on any number of them.
#pragma once

#include <array>
#include <memory>
#include <stend/tomo/parallel.hpp>
#include <string_view>
#include <vector>

#include "isa/variant.h"

namespace stend::tomo {

inline constexpr unsigned most_lanes = 32;

// What an engine is made for; checked.
struct Plan {
    std::size_t detectors;
    std::vector<double> angles;   // radians
    std::vector<double> weights;  // of the angles; angle_weights
    double center;                // detector pixels
    std::size_t size;
    double pixel;  // detector pixels
    Filter filter;
    unsigned threads;
};

// One slice a lane. Lanes from `count` on repeat sinograms of those before, and have no
// slice.
struct Batch {
    unsigned count;
    std::array<const float*, most_lanes> sinogram;
    std::ptrdiff_t angle_stride;
    std::array<float*, most_lanes> slice;
    std::ptrdiff_t row_stride;
};

class Engine {
public:
    Engine() = default;
    Engine(const Engine&) = delete;
    Engine& operator=(const Engine&) = delete;
    virtual ~Engine() = default;

    virtual unsigned lanes() const = 0;
    virtual unsigned stages() const = 0;
    virtual std::size_t items(unsigned stage) const = 0;

    // Items first … last - 1 of a stage; when all of the one before are done. `member` tells the
    // threads apart, below Plan::threads.
    virtual void work(unsigned stage, std::size_t first, std::size_t last, const Batch& batch,
                      unsigned member) noexcept = 0;

    virtual std::size_t bytes() const = 0;
};

// A variant of an algorithm.
using Maker = Variant<std::unique_ptr<Engine> (*)(const Plan& plan)>;

}  // namespace stend::tomo
