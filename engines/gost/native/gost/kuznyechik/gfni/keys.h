// The key as the AVX2+GFNI variant wants it, and the constants of its two kernels.
#pragma once

#include "gost/engine.h"
#include "gost/kuznyechik/gfni/tower.h"
#include "gost/kuznyechik/logarithms.h"

namespace stend::gost::kuznyechik::gfni {

struct alignas(32) Keys {
    Line line[10];                     // in the basis `own`
    std::uint32_t repeated[10][16];    // each byte four times, in the basis `state`
    std::uint8_t of_class[9][16][16];  // Substitution::of_class plus a byte of L's inverse of
                                       // the next round's key: the S-box adds the key
};
static_assert(sizeof(Keys) <= sizeof(Schedule));

inline constexpr Substitution in_state = substitution(state), in_own = substitution(own);
inline constexpr Inverse from_state = inverse_substitution(state),
                         from_own = inverse_substitution(own);

// From one basis to another as a matrix; the standard's own bytes are `plain`.
constexpr Basis plain_basis() {
    Basis made{};
    for (unsigned x = 0; x < 256; ++x) made.from[x] = made.to[x] = static_cast<std::uint8_t>(x);
    return made;
}
inline constexpr Basis plain = plain_basis();

consteval std::uint64_t between(const Basis& in, const Basis& out) {
    return matrix([&](std::uint8_t x) { return out.from[in.to[x]]; });
}

}  // namespace stend::gost::kuznyechik::gfni
