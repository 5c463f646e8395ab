// pi by logarithms in GF(16), at compile time: look-ups in tables of 16 bytes, sums and minima.
//
// pi (Perrin, "Partitions in the S-Box of Streebog and Kuznyechik", 2019) hangs on the powers of
// alpha, a root of x^8 + x^4 + x^3 + x^2 + 1: with x = alpha^i lambda, lambda in GF(16), pi(x) is
// kappa(16 - i) + f(lambda), and on GF(16) itself a table of 16. Here x = h w + l with h and l in
// GF(16) and w + w^16 = 1. Then q = l / h says which i it is, and lambda = h mu(q): a difference
// and a sum of logarithms, both modulo 15.
#pragma once

#include "gost/kuznyechik/field.h"

namespace stend::gost::kuznyechik {

using Table = std::array<std::uint8_t, 16>;

// The field of pi, in the standard's own bits, as logarithms to the base of alpha = 2.
class PiField {
public:
    constexpr PiField() {
        unsigned x = 1;
        for (unsigned i = 0; i < 255; ++i) {
            power_[i] = static_cast<std::uint8_t>(x);
            log_[x] = static_cast<std::uint8_t>(i);
            x = product(x, 2, 0x11D);
        }
    }
    constexpr std::uint8_t power(unsigned i) const { return power_[i % 255]; }
    constexpr unsigned log(std::uint8_t x) const { return log_[x]; }
    constexpr std::uint8_t times(std::uint8_t a, std::uint8_t b) const {
        return a == 0 || b == 0 ? std::uint8_t{0} : power(log(a) + log(b));
    }
    // x + x^16, in GF(16); nought on GF(16) only.
    constexpr std::uint8_t trace(std::uint8_t x) const {
        return x == 0 ? x : static_cast<std::uint8_t>(x ^ power(16 * log(x)));
    }

private:
    std::uint8_t power_[255]{}, log_[256]{};
};
inline constexpr PiField field_of_pi;

// Powers of the generator of GF(16), and GF(16) in four bits by its first four powers.
constexpr std::uint8_t small_power(unsigned i) {
    return field_of_pi.power(17 * i);
}
constexpr std::uint8_t of_nibble(unsigned nibble) {
    std::uint8_t sum = 0;
    for (unsigned i = 0; i < 4; ++i)
        if (nibble >> i & 1) sum ^= small_power(i);
    return sum;
}
constexpr std::uint8_t to_nibble(std::uint8_t x) {
    std::uint8_t nibble = 0;
    while (of_nibble(nibble) != x) ++nibble;
    return nibble;
}

constexpr std::uint8_t trace_one() {
    std::uint8_t w = 1;
    while (field_of_pi.trace(w) != 1) ++w;
    return w;
}
inline constexpr std::uint8_t tower_w = trace_one();

// A byte as l and, in the upper half, h; and back.
struct Tower {
    std::uint8_t from[256], to[256];
};
constexpr Tower tower_of_bytes() {
    Tower made{};
    for (unsigned i = 0; i < 256; ++i) {
        const auto x = static_cast<std::uint8_t>(field_of_pi.times(of_nibble(i / 16), tower_w) ^
                                                 of_nibble(i % 16));
        made.to[i] = x;
        made.from[x] = static_cast<std::uint8_t>(i);
    }
    return made;
}
inline constexpr Tower tower = tower_of_bytes();

// Look-ups whose index has its top bit set give nought (pshufb). With
//     d = min(log_l[l] - log_h[h], log_l_15[l] - log_h[h])          modulo 256
//     e = min(log_h[h] + mu[d], log_h_15[h] + mu[d])
// pi(x) is kappa[d] ^ of_lambda[e] ^ small[(log_h[h] ^ 0x80) | l]. Where l is nought d has its top
// bit set; where h is, e has, and the last look-up is not nought.
struct PiByLogarithms {
    Table log_l, log_l_15, log_h, log_h_15, mu, kappa, of_lambda, small;
};

// `out` is a linear function of the bytes of the result.
template <typename Out>
constexpr PiByLogarithms pi_by_logarithms(Out out) {
    PiByLogarithms made{};
    constexpr std::uint8_t beyond = 0xC0, nought = 0xCF;
    for (unsigned i = 0; i < 16; ++i) {
        made.log_l[i] = made.log_l_15[i] = nought;
        made.log_h[i] = made.log_h_15[i] = beyond;
    }
    for (unsigned j = 0; j < 15; ++j) {
        const std::uint8_t nibble = to_nibble(small_power(j));
        made.log_l[nibble] = static_cast<std::uint8_t>(j);
        made.log_l_15[nibble] = static_cast<std::uint8_t>(j + 15);
        made.log_h[nibble] = static_cast<std::uint8_t>(j);
        made.log_h_15[nibble] = static_cast<std::uint8_t>(j - 15);
    }
    // w + q = alpha^i mu with i from 1 to 16: the logarithm of mu, and pi(alpha^i).
    const auto class_of = [](std::uint8_t q) {
        const unsigned log = field_of_pi.log(tower_w ^ q), i = log % 17;
        return std::array<unsigned, 2>{log / 17, pi[field_of_pi.power(i)]};
    };
    const auto [mu_of_nought, kappa_of_nought] = class_of(0);
    for (unsigned j = 0; j < 15; ++j) {
        const auto [log, kappa] = class_of(small_power(j));
        made.mu[j] = static_cast<std::uint8_t>((log + 15 - mu_of_nought) % 15);
        made.kappa[j] = out(static_cast<std::uint8_t>(kappa ^ kappa_of_nought));
        const std::uint8_t f =
            pi[field_of_pi.power(1 + 17 * (j + mu_of_nought))] ^ pi[field_of_pi.power(1)];
        made.of_lambda[j] = out(static_cast<std::uint8_t>(f ^ kappa_of_nought));
    }
    // Where h is nought, d is the logarithm of l, or 15, in its lower half.
    for (unsigned i = 0; i < 16; ++i)
        made.small[i] = out(pi[of_nibble(i)]) ^ made.kappa[i == 0 ? 15 : made.log_l[i]];
    return made;
}

// What pi gives is pi(0) + kappa + f with f in a space of four dimensions and kappa in another: f
// as the lower half of a byte, and kappa, the number 16 - i, as the upper.
constexpr std::array<std::uint8_t, 16> kappas() {
    std::array<std::uint8_t, 16> made{};
    for (unsigned j = 1; j < 16; ++j) made[16 - j] = pi[small_power(j)] ^ pi[0];
    return made;
}
constexpr std::uint8_t f_of(std::uint8_t lambda) {
    return lambda == 0
               ? lambda
               : static_cast<std::uint8_t>(pi[field_of_pi.times(2, lambda)] ^ pi[small_power(1)]);
}
constexpr Tower tower_of_results() {
    constexpr auto kappa = kappas();
    // A basis of the space of f: in its order, each value that those before do not span.
    std::uint8_t of_f[16] = {};
    unsigned known = 1;
    for (unsigned j = 0; j < 15; ++j) {
        const std::uint8_t f = f_of(small_power(j));
        bool spanned = false;
        for (unsigned i = 0; i < known; ++i) spanned |= of_f[i] == f;
        if (spanned) continue;
        for (unsigned i = 0; i < known; ++i) of_f[known + i] = of_f[i] ^ f;
        known *= 2;
    }
    Tower made{};
    for (unsigned i = 0; i < 256; ++i) {
        const auto x = static_cast<std::uint8_t>(of_f[i % 16] ^ kappa[i / 16]);
        made.to[i] = x;
        made.from[x] = static_cast<std::uint8_t>(i);
    }
    return made;
}
inline constexpr Tower tower_back = tower_of_results();

// pi's inverse of a byte whose halves, as tower_back has them, are f and k. With
//     e = min(log_f[f] + log_h[k], the same - 15), g = min(e + log_q[k], the same - 15)
// it is of_h[e] ^ of_l[g] ^ small[(log_f[f] ^ 0x80) | k].
struct PiBackByLogarithms {
    Table log_f, log_h, log_q, of_h, of_l, small;
};

template <typename Out>
constexpr PiBackByLogarithms pi_back_by_logarithms(Out out) {
    PiBackByLogarithms made{};
    constexpr std::uint8_t beyond = 0xC0, nought = 0xE0;
    const std::uint8_t constant = tower_back.from[pi[0]];
    for (unsigned j = 0; j < 15; ++j) {
        const std::uint8_t x = small_power(j);
        made.log_f[(tower_back.from[f_of(x)] ^ constant) & 15] = static_cast<std::uint8_t>(j);
        made.of_h[j] = out(field_of_pi.times(x, tower_w));
        made.of_l[j] = out(x);
    }
    made.log_f[constant & 15] = beyond;
    for (unsigned k = 0; k < 16; ++k) {
        const unsigned at = k ^ (constant >> 4), i = 16 - k;
        const std::uint8_t element = field_of_pi.power(i), h = field_of_pi.trace(element);
        const std::uint8_t l = element ^ field_of_pi.times(h, tower_w);
        const unsigned log_h = field_of_pi.log(h) / 17;
        made.log_h[at] = static_cast<std::uint8_t>(log_h);
        made.log_q[at] =
            l == 0 ? nought
                   : static_cast<std::uint8_t>((field_of_pi.log(l) / 17 + 15 - log_h) % 15);
        made.small[at] = k == 0 ? std::uint8_t{0} : out(small_power(i));
    }
    return made;
}

}  // namespace stend::gost::kuznyechik
