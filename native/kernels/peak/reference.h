// What lanes must hold: the same steps, one after another, by std::fma or by plain operators, and
// the sums of what many repetitions leave behind.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "kernels/peak/formula.h"
#include "kernels/peak/peak.h"

namespace stend::peak {

// x after `steps` steps.
template <typename T>
T walked(T x, Step step, std::uint64_t steps);

template <typename T>
std::uint64_t bits(T x) {
    using Word = std::conditional_t<sizeof(T) == 8, std::uint64_t, std::uint32_t>;
    return std::bit_cast<Word>(x);
}

// Repetition r takes lane l from start(l + r). This holds what the bits of its ends add up to.
template <typename T>
class Sums {
public:
    Sums(Step step, std::uint64_t steps) {
        for (std::size_t number = 0; number < 2 * starts; ++number)
            before_[number + 1] =
                before_[number] + (number < starts
                                       ? bits(walked(start<T>(number), step, steps))
                                       : before_[number + 1 - starts] - before_[number - starts]);
    }

    // Of the ends that `repetitions` repetitions left in that lane, modulo 2^64.
    std::uint64_t of(std::size_t lane, std::uint64_t repetitions) const {
        const std::size_t first = lane % starts;
        return repetitions / starts * before_[starts] + before_[first + repetitions % starts] -
               before_[first];
    }

private:
    std::array<std::uint64_t, 2 * starts + 1> before_{};  // sums of all ends before this one
};

}  // namespace stend::peak
