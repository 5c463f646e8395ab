// An engine of GOST 28147-89 out of a variant's encryption, decryption and first sixteen rounds:
// its counter is the same for all variants, and it has no MGM. A variant is a struct as generic.h
// wants it; for chain() it also has `struct Sixteen`, whose `encrypt` is the first sixteen rounds.
#pragma once

#include "gost/generic.h"
#include "gost/magma/words.h"

namespace stend::gost::legacy {

// The next `blocks` fillings of the register, which is left at the last. RFC 5830, 6.1: before each
// block N3 + C2 modulo 2^32 and N4 + C1 modulo 2^32 - 1; a carry out of N4 is worth 1.
inline void fillings(Out register_, Out gamma, std::size_t blocks) {
    using Words = magma::LittleEndian;
    constexpr std::uint32_t c1 = 0x01010104, c2 = 0x01010101;
    auto n3 = Words::load<std::uint32_t>(register_), n4 = Words::load<std::uint32_t>(register_ + 4);
    for (std::size_t i = 0; i < blocks; ++i) {
        n3 += c2;
        n4 += c1;
        n4 += n4 < c1;
        keep_apart(n3);
        keep_apart(n4);
        Words::store(gamma + 8 * i, n3);
        Words::store(gamma + 8 * i + 4, n4);
    }
    Words::store(register_, n3);
    Words::store(register_ + 4, n4);
}

// The register is N3 and N4, which the modes have filled with the encrypted initial vector.
template <typename V>
void count(const Schedule& schedule, Out register_, Bytes in, Out out, std::size_t blocks) {
    generic::with_memory<V>(blocks, [&](auto& memory) {
        generic::in_pieces<V>(blocks, generic::piece / V::block,
                              [&](std::size_t at, std::size_t now) {
                                  std::uint8_t* const gamma = memory.take(now * V::block);
                                  fillings(register_, gamma, now);
                                  V::encrypt(schedule, gamma, gamma, now);
                                  generic::exclusive_or_all<V>(out + at, in + at, gamma, now);
                              });
    });
}

template <typename V>
void chain(Feed feed, std::span<const Lane> lanes, std::size_t blocks) {
    if (feed == Feed::imito)
        generic::chain<typename V::Sixteen>(feed, lanes, blocks);
    else
        generic::chain<V>(feed, lanes, blocks);
}

template <typename V>
constexpr Engine assembled(std::string_view name, isa::Features needs, bool constant_time,
                           decltype(Engine::chain) chain) {
    return {
        .name = name,
        .needs = needs,
        .constant_time = constant_time,
        .schedule = V::schedule,
        .encrypt = V::encrypt,
        .decrypt = V::decrypt,
        .count = count<V>,
        .chain = chain,
        .cbc_decrypt = generic::cbc_decrypt<V>,
        .cfb_decrypt = generic::cfb_decrypt<V>,
        .absorb = nullptr,
        .seal = nullptr,
        .open = nullptr,
        .stack_of_few = 2560,
    };
}

}  // namespace stend::gost::legacy
