// pi by a few look-ups in tables of 16 bytes and multiplications in the field of GFNI, at compile
// time: what the AVX2+GFNI variant needs.
//
// pi (Perrin, "Partitions in the S-Box of Streebog and Kuznyechik", 2019) hangs on the powers of
// alpha, a root of x^8 + x^4 + x^3 + x^2 + 1: with x = alpha^i * lambda, lambda in GF(16), pi(x) is
// kappa(16 - i) + f(lambda), and on GF(16) itself a table of 16. The class i hangs on x / T(x)
// alone, T(x) = x + x^16 being in GF(16) and nought only there.
#pragma once

#include "gost/kuznyechik/field.h"

namespace stend::gost::kuznyechik::gfni {

using Table = std::array<std::uint8_t, 16>;

// Powers of 3 and their logarithms in the field of GFNI.
struct Logarithms {
    std::uint8_t power[255], log[256];
};
constexpr Logarithms logarithms() {
    Logarithms made{};
    unsigned x = 1;
    for (unsigned i = 0; i < 255; ++i) {
        made.power[i] = static_cast<std::uint8_t>(x);
        made.log[x] = static_cast<std::uint8_t>(i);
        x ^= (x << 1) ^ (x & 0x80 ? aes_field : 0);
    }
    return made;
}
inline constexpr Logarithms aes = logarithms();

constexpr std::uint8_t times(std::uint8_t a, std::uint8_t b) {
    return a == 0 || b == 0 ? std::uint8_t{0} : aes.power[(aes.log[a] + aes.log[b]) % 255];
}
constexpr std::uint8_t inverted(std::uint8_t a) {
    return a == 0 ? std::uint8_t{0} : aes.power[(255 - aes.log[a]) % 255];
}
constexpr std::uint8_t trace(std::uint8_t x) {
    return x == 0 ? x : static_cast<std::uint8_t>(x ^ aes.power[aes.log[x] * 16 % 255]);
}

// A linear function of a byte as gf2p8affineqb takes it.
template <typename Function>
constexpr std::uint64_t matrix(Function f) {
    std::uint64_t rows = 0;
    for (unsigned in = 0; in < 8; ++in)
        for (unsigned out = 0; out < 8; ++out)
            if (f(static_cast<std::uint8_t>(1U << in)) >> out & 1)
                rows |= std::uint64_t{1} << (8 * (7 - out) + in);
    return rows;
}

// A root in the field of GFNI of a polynomial of degree 8.
constexpr std::uint8_t root(unsigned polynomial) {
    for (unsigned candidate = 2; candidate < 256; ++candidate) {
        std::uint8_t sum = 0, power = 1;
        for (unsigned i = 0; i <= 8; ++i) {
            if (polynomial >> i & 1) sum ^= power;
            power = times(power, static_cast<std::uint8_t>(candidate));
        }
        if (sum == 0) return static_cast<std::uint8_t>(candidate);
    }
    return 0;
}

// Both ways between bytes of the standard and a field's elements as GFNI has them, times a factor.
struct Basis {
    std::uint8_t from[256], to[256];
};
constexpr Basis basis(unsigned polynomial, std::uint8_t factor) {
    const std::uint8_t x = root(polynomial);
    Basis made{};
    for (unsigned byte = 0; byte < 256; ++byte) {
        std::uint8_t sum = 0, power = factor;
        for (unsigned i = 0; i < 8; ++i) {
            if (byte >> i & 1) sum ^= power;
            power = times(power, x);
        }
        made.from[byte] = sum;
        made.to[sum] = static_cast<std::uint8_t>(byte);
    }
    return made;
}

inline constexpr unsigned pi_field = 0x11D;
inline constexpr std::uint8_t alpha = root(pi_field);

// Whether all elements with trace `of`, times a factor, have their top bit clear and differ in
// their low four bits: then they are indices of pshufb.
constexpr bool indexes(std::uint8_t factor, std::uint8_t of) {
    unsigned seen = 0;
    for (unsigned x = 0; x < 256; ++x) {
        if (trace(static_cast<std::uint8_t>(x)) != of) continue;
        const std::uint8_t y = times(factor, static_cast<std::uint8_t>(x));
        if (y & 0x80) return false;
        seen |= 1U << (y & 15);
    }
    return seen == 0xFFFF;
}
constexpr std::uint8_t factor_for(std::uint8_t of) {
    for (unsigned factor = 1; factor < 256; ++factor)
        if (indexes(static_cast<std::uint8_t>(factor), of))
            return static_cast<std::uint8_t>(factor);
    return 0;
}

// Of elements of GF(16), and of those whose trace is 1.
inline constexpr std::uint8_t small_factor = factor_for(0), class_factor = factor_for(1);
static_assert(small_factor != 0 && class_factor != 0);

// The state: elements of pi's field, times small_factor.
inline constexpr Basis state = basis(pi_field, small_factor);
// Elements of the field of L, in which gf2p8mulb multiplies by the coefficients of L.
inline constexpr Basis own = basis(own_field, 1);

// A byte of the state x -> small_factor * T(x); the inverse r of that -> class_factor * r^-1 ….
constexpr std::uint8_t to_trace(std::uint8_t x) {
    return times(small_factor, trace(times(x, inverted(small_factor))));
}
constexpr std::uint8_t to_class(std::uint8_t r) {
    return times(class_factor, r);
}

// With r = to_trace(x), c = x * to_class(r^-1) and l = r * classes[c] the result is
// of_lambda[l] ^ of_class[c], and where r is nought also ^ of_small[x].
struct Substitution {
    Table classes, of_lambda, of_class, of_small;
};

// `out` says in which basis the result is wanted.
constexpr Substitution substitution(const Basis& out) {
    Substitution made{};
    const auto pi_of = [&](std::uint8_t x) {  // x in GFNI's field without a factor
        return out.from[pi[state.to[times(small_factor, x)]]];
    };
    const std::uint8_t first = pi_of(alpha);
    for (unsigned x = 1; x < 256; ++x) {
        const auto byte = static_cast<std::uint8_t>(x);
        if (trace(byte) == 0)
            made.of_lambda[times(small_factor, byte) & 15] = pi_of(times(alpha, byte)) ^ first;
        if (trace(byte) != 1) continue;
        // byte = alpha^i * lambda; the powers of lambda are those of 17.
        unsigned i = 1;
        std::uint8_t power = alpha;
        while (trace(times(byte, inverted(power))) != 0) power = times(power, alpha), ++i;
        const std::uint8_t c = times(class_factor, byte) & 15;
        made.classes[c] = times(byte, inverted(power));
        made.of_class[c] = pi_of(power);
    }
    for (unsigned x = 0; x < 256; ++x) {
        const auto byte = static_cast<std::uint8_t>(x);
        if (trace(byte) == 0)
            made.of_small[times(small_factor, byte) & 15] =
                pi_of(byte) ^ made.of_lambda[0] ^ made.of_class[0];
    }
    return made;
}

// pi's inverse. Of a byte in a basis, `to_index` gives 16 - i and `to_lambda` an index of lambda,
// both with their constants; x = factor[index] * lambda[lambda's], a byte of the state, and where
// lambda's index is nought of_small[index] instead.
struct Inverse {
    std::uint64_t to_index, to_lambda;
    std::uint8_t index_constant, lambda_constant;
    Table factor, lambda, of_small;
};

constexpr Inverse inverse_substitution(const Basis& in) {
    // What pi gives splits into kappa and a byte of GF(16).
    std::uint8_t kappa[16] = {pi[0]}, index_of[256] = {}, lambda_of[256] = {};
    Inverse made{};
    std::uint8_t beta = 1;
    for (int i = 0; i < 17; ++i) beta = times(beta, alpha);
    std::uint8_t small = 1;
    for (unsigned j = 1; j < 16; ++j) {
        small = times(small, beta);
        const std::uint8_t x = times(small_factor, small);
        kappa[16 - j] = pi[state.to[x]];
        made.of_small[16 - j] = x;
    }
    for (unsigned index = 0; index < 16; ++index)
        for (unsigned x = 0; x < 256; ++x) {
            const std::uint8_t y = state.to[times(small_factor, static_cast<std::uint8_t>(x))];
            if (trace(static_cast<std::uint8_t>(x)) != 0) continue;
            index_of[kappa[index] ^ y] = static_cast<std::uint8_t>(index);
            lambda_of[kappa[index] ^ y] = state.from[y] & 15;
        }
    made.to_index = matrix([&](std::uint8_t v) { return index_of[in.to[v] ^ pi[0]]; });
    made.to_lambda = matrix([&](std::uint8_t v) { return lambda_of[in.to[v] ^ pi[0]]; });
    made.index_constant = index_of[0];
    made.lambda_constant = lambda_of[0];
    std::uint8_t power = small_factor;
    for (unsigned i = 1; i < 17; ++i) {
        power = times(power, alpha);
        made.factor[16 - i] = power;
    }
    for (unsigned x = 1; x < 256; ++x) {
        const auto byte = static_cast<std::uint8_t>(x);
        if (trace(byte) == 0)
            made.lambda[lambda_of[pi[state.to[times(small_factor, times(alpha, byte))]]]] = byte;
    }
    return made;
}

}  // namespace stend::gost::kuznyechik::gfni
