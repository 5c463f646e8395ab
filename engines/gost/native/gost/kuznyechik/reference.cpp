// Kuznyechik as GOST R 34.12-2015, section 4, writes it down. Not constant time: it looks bytes up.
#include <array>

#include "gost/generic.h"
#include "gost/kuznyechik/variants.h"
#include "gost/sboxes.h"

namespace stend::gost::kuznyechik {
namespace {

using Block = std::array<std::uint8_t, 16>;  // a_15 first
using RoundKeys = std::array<Block, 10>;

constexpr auto pi_inverse = [] {
    std::array<std::uint8_t, 256> inverse{};
    for (unsigned x = 0; x < 256; ++x) inverse[pi[x]] = static_cast<std::uint8_t>(x);
    return inverse;
}();

// In GF(2)[x] / (x^8 + x^7 + x^6 + x + 1).
std::uint8_t times(std::uint8_t a, std::uint8_t b) {
    unsigned product = 0, shifted = a;
    for (unsigned bit = 0; bit < 8; ++bit) {
        if (b >> bit & 1) product ^= shifted;
        shifted = shifted << 1 ^ (shifted >> 7 ? 0x1C3 : 0);
    }
    return static_cast<std::uint8_t>(product);
}

std::uint8_t l(const Block& a) {
    std::uint8_t sum = 0;
    for (unsigned i = 0; i < 16; ++i) sum ^= times(a[i], linear[i]);
    return sum;
}

Block X(const Block& k, Block a) {
    for (unsigned i = 0; i < 16; ++i) a[i] ^= k[i];
    return a;
}

Block S(Block a) {
    for (std::uint8_t& byte : a) byte = pi[byte];
    return a;
}

Block S_inverse(Block a) {
    for (std::uint8_t& byte : a) byte = pi_inverse[byte];
    return a;
}

Block R(const Block& a) {
    Block moved;
    moved[0] = l(a);
    std::copy(a.begin(), a.end() - 1, moved.begin() + 1);
    return moved;
}

Block R_inverse(const Block& a) {
    Block moved;
    std::copy(a.begin() + 1, a.end(), moved.begin());
    moved[15] = a[0];
    moved[15] = l(moved);
    return moved;
}

Block L(Block a) {
    for (unsigned i = 0; i < 16; ++i) a = R(a);
    return a;
}

Block L_inverse(Block a) {
    for (unsigned i = 0; i < 16; ++i) a = R_inverse(a);
    return a;
}

// 4.3: K_1, K_2 are the key; each further pair is eight steps of the Feistel network on.
RoundKeys round_keys(Bytes key) {
    RoundKeys keys;
    Block a, b;
    std::copy(key, key + 16, a.begin());
    std::copy(key + 16, key + 32, b.begin());
    keys[0] = a;
    keys[1] = b;
    for (std::uint8_t i = 1; i <= 32; ++i) {
        Block vec{};
        vec[15] = i;
        const Block next = X(L(S(X(L(vec), a))), b);
        b = a;
        a = next;
        if (i % 8 == 0) {
            keys[i / 4] = a;
            keys[i / 4 + 1] = b;
        }
    }
    return keys;
}

Block E(const RoundKeys& k, Block a) {
    for (unsigned i = 0; i < 9; ++i) a = L(S(X(k[i], a)));
    return X(k[9], a);
}

Block D(const RoundKeys& k, Block a) {
    for (unsigned i = 9; i > 0; --i) a = S_inverse(L_inverse(X(k[i], a)));
    return X(k[0], a);
}

template <Block (*cipher)(const RoundKeys&, Block)>
void each(const Schedule& schedule, Bytes in, Out out, std::size_t blocks) {
    Wiped<RoundKeys> keys;
    std::memcpy(&keys.value, schedule.bytes, sizeof keys.value);
    for (; blocks > 0; --blocks, in += 16, out += 16) {
        Block a;
        std::copy(in, in + 16, a.begin());
        a = cipher(keys.value, a);
        std::copy(a.begin(), a.end(), out);
    }
}

struct Reference {
    static constexpr std::size_t block = 16;
    using Product = PlainProduct;

    static void schedule(Schedule& schedule, Cipher, Bytes key) {
        Wiped<RoundKeys> keys;
        keys.value = round_keys(key);
        std::memcpy(schedule.bytes, &keys.value, sizeof keys.value);
    }
    static constexpr auto encrypt = each<E>;
    static constexpr auto decrypt = each<D>;
};

}  // namespace

constexpr Engine reference = generic::engine_of<Reference>("reference", {}, false);

}  // namespace stend::gost::kuznyechik
