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

// generic.h's absorb, seal and open count by this.
template <typename V>
struct HalfCounting {
    static void left(const Schedule& schedule, Out z, Out h, std::size_t blocks) {
        gamma<V, left_half, true>(schedule, taken<left_half>(z, blocks), nullptr, h, blocks);
    }
    static void right(const Schedule& schedule, Out y, Bytes in, Out out, std::size_t blocks) {
        gamma<V, right_half, false>(schedule, taken<right_half>(y, blocks), in, out, blocks);
    }
};

// A variant's engine; its chains are generic.h's or its own.
template <typename V>
constexpr Engine counting_engine(std::string_view name, isa::Features needs,
                                 decltype(Engine::chain) chain) {
    return {
        .name = name,
        .needs = needs,
        .constant_time = true,
        .schedule = V::schedule,
        .encrypt = V::encrypt,
        .decrypt = V::decrypt,
        .count = count<V>,
        .chain = chain,
        .cbc_decrypt = generic::cbc_decrypt<V>,
        .cfb_decrypt = generic::cfb_decrypt<V>,
        .absorb = generic::absorb<V, HalfCounting<V>>,
        .seal = generic::seal<V, HalfCounting<V>>,
        .open = generic::open<V, HalfCounting<V>>,
        .stack_of_few = 2560,
    };
}

}  // namespace stend::gost::magma
