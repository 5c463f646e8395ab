// An engine of a variant that has encryption and decryption of its own and the rest from generic.h.
#pragma once

#include "gost/generic.h"

namespace stend::gost::kuznyechik {

template <typename V>
constexpr Engine engine_of(std::string_view name, isa::Features needs, bool constant_time) {
    return {
        .name = name,
        .needs = needs,
        .constant_time = constant_time,
        .schedule = V::schedule,
        .encrypt = V::encrypt,
        .decrypt = V::decrypt,
        .count = generic::count<V>,
        .chain = generic::chain<V>,
        .cbc_decrypt = generic::cbc_decrypt<V>,
        .cfb_decrypt = generic::cfb_decrypt<V>,
        .absorb = generic::absorb<V>,
        .seal = generic::seal<V>,
        .open = generic::open<V>,
    };
}

}  // namespace stend::gost::kuznyechik
