// The substitutions of tc26-Z as circuits of ten ternary gates each, found by search_circuits.py.
// They are checked below, on every input, when this is compiled.
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
    {{{4, 0, 1, 3, 180}, {5, 1, 2, 3, 183}, {6, 0, 1, 3, 212}, {7, 3, 2, 4, 107}, {8, 0, 1, 2, 97},
      {9, 2, 1, 4, 58}, {10, 10, 8, 9, 105}, {11, 11, 1, 7, 105}, {12, 12, 6, 9, 105}, {13, 13, 5, 6, 150}}},
    {{{4, 0, 1, 2, 189}, {5, 0, 1, 3, 89}, {13, 13, 0, 4, 105}, {6, 0, 2, 3, 150}, {7, 1, 3, 6, 214},
      {8, 6, 2, 7, 47}, {9, 2, 3, 7, 45}, {10, 10, 4, 8, 135}, {11, 11, 5, 7, 150}, {12, 12, 8, 9, 105}}},
    {{{4, 0, 1, 2, 74}, {5, 2, 3, 4, 103}, {6, 0, 1, 5, 134}, {13, 13, 2, 6, 150}, {7, 6, 3, 4, 98},
      {8, 1, 4, 7, 173}, {9, 0, 4, 8, 106}, {10, 10, 4, 7, 225}, {11, 11, 3, 9, 150}, {12, 12, 5, 8, 135}}},
    {{{4, 0, 1, 2, 225}, {5, 2, 3, 4, 215}, {7, 0, 2, 3, 123}, {6, 3, 1, 5, 125}, {13, 13, 6, 7, 135},
      {8, 6, 4, 7, 89}, {9, 2, 4, 8, 107}, {10, 10, 7, 9, 150}, {11, 11, 1, 9, 105}, {12, 12, 5, 8, 75}}},
    {{{4, 0, 1, 2, 34}, {5, 1, 2, 3, 151}, {6, 0, 1, 3, 151}, {7, 5, 1, 6, 244}, {13, 13, 0, 4, 150},
      {9, 0, 2, 6, 25}, {8, 2, 3, 6, 146}, {10, 10, 3, 9, 105}, {11, 11, 1, 8, 150}, {12, 12, 7, 8, 105}}},
    {{{4, 0, 2, 3, 61}, {5, 1, 2, 3, 73}, {6, 3, 1, 2, 189}, {7, 0, 1, 2, 202}, {8, 2, 0, 6, 149},
      {9, 1, 5, 8, 123}, {10, 10, 6, 7, 150}, {11, 11, 5, 8, 105}, {12, 12, 4, 6, 120}, {13, 13, 0, 9, 150}}},
    {{{4, 1, 2, 3, 226}, {6, 0, 1, 4, 120}, {7, 1, 2, 6, 233}, {11, 11, 3, 7, 105}, {9, 7, 0, 3, 74},
      {5, 0, 2, 4, 206}, {8, 2, 3, 6, 231}, {10, 10, 4, 9, 150}, {12, 12, 5, 6, 150}, {13, 13, 1, 8, 150}}},
    {{{5, 0, 2, 3, 134}, {9, 1, 2, 5, 146}, {13, 13, 3, 9, 150}, {4, 3, 0, 1, 125}, {10, 10, 4, 5, 180},
      {6, 4, 0, 2, 66}, {7, 2, 1, 5, 6}, {8, 0, 1, 7, 186}, {11, 11, 1, 6, 150}, {12, 12, 7, 8, 90}}},
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
