// The set of substitutions of each of the ciphers that are GOST 28147-89.
#pragma once

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

}  // namespace stend::gost::legacy
