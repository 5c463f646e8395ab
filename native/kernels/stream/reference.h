// What the arrays must hold: their first values, what each repetition does to them, and a
// scalar simulation of it that is exact, so that results are compared bit for bit.
//
// STREAM repeats c = a, which leaves the same behind however often it is done. Here the
// arrays change roles and the scalar changes from repetition to repetition, so that every
// repetition carries the one before it and one that was left out is seen for ever after:
//   copy   c = a, a = b, b = c, …: two of three arrays are equal, the odd one moves on; an
//          element that was left out once is from then on the same in all three
//   scale  b = s·c, c = s·b, …: the product of the scalars is 2^E(r), see scale_exponent
//   add    c = a + b, a = c + b, …: each repetition adds b once more
//   triad  a = b + s·c, c = b + s·a, …: s is 2 and 1/2 by turns, so two add 1.5·b
// All scalars are powers of two and all first values small integers, so nothing is ever
// rounded: add could go on for 2^35 repetitions.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "kernels/stream/stream.h"

namespace stend::stream {

enum Array : unsigned { a, b, c };

// What a repetition does: out = operation(x, y) with the scalar.
struct Step {
    Array out, x, y;
    double scalar;
};

// What repetition `number` does, counted from 0.
Step step(Operation operation, std::uint64_t number);

// 1 to 2^16, from Knuth's multiplicative hash: neighbours, and elements a power of two apart,
// differ. Not 0, which would make sums of first values equal to first values. Element i is at
// first 4h+1 in a, 4h+2 in b and 4h+3 in c.
inline double hashed(std::size_t element) {
    return 1 + static_cast<std::int32_t>((static_cast<std::uint32_t>(element) * 2654435769U) >> 16);
}

// An array's elements as a function of their hash: the operations are linear, so they act
// on slope and offset as they do on the elements.
struct Line {
    double slope, offset;

    double at(std::size_t element) const { return slope * hashed(element) + offset; }
};

class Simulation {
public:
    explicit Simulation(Operation operation) : operation_(operation) {}

    void go_on_to(std::uint64_t repetitions);
    std::uint64_t repetitions() const { return repetitions_; }
    const Line& operator[](Array array) const { return lines_[array]; }

private:
    Operation operation_;
    std::uint64_t repetitions_ = 0;
    std::array<Line, 3> lines_{{{4, 1}, {4, 2}, {4, 3}}};
};

}  // namespace stend::stream
