// The substitutions of tc26-Z as circuits of ternary gates, ten each: six gates of three inputs
// and four that add a function of two nodes to a plane of the left half. Found by
// search_circuits.py, which writes this table; checked below when it is compiled.
#pragma once

#include <cstdint>

#include "gost/sboxes.h"

namespace stend::gost::magma::avx512 {

// Nodes 0 to 3 are the input's bits, lowest first, 4 to 9 the gates. Bit 4·a + 2·b + c of `table`
// is the gate's value, as VPTERNLOG has it.
struct Gate {
    std::uint8_t a, b, c, table;
};

// Adds a function of two nodes: bit 4·sum + 2·b + c is sum ^ f(b, c).
struct Sum {
    std::uint8_t b, c, table;
};

struct Circuit {
    Gate gates[6];
    Sum sums[4];
};

// clang-format off
inline constexpr Circuit circuits[8] = {
    {{{3, 2, 1, 66}, {3, 1, 0, 130}, {3, 2, 0, 148}, {4, 3, 1, 56}, {6, 2, 1, 174}, {7, 2, 0, 46}},
     {{8, 4, 150}, {7, 6, 150}, {9, 5, 105}, {5, 4, 225}}},
    {{{3, 1, 0, 56}, {4, 2, 0, 132}, {2, 1, 0, 66}, {4, 3, 2, 94}, {5, 1, 0, 62}, {5, 3, 0, 56}},
     {{9, 4, 150}, {7, 0, 105}, {8, 3, 105}, {6, 2, 150}}},
    {{{3, 1, 0, 148}, {4, 2, 1, 124}, {5, 3, 1, 202}, {5, 3, 2, 134}, {7, 2, 0, 148}, {6, 5, 4, 94}},
     {{8, 6, 105}, {7, 1, 105}, {8, 5, 150}, {9, 0, 105}}},
    {{{2, 1, 0, 166}, {4, 3, 1, 158}, {4, 3, 2, 130}, {5, 2, 0, 210}, {4, 3, 2, 212}, {6, 5, 4, 36}},
     {{9, 6, 150}, {9, 1, 150}, {9, 8, 105}, {7, 1, 105}}},
    {{{3, 1, 0, 104}, {4, 2, 0, 52}, {3, 2, 1, 152}, {6, 4, 0, 188}, {4, 3, 2, 214}, {2, 1, 0, 154}},
     {{5, 3, 105}, {8, 1, 105}, {7, 2, 105}, {9, 8, 60}}},
    {{{3, 2, 1, 114}, {3, 1, 0, 104}, {5, 2, 0, 230}, {5, 2, 1, 148}, {7, 4, 0, 180}, {8, 6, 5, 104}},
     {{9, 2, 105}, {9, 8, 150}, {7, 3, 105}, {6, 4, 150}}},
    {{{3, 1, 0, 166}, {4, 3, 2, 118}, {5, 2, 0, 116}, {6, 5, 1, 230}, {4, 2, 1, 52}, {5, 3, 0, 158}},
     {{8, 7, 150}, {8, 3, 150}, {6, 1, 150}, {9, 7, 135}}},
    {{{3, 2, 0, 148}, {4, 2, 1, 146}, {5, 3, 0, 208}, {2, 1, 0, 208}, {6, 2, 0, 126}, {8, 6, 1, 150}},
     {{6, 4, 225}, {9, 2, 150}, {8, 7, 180}, {5, 3, 150}}},
};
// clang-format on

constexpr unsigned looked_up(unsigned table, unsigned a, unsigned b, unsigned c) {
    return table >> (4 * a + 2 * b + c) & 1;
}

constexpr unsigned value_of(const Circuit& circuit, unsigned input, unsigned sum) {
    unsigned nodes[10] = {input & 1, input >> 1 & 1, input >> 2 & 1, input >> 3 & 1};
    unsigned result = 0;
    for (unsigned i = 0; i < 6; ++i) {
        const Gate& g = circuit.gates[i];
        nodes[4 + i] = looked_up(g.table, nodes[g.a], nodes[g.b], nodes[g.c]);
    }
    for (unsigned i = 0; i < 4; ++i) {
        const Sum& s = circuit.sums[i];
        result |= looked_up(s.table, sum >> i & 1, nodes[s.b], nodes[s.c]) << i;
    }
    return result;
}

constexpr bool circuits_are_right() {
    for (unsigned box = 0; box < 8; ++box)
        for (unsigned input = 0; input < 16; ++input)
            for (const unsigned sum : {0U, 15U})
                if (value_of(circuits[box], input, sum) != (sum ^ tc26_z[box][input])) return false;
    return true;
}
static_assert(circuits_are_right());

}  // namespace stend::gost::magma::avx512
