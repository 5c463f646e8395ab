// The set of substitutions of each of the ciphers that are GOST 28147-89.
#pragma once

#include <array>

#include "gost/engine.h"
#include "gost/sboxes.h"

namespace stend::gost::legacy {

constexpr const Substitutions& substitutions(Cipher cipher) {
    switch (cipher) {
        case Cipher::gost28147_cryptopro_a:
            return cryptopro_a;
        case Cipher::gost28147_cryptopro_b:
            return cryptopro_b;
        case Cipher::gost28147_cryptopro_c:
            return cryptopro_c;
        case Cipher::gost28147_cryptopro_d:
            return cryptopro_d;
        default:
            return tc26_z;
    }
}

// What `make` makes of the cipher's set, made by the compiler.
template <auto make>
inline constexpr std::array<decltype(make(tc26_z)), 5> made_of_sets = {
    make(tc26_z), make(cryptopro_a), make(cryptopro_b), make(cryptopro_c), make(cryptopro_d)};

template <auto make>
const auto& made_of_set(Cipher cipher) {
    return made_of_sets<make>[static_cast<std::size_t>(cipher) -
                              static_cast<std::size_t>(Cipher::gost28147_tc26_z)];
}

}  // namespace stend::gost::legacy
