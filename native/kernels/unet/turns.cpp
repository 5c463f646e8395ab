// What comes of images in turn.
#include "kernels/unet/turns.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdio>
#include <limits>

namespace stend::inference {
namespace {

constexpr std::size_t spoilt = 64;  // pixels, in each repetition
constexpr float nothing = std::numeric_limits<float>::quiet_NaN();

// FNV-1a (Fowler, Noll, Vo), a float at a time.
std::uint64_t digest(std::span<const float> values) {
    std::uint64_t sum = 0xCBF29CE484222325U;
    for (const float value : values)
        sum = (sum ^ std::bit_cast<std::uint32_t>(value)) * 0x100000001B3U;
    return sum;
}

}  // namespace

Turns::Turns(std::size_t side, double allowed) : problem_(problem(side)), allowed_(allowed) {
    for (std::size_t which = 0; which < images; ++which) {
        images_[which] = Buffer<float>(side * side);
        outputs_[which] = Buffer<float>(outputs * side * side);
        fill(which, images_[which].span());
        std::ranges::fill(outputs_[which].span(), nothing);
    }
}

void Turns::begin() {
    for (std::size_t n = 0; n < spoilt; ++n) pixel(n) = nothing;
}

void Turns::end() {
    bool whole = true;
    for (std::size_t n = 0; n < spoilt; ++n) whole &= !std::isnan(pixel(n));
    made_ += whole;
    if (asked_ < images) first_[turn()] = digest(output(turn()));
    ++asked_;
}

bool Turns::right() const {
    return asked_ > 0 && made_ == asked_ && same() && errors().within(allowed_);
}

std::string Turns::said() const {
    char said[480];
    const Errors off = errors();
    std::snprintf(said, sizeof said,
                  "At %zu places of the output of each of %zu images in turn, differences from "
                  "known answers are %.2e in root mean square and at most %.2e of the output's "
                  "largest magnitude, %s %.1e; means and root mean squares of its channels are off "
                  "by %.2e, of %.1e. %llu of %llu repetitions wrote the output, %s.",
                  points, taken(), off.rms, off.largest,
                  right() ? "allowed are" : "allowed would be", allowed_, off.channels,
                  allowed_ / 5, static_cast<unsigned long long>(made_),
                  static_cast<unsigned long long>(asked_),
                  same() ? "of each image always the same bits" : "not always the same bits");
    return said;
}

std::size_t Turns::taken() const {
    return static_cast<std::size_t>(std::min<std::uint64_t>(asked_, images));
}

float& Turns::pixel(std::size_t n) const {
    const std::span<float> all = output(turn());
    return all[(asked_ * 7919 + n * 104729) % all.size()];
}

Errors Turns::errors() const {
    Errors worst;
    for (std::size_t which = 0; which < taken(); ++which) {
        const Errors off = inference::errors(problem_, which, output(which));
        worst = {std::max(worst.rms, off.rms), std::max(worst.largest, off.largest),
                 std::max(worst.channels, off.channels)};
    }
    return worst;
}

bool Turns::same() const {
    for (std::size_t which = 0; which < taken(); ++which)
        if (digest(output(which)) != first_[which]) return false;
    return true;
}

}  // namespace stend::inference
