// Any number of blocks with AVX2: one by shifts.h, up to eight by shuffles.h, more by slices.h, 32
// at a time. To be included between STEND_FOR("avx2,bmi2") and STEND_FOR_ANY.
#pragma once

#include "gost/magma/shifts.h"
#include "gost/magma/shuffles.h"
#include "gost/magma/slices.h"

namespace stend::gost::magma {

// The tables of a set for all of them.
struct Avx2Tables {
    Shuffles shuffles;
    SliceTables slices;
    Shifts shifts;
};

constexpr Avx2Tables avx2_tables(const Substitutions& set) {
    return {shuffles(set), slice_tables(set), shifts(set)};
}

template <typename Order, typename Way, typename Lanes>
void blocks_by_avx2(Bytes in, Out out, std::size_t blocks, const KeyWords& words,
                    const Avx2Tables& tables) {
    const std::size_t groups = blocks / 32, done = 32 * groups, left = blocks - done;
    if (groups > 0) blocks_by_slices<Order, Way, Lanes>(in, out, groups, words, tables.slices);
    in += 8 * done;
    out += 8 * done;
    if (left > 8) {
        Wiped<std::uint8_t[256]> part;
        std::memcpy(part.value, in, 8 * left);
        blocks_by_slices<Order, Way, Lanes>(part.value, part.value, 1, words, tables.slices);
        std::memcpy(out, part.value, 8 * left);
    } else if (left == 1) {
        one_block_by_shifts<Order, Way>(in, out, words, tables.shifts);
    } else if (left > 0) {
        blocks_by_shuffles<Order, Way, Lanes>(in, out, left, words, tables.shuffles);
    }
}

}  // namespace stend::gost::magma
