// CTR and MGM of a bitsliced variant, whose counters are born as planes (batches.h).
#pragma once

#include "gost/magma/batches.h"

namespace stend::gost::magma {

// Takes the counter's number and leaves it moved on.
template <Bits bits>
[[gnu::always_inline]] inline std::uint64_t taken(Out counter, std::size_t blocks) {
    const auto number = BigEndian::load<std::uint64_t>(counter);
    BigEndian::store(counter, advanced<bits>(number, blocks));
    return number;
}

template <typename V>
void count(const Schedule& schedule, Out counter, Bytes in, Out out, std::size_t blocks) {
    gamma<V, all_bits, false>(schedule, taken<all_bits>(counter, blocks), in, out, blocks);
}

template <typename V>
void absorb(const Schedule& schedule, Mgm& mgm, Bytes in, std::size_t blocks) {
    generic::Piece memory;
    generic::in_pieces<V>(blocks, generic::piece / 8, [&](std::size_t at, std::size_t now) {
        std::uint8_t* const h = memory.take(8 * now);
        gamma<V, left_half, true>(schedule, taken<left_half>(mgm.z, now), nullptr, h, now);
        V::Product::template add<8>(mgm.sum, h, in + at, now);
    });
}

template <typename V>
void half_count(const Schedule& schedule, Mgm& mgm, Bytes in, Out out, std::size_t blocks) {
    gamma<V, right_half, false>(schedule, taken<right_half>(mgm.y, blocks), in, out, blocks);
}

template <typename V>
void seal(const Schedule& schedule, Mgm& mgm, Bytes in, Out out, std::size_t blocks) {
    generic::in_pieces<V>(blocks, generic::piece / 8, [&](std::size_t at, std::size_t now) {
        half_count<V>(schedule, mgm, in + at, out + at, now);
        absorb<V>(schedule, mgm, out + at, now);
    });
}

template <typename V>
void open(const Schedule& schedule, Mgm& mgm, Bytes in, Out out, std::size_t blocks) {
    generic::in_pieces<V>(blocks, generic::piece / 8, [&](std::size_t at, std::size_t now) {
        absorb<V>(schedule, mgm, in + at, now);
        half_count<V>(schedule, mgm, in + at, out + at, now);
    });
}

}  // namespace stend::gost::magma
