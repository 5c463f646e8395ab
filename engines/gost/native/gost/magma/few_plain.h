// Few blocks, and chains, in plain C++: four by nibbles.h, a single one by shifts.h.
#pragma once

#include "gost/generic.h"
#include "gost/magma/nibbles.h"
#include "gost/magma/shifts.h"

namespace stend::gost::magma {

// What the compiler makes of a set for both.
struct PlainTables {
    Polynomials polynomials;
    Shifts shifts;
};

constexpr PlainTables plain_tables(const Substitutions& set) {
    return {polynomials(set), shifts(set)};
}

inline constexpr bool has_shifts = sizeof(std::size_t) == 8;  // shifts.h says why

template <typename Order, typename Way>
void blocks_in_plain(Bytes in, Out out, std::size_t blocks, const KeyWords& key,
                     const PlainTables& tables) {
    for (; blocks >= 4; blocks -= 4, in += 32, out += 32)
        few_blocks<Order, Way>(in, out, 4, key, tables.polynomials);
    if (blocks == 1 && has_shifts)
        one_block_by_shifts<Order, Way>(in, out, key, tables.shifts);
    else if (blocks > 0)
        few_blocks<Order, Way>(in, out, blocks, key, tables.polynomials);
}

// One chain by shifts.h, several together.
template <typename V, auto together = generic::chain<V>>
void chain_in_plain(Feed feed, std::span<const Lane> lanes, std::size_t blocks) {
    if (lanes.size() == 1 && has_shifts)
        chain_by_shifts<V>(feed, lanes[0], blocks);
    else
        together(feed, lanes, blocks);
}

}  // namespace stend::gost::magma
