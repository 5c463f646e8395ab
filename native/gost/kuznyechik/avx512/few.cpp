// Short messages: 1 to 63 blocks, in as few and as full registers as they take.
#if defined(__x86_64__)
#include <algorithm>

#include "gost/kuznyechik/avx512/parts.h"
#include "gost/x86/secret.h"
#include "isa/target.h"

STEND_FOR("avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi,gfni")
#include "gost/kuznyechik/avx512/rounds.h"

namespace stend::gost::kuznyechik::wide {
namespace {

using Rows = const std::uint8_t (&)[10][64];

// What every register adds: there is one key.
STEND_INLINE auto same(Vector key) {
    return [key](auto) __attribute__((always_inline)) {
        return key;
    };
}

template <unsigned n, typename Shape>
STEND_INLINE void encrypted(const Shape& shape, Rows keys, Vector (&x)[n]) {
    const Vector first = Shape::key(keys[0]);
    each<n>([&](auto j) __attribute__((always_inline)) { x[j] = sum(x[j], first); });
    for (unsigned i = 1; i < 10; ++i) round(shape, x, same(Shape::key(keys[i])));
}

// L is linear, so its inverse is exchanged with the addition of the key before it: the order of the
// layers is that of encryption, with a lone one before them.
template <unsigned n, typename Shape>
STEND_INLINE void decrypted(const Shape& shape, Rows keys, Vector (&x)[n]) {
    const Vector first = Shape::key(keys[9]), last = Shape::key(keys[0]);
    each<n>([&](auto j) __attribute__((always_inline)) { x[j] = shape.mixed(x[j], first); });
    for (unsigned i = 8; i > 0; --i) round(shape, x, same(Shape::key(keys[i])));
    each<n>([&](auto j)
                __attribute__((always_inline)) { x[j] = sum(shape.substituted(x[j]), last); });
}

// n registers, the last of which may be partly filled.
template <unsigned n, typename Shape, bool decrypts>
[[gnu::noinline]] void pass(Rows keys, Bytes in, Out out, std::size_t blocks) {
    constexpr std::size_t bytes = 16 * Shape::blocks;
    const auto held = [=](unsigned j) __attribute__((always_inline)) {
        return j + 1 < n ? Shape::blocks : blocks - j * Shape::blocks;
    };
    Vector x[n];
    each<n>([&](auto j)
                __attribute__((always_inline)) { x[j] = Shape::taken(in + j * bytes, held(j)); });
    if constexpr (decrypts)
        decrypted(Shape(), keys, x);
    else
        encrypted(Shape(), keys, x);
    each<n>([&](auto j)
                __attribute__((always_inline)) { Shape::give(x[j], out + j * bytes, held(j)); });
}

template <const Tables& t, bool decrypts>
void all(Rows keys, Bytes in, Out out, std::size_t blocks) {
    for (; blocks > 16; blocks -= 16, in += 256, out += 256)
        pass<4, Quads<t, 4>, decrypts>(keys, in, out, 16);
    if (blocks > 12)
        pass<4, Quads<t, 4>, decrypts>(keys, in, out, blocks);
    else if (blocks > 8)
        pass<3, Quads<t, 3>, decrypts>(keys, in, out, blocks);
    else if (blocks > 4)
        pass<2, Quads<t, 2>, decrypts>(keys, in, out, blocks);
    else if (blocks > 2)
        pass<1, Quads<t, 1>, decrypts>(keys, in, out, blocks);
    else if (blocks == 2)
        pass<1, Pairs<t>, decrypts>(keys, in, out, blocks);
    else if (blocks == 1)
        pass<1, Copies<t>, decrypts>(keys, in, out, blocks);
}

}  // namespace

void encrypt_few(const Keys& keys, Bytes in, Out out, std::size_t blocks) {
    all<forward, false>(keys.few.encrypt, in, out, blocks);
}

void decrypt_few(const Keys& keys, Bytes in, Out out, std::size_t blocks) {
    all<backward, true>(keys.few.decrypt, in, out, blocks);
}

}  // namespace stend::gost::kuznyechik::wide
STEND_FOR_ANY
#endif
