// Thirty-two blocks at once by AVX2 alone: a vector for each of the sixteen bytes, and each byte
// also as its two halves, which are what pshufb multiplies by a constant.
//
// The vectors are the cells of the register R: a step of L is written over the cell that falls out,
// so that nothing moves. Bytes are kept in the basis of pi's logarithms (logarithms.h). Per byte
// and round that takes 17 instructions for pi, 3 to halve its result and 45 for the step, on three
// ports: 6.1 cycles/byte.
#pragma once
#if defined(__x86_64__)
#include <cstring>
#include <utility>

#include "gost/kuznyechik/avx2/keys.h"
#include "gost/kuznyechik/logarithms.h"
#include "gost/x86/intrinsics.h"
#include "isa/target.h"

namespace stend::gost::kuznyechik::avx2_only {

// A linear function of a byte by its halves.
struct ByHalves {
    Table low, high;
};
template <typename Function>
constexpr ByHalves by_halves(Function f) {
    ByHalves made{};
    for (unsigned i = 0; i < 16; ++i) {
        made.low[i] = f(static_cast<std::uint8_t>(i));
        made.high[i] = f(static_cast<std::uint8_t>(16 * i));
    }
    return made;
}

// One direction's basis, in which bytes come in and go out and by which multiplications of l go.
struct Bases {
    ByHalves taken, given, multiplied[8];
};
constexpr Bases bases(const Tower& basis) {
    Bases made{};
    made.taken = by_halves([&](std::uint8_t x) { return basis.from[x]; });
    made.given = by_halves([&](std::uint8_t x) { return basis.to[x]; });
    for (std::size_t i = 0; i < 8; ++i)
        made.multiplied[i] = by_halves(
            [&](std::uint8_t x) { return basis.from[product(basis.to[x], linear[i], own_field)]; });
    return made;
}
inline constexpr Bases forth = bases(tower), back = bases(tower_back);
inline constexpr PiByLogarithms pi_forth =
    pi_by_logarithms([](std::uint8_t x) { return tower.from[x]; });
inline constexpr PiBackByLogarithms pi_back =
    pi_back_by_logarithms([](std::uint8_t x) { return tower_back.from[x]; });

STEND_FOR("avx2")
namespace {

using V = __m256i;

[[gnu::always_inline]] inline V both(const Table& table) {
    return _mm256_broadcastsi128_si256(
        _mm_loadu_si128(reinterpret_cast<const __m128i*>(table.data())));
}
[[gnu::always_inline]] inline V looked_up(const Table& table, V index) {
    return _mm256_shuffle_epi8(both(table), index);
}
[[gnu::always_inline]] inline V all_bytes(int byte) {
    return _mm256_set1_epi8(static_cast<char>(byte));
}
[[gnu::always_inline]] inline V repeated(std::uint32_t bytes) {
    return _mm256_set1_epi32(static_cast<int>(bytes));
}

// The lower half of each byte, a number that GCC is not to know: it would make it anew in every
// step, by two instructions of the port that shuffles.
[[gnu::always_inline]] inline V lower_half() {
    V mask = all_bytes(15);
    asm("" : "+x"(mask));
    return mask;
}

// The halves of bytes, each as a byte below 16.
struct Halves {
    V low, high;
};
[[gnu::always_inline]] inline Halves halved(V x, V lower) {
    return {x & lower, _mm256_srli_epi16(x, 4) & lower};
}
[[gnu::always_inline]] inline V applied(const ByHalves& f, Halves x) {
    return looked_up(f.low, x.low) ^ looked_up(f.high, x.high);
}
// A number modulo 15 of one below 30; what has its top bit set keeps it.
[[gnu::always_inline]] inline V modulo_15(V x) {
    return _mm256_min_epu8(x, _mm256_add_epi8(x, all_bytes(-15)));
}

[[gnu::always_inline]] inline V substituted(Halves x) {
    const PiByLogarithms& t = pi_forth;
    const V log_h = looked_up(t.log_h, x.high);
    const V difference = _mm256_sub_epi8(looked_up(t.log_l, x.low), log_h);
    const V d = _mm256_min_epu8(difference, _mm256_add_epi8(difference, all_bytes(15)));
    const V e = modulo_15(_mm256_add_epi8(log_h, looked_up(t.mu, d)));
    return looked_up(t.kappa, d) ^ looked_up(t.small, (log_h ^ all_bytes(0x80)) | x.low) ^
           looked_up(t.of_lambda, e);
}

[[gnu::always_inline]] inline V substituted_back(Halves y) {
    const PiBackByLogarithms& t = pi_back;
    const V log_f = looked_up(t.log_f, y.low);
    const V e = modulo_15(_mm256_add_epi8(log_f, looked_up(t.log_h, y.high)));
    const V g = modulo_15(_mm256_add_epi8(e, looked_up(t.log_q, y.high)));
    return looked_up(t.of_h, e) ^ looked_up(t.small, (log_f ^ all_bytes(0x80)) | y.high) ^
           looked_up(t.of_l, g);
}

struct Cells {
    V whole[16], low[16], high[16];

    [[gnu::always_inline]] Halves put(std::size_t i, V x, V lower) {
        whole[i] = x;
        const Halves halves = halved(x, lower);
        low[i] = halves.low, high[i] = halves.high;
        return halves;
    }
    [[gnu::always_inline]] Halves halves(std::size_t i) const { return {low[i], high[i]}; }
    [[gnu::always_inline]] Halves sum(std::size_t i, std::size_t j) const {
        return {low[i] ^ low[j], high[i] ^ high[j]};
    }
};

// The work for each i of 0 to 15, unrolled.
template <typename Work>
[[gnu::always_inline]] inline void for_sixteen(Work work) {
    [&]<std::size_t... i>(std::index_sequence<i...>) __attribute__((always_inline)) {
        (work.template operator()<i>(), ...);
    }
    (std::make_index_sequence<16>());
}

// Cell k falls out of the register and the new byte takes its place. The newest one before it,
// cell k - 1, comes last: the next step waits for it.
// The step gets it in registers: from memory it would come later.
template <std::size_t k>
[[gnu::always_inline]] inline Halves step(Cells& c, Halves newest, const Bases& b, V lower) {
    const auto at = [](std::size_t i) { return (k + 15 - i) % 16; };
    const auto pair = [&](std::size_t i) __attribute__((always_inline)) {
        return applied(b.multiplied[i], c.sum(at(i), at(14 - i)));
    };
    const V ones = c.whole[k] ^ c.whole[at(6)] ^ c.whole[at(8)];
    const V rest = (ones ^ applied(b.multiplied[7], c.halves(at(7)))) ^ (pair(5) ^ pair(4)) ^
                   (pair(3) ^ pair(2)) ^ pair(1);
    const Halves last = {newest.low ^ c.low[at(14)], newest.high ^ c.high[at(14)]};
    return c.put(k, rest ^ applied(b.multiplied[0], last), lower);
}

[[gnu::noinline]] void transform(Cells& c, const Bases& b) {
    const V lower = lower_half();
    Halves newest = c.halves(15);
    for_sixteen([&]<std::size_t k>() __attribute__((always_inline)) {
        newest = step<k>(c, newest, b, lower);
        // Or else GCC keeps vectors from step to step that it has no registers for.
        asm volatile("" : : "r"(&c) : "memory");
    });
}

[[gnu::always_inline]] inline void transpose(V* v) {
    for (int stage = 0; stage < 4; ++stage) {
        V next[16];
        for (int i = 0; i < 8; ++i) {
            next[2 * i] = _mm256_unpacklo_epi8(v[i], v[i + 8]);
            next[2 * i + 1] = _mm256_unpackhi_epi8(v[i], v[i + 8]);
        }
        for (int i = 0; i < 16; ++i) v[i] = next[i];
    }
}

// Cell i is byte 15 - i when encrypting and byte i when decrypting: R's inverse is R on reversed
// bytes.
template <bool backwards>
constexpr std::size_t byte_of(std::size_t cell) {
    return backwards ? cell : 15 - cell;
}

template <bool backwards>
[[gnu::noinline]] void take(Cells& c, Bytes in, const std::uint32_t* key) {
    V w[16];
    std::memcpy(w, in, sizeof w);
    transpose(w);
    const Bases& b = backwards ? back : forth;
    const V lower = lower_half();
    for (std::size_t i = 0; i < 16; ++i) {
        const std::size_t byte = byte_of<backwards>(i);
        c.put(i, applied(b.taken, halved(w[byte], lower)) ^ repeated(key[byte]), lower);
    }
}

template <bool backwards>
[[gnu::noinline]] void give(const Cells& c, Out out) {
    V w[16];
    const Bases& b = backwards ? back : forth;
    for (std::size_t i = 0; i < 16; ++i) w[byte_of<backwards>(i)] = applied(b.given, c.halves(i));
    transpose(w);
    std::memcpy(out, w, sizeof w);
}

[[gnu::noinline]] void substitute(Cells& c, const std::uint32_t* key) {
    const V lower = lower_half();
    for (std::size_t i = 0; i < 16; ++i)
        c.put(i, substituted(c.halves(i)) ^ repeated(key[15 - i]), lower);
}
[[gnu::noinline]] void substitute_back(Cells& c, const std::uint32_t* key) {
    const V lower = lower_half();
    for (std::size_t i = 0; i < 16; ++i)
        c.put(i, substituted_back(c.halves(i)) ^ repeated(key[i]), lower);
}

void encrypt_batch(const Keys& keys, Cells& c, Bytes in, Out out) {
    take<false>(c, in, keys.forward[0]);
    for (int round = 1; round < 10; ++round) {
        substitute(c, keys.forward[round]);
        transform(c, forth);
    }
    give<false>(c, out);
}

void decrypt_batch(const Keys& keys, Cells& c, Bytes in, Out out) {
    take<true>(c, in, keys.back[9]);
    for (int round = 9; round-- > 0;) {
        transform(c, back);
        substitute_back(c, keys.back[round]);
    }
    give<true>(c, out);
}

}  // namespace
STEND_FOR_ANY

}  // namespace stend::gost::kuznyechik::avx2_only
#endif
