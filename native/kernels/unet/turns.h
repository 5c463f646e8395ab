// Images in turn, and what shows that each was really computed. Before each repetition pixels of
// its output are spoilt, each time others, and after it they must be numbers again, so that none
// can be left out. Each image has an output of its own, held against its own known answers, so that
// the result of the image before is noticed; and every bit of it must be what it was the first
// time, when other images came before.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "buffers/buffer.h"
#include "kernels/unet/problem.h"

namespace stend::inference {

class Turns {
public:
    // `allowed` is unet::tolerance(). Throws std::invalid_argument as problem(), and OutOfMemory.
    Turns(std::size_t side, double allowed);

    std::size_t side() const { return problem_.side; }
    std::uint64_t asked() const { return asked_; }  // repetitions so far

    // The next to be taken, and what each is read from and written to: [side][side] and
    // [outputs][side][side].
    std::size_t turn() const { return asked_ % images; }
    std::span<const float> image(std::size_t which) const { return images_[which].span(); }
    std::span<float> output(std::size_t which) const { return outputs_[which].span(); }

    // Around each repetition.
    void begin();
    void end();

    // Whether every repetition wrote its output, and the last of each image the right one; not
    // before the first.
    bool right() const;

    // A sentence: how far the outputs are from known answers, how many were written.
    std::string said() const;

private:
    std::size_t taken() const;          // images that had a turn
    float& pixel(std::size_t n) const;  // the n-th that is spoilt, others in each repetition
    Errors errors() const;              // the worst of each kind
    bool same() const;

    const Problem& problem_;
    double allowed_;
    std::array<Buffer<float>, images> images_, outputs_;
    std::uint64_t asked_ = 0, made_ = 0;         // repetitions
    std::array<std::uint64_t, images> first_{};  // digests of what each image's first left
};

}  // namespace stend::inference
