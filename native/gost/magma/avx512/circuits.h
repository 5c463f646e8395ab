// The substitutions of tc26-Z as circuits of ten ternary gates each. A SAT solver found
// them; they are checked below when this is compiled, so the search is not kept.
#pragma once

#include <cstdint>

#include "gost/sboxes.h"

namespace stend::gost::magma::avx512 {

// node[to] = gate of the nodes a, b and c: bit 4a + 2b + c of `table`, as VPTERNLOG has it. Nodes 0
// to 3 are the four bits of the input, lowest first; 10 to 13 are the planes that the output is
// added to, each one's own first operand. The order of the steps, and of the operands, lets an
// instruction overwrite an operand that is not needed any more: two or three copies a circuit.
struct Step {
    std::uint8_t to, a, b, c, table;
};

struct Circuit {
    Step steps[10];
};

// clang-format off
inline constexpr Circuit circuits[8] = {
    {{{4, 3, 2, 1, 66}, {5, 3, 1, 0, 130}, {6, 3, 2, 0, 148}, {7, 3, 4, 1, 44}, {8, 1, 6, 2, 242},
      {9, 2, 7, 0, 58}, {10, 10, 8, 4, 150}, {11, 11, 7, 6, 150}, {12, 12, 9, 5, 105}, {13, 13, 5, 4, 225}}},
    {{{4, 3, 1, 0, 56}, {6, 2, 1, 0, 66}, {13, 13, 6, 2, 150}, {5, 4, 2, 0, 132}, {7, 2, 4, 3, 62},
      {8, 1, 5, 0, 62}, {9, 5, 3, 0, 56}, {10, 10, 9, 4, 150}, {11, 11, 7, 0, 105}, {12, 12, 8, 3, 105}}},
    {{{4, 3, 1, 0, 148}, {5, 4, 2, 1, 124}, {6, 5, 3, 1, 202}, {7, 3, 5, 2, 146}, {8, 2, 7, 0, 148},
      {9, 4, 6, 5, 62}, {10, 10, 8, 6, 105}, {11, 11, 7, 1, 105}, {12, 12, 8, 5, 150}, {13, 13, 9, 0, 105}}},
    {{{4, 2, 1, 0, 166}, {5, 4, 3, 1, 158}, {7, 0, 5, 2, 156}, {13, 13, 7, 1, 105}, {6, 4, 3, 2, 130},
      {8, 3, 4, 2, 212}, {9, 5, 6, 4, 24}, {10, 10, 9, 6, 150}, {11, 11, 9, 1, 150}, {12, 12, 9, 8, 105}}},
    {{{4, 3, 1, 0, 104}, {5, 4, 2, 0, 52}, {10, 10, 5, 3, 105}, {6, 3, 2, 1, 152}, {7, 6, 4, 0, 188},
      {8, 4, 3, 2, 214}, {9, 0, 2, 1, 180}, {11, 11, 8, 1, 105}, {12, 12, 7, 2, 105}, {13, 13, 9, 8, 60}}},
    {{{4, 3, 2, 1, 114}, {5, 3, 1, 0, 104}, {7, 1, 5, 2, 134}, {12, 12, 7, 3, 105}, {8, 7, 4, 0, 180},
      {6, 0, 5, 2, 218}, {9, 5, 8, 6, 104}, {10, 10, 9, 2, 105}, {11, 11, 9, 8, 150}, {13, 13, 6, 4, 150}}},
    {{{4, 3, 1, 0, 166}, {5, 4, 3, 2, 118}, {8, 4, 2, 1, 52}, {6, 2, 5, 0, 92}, {9, 0, 5, 3, 182},
      {7, 5, 6, 1, 218}, {10, 10, 8, 7, 150}, {11, 11, 8, 3, 150}, {12, 12, 6, 1, 150}, {13, 13, 9, 7, 135}}},
    {{{4, 3, 2, 0, 148}, {5, 4, 2, 1, 146}, {13, 13, 5, 3, 150}, {6, 5, 3, 0, 208}, {10, 10, 6, 4, 225},
      {7, 2, 1, 0, 208}, {8, 0, 6, 2, 126}, {9, 6, 8, 1, 150}, {11, 11, 9, 2, 150}, {12, 12, 8, 7, 180}}},
};
// clang-format on

constexpr unsigned value_of(const Circuit& circuit, unsigned input, unsigned sum) {
    unsigned nodes[14] = {};
    for (unsigned i = 0; i < 4; ++i) nodes[i] = input >> i & 1, nodes[10 + i] = sum >> i & 1;
    for (const Step& s : circuit.steps)
        nodes[s.to] = s.table >> (4 * nodes[s.a] + 2 * nodes[s.b] + nodes[s.c]) & 1;
    return nodes[10] | nodes[11] << 1 | nodes[12] << 2 | nodes[13] << 3;
}

constexpr bool circuits_are_right() {
    for (unsigned box = 0; box < 8; ++box)
        for (unsigned input = 0; input < 16; ++input)
            for (unsigned sum = 0; sum < 16; ++sum)
                if (value_of(circuits[box], input, sum) != (sum ^ tc26_z[box][input])) return false;
    return true;
}
static_assert(circuits_are_right());

}  // namespace stend::gost::magma::avx512
