// The key schedule of Kuznyechik (GOST R 34.12-2015, 4.3): 32 rounds, each of which waits for the
// one before it, on one block in four copies.
#if defined(__x86_64__)
#include "gost/kuznyechik/avx512/parts.h"
#include "gost/wipe.h"
#include "gost/x86/secret.h"
#include "isa/target.h"

STEND_FOR("avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi,gfni")
#include "gost/kuznyechik/avx512/rounds.h"

namespace stend::gost::kuznyechik::wide {
namespace {

// C_1 to C_32, Copied: L of a block whose last byte is i.
struct Constants {
    Row row[32];
};

constexpr Constants constants = [] {
    Constants made{};
    const Matrix l = linear_matrix(false);
    for (unsigned i = 0; i < 32; ++i)
        for (unsigned p = 0; p < 64; ++p)
            made.row[i].bytes[p] = times(l[(p + p / 16) & 15][15], to_aes[i + 1], aes_field);
    return made;
}();

using Plain = std::uint8_t[10][16];

STEND_INLINE void put(unsigned i, Vector key, ShortKeys& keys) {
    const Vector moved = i == 0 ? key : Copies<backward>().mixed(key, _mm512_setzero_si512());
    _mm512_store_si512(keys.encrypt[i], key);
    _mm512_store_si512(keys.decrypt[i], moved);
}

// Two keys in one store, for the last two are loaded at once.
STEND_INLINE void put_plain(unsigned i, Vector a, Vector b, Plain& plain) {
    const auto both = _mm256_set_m128i(extracted<0>(Copied::to(b)), extracted<0>(Copied::to(a)));
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(plain[i]), both);
}

// The constant of the next round goes in with the other half, off the way of what is waited for. So
// does the work on a pair of keys, and two rounds of the encryption of a block of zeros: it is done
// between the rounds to the next pair.
template <bool with_zeros>
void short_keys(Bytes key, ShortKeys& keys, Plain& plain, Out zeros) {
    const Copies<forward> form;
    const auto nothing = _mm512_setzero_si512();
    Vector a = Copied::taken(key), b = Copied::taken(key + 16), encrypted = nothing;
    for (unsigned pair = 0; pair < 4; ++pair) {
        const Vector pair_a = a, pair_b = b;
        const Row* const constant = constants.row + 8 * pair;
        Vector x = sum(a, load(constant[0]));
        each<8>([&](auto i) __attribute__((always_inline)) {
            const Vector next = i < 7 ? load(constant[i + 1]) : _mm512_setzero_si512();
            const Vector y = form.mixed(form.substituted(x), sum(b, next));
            b = sum(x, load(constant[i]));
            x = y;
            if (with_zeros && i == 1)
                encrypted = form.mixed(form.substituted(sum(encrypted, pair_a)), pair_b);
            if (i == 3) put(2 * pair, pair_a, keys);
            if (with_zeros && i == 4)
                encrypted = kept(form.mixed(form.substituted(encrypted), nothing));
            if (i == 5) put(2 * pair + 1, pair_b, keys);
            if (i == 6) put_plain(2 * pair, pair_a, pair_b, plain);
        });
        a = x;
    }
    if (with_zeros) encrypted = form.mixed(form.substituted(sum(encrypted, a)), b);
    put_plain(8, a, b, plain);
    put(8, a, keys);
    put(9, b, keys);
    if (with_zeros) Copied::give(encrypted, zeros);
}

template <bool with_zeros>
void make(Schedule& schedule, Bytes key, Out zeros) {
    Keys& keys = *reinterpret_cast<Keys*>(schedule.bytes);
    Wiped<Plain> plain;
    short_keys<with_zeros>(key, keys.few, plain.value, zeros);
    bulk_keys(plain.value, keys.bulk);
}

}  // namespace

void schedule(Schedule& schedule, Cipher, Bytes key) {
    make<false>(schedule, key, nullptr);
}

void schedule_and_zeros(Schedule& schedule, Bytes key, Out zeros) {
    make<true>(schedule, key, zeros);
}

}  // namespace stend::gost::kuznyechik::wide
STEND_FOR_ANY
#endif
