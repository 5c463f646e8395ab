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

STEND_INLINE void put(unsigned i, Vector key, ShortKeys& keys, Plain& plain) {
    const Vector moved = i == 0 ? key : Copies<backward>().mixed(key, _mm512_setzero_si512());
    _mm512_store_si512(keys.encrypt[i], key);
    _mm512_store_si512(keys.decrypt[i], moved);
    Copied::give(key, plain[i], 1);
}

// The constant of the next round goes in with the other half, off the way of what is waited for:
// a is the left half with the constant added.
void short_keys(Bytes key, ShortKeys& keys, Plain& plain) {
    const Copies<forward> form;
    Vector a = Copied::taken(key, 1), b = Copied::taken(key + 16, 1);
    put(0, a, keys, plain);
    put(1, b, keys, plain);
    a = sum(a, load(constants.row[0]));
    for (unsigned i = 0; i < 32; ++i) {
        const Vector constant = i < 31 ? load(constants.row[i + 1]) : _mm512_setzero_si512();
        const Vector s = form.substituted(a);
        const Vector next = form.mixed(s, sum(b, constant));
        b = sum(a, load(constants.row[i]));
        a = next;
        if (i % 8 == 7) {
            put(i / 4 + 1, sum(a, constant), keys, plain);
            put(i / 4 + 2, b, keys, plain);
        }
    }
}

}  // namespace

void schedule(Schedule& schedule, Cipher, Bytes key) {
    Keys& keys = *reinterpret_cast<Keys*>(schedule.bytes);
    Wiped<Plain> plain;
    short_keys(key, keys.few, plain.value);
    bulk_keys(plain.value, keys.bulk);
}

}  // namespace stend::gost::kuznyechik::wide
STEND_FOR_ANY
#endif
