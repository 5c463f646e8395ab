// The round keys of the bulk kernels.
#if defined(__x86_64__)
#include "gost/kuznyechik/avx512/bulk_keys.h"

#include "gost/wipe.h"
#include "gost/x86/secret.h"
#include "isa/target.h"

STEND_FOR("avx512f,avx512bw,avx512vbmi,gfni")
#include "gost/kuznyechik/avx512/slices.h"

namespace stend::gost::kuznyechik {
namespace sliced {
namespace {

struct alignas(64) Order {
    Byte from[64];
};

// Turns the bytes of each of four blocks round.
constexpr Order reversed = [] {
    Order made{};
    for (unsigned i = 0; i < 64; ++i) made.from[i] = static_cast<Byte>(i ^ 15);
    return made;
}();

// Spreads the bytes of block q over words.
constexpr auto spread = [] {
    std::array<Order, 4> made{};
    for (unsigned q = 0; q < 4; ++q)
        for (unsigned i = 0; i < 64; ++i) made[q].from[i] = static_cast<Byte>(16 * q + i / 4);
    return made;
}();

STEND_INLINE Vector permuted(const Order& order, Vector x) {
    return moved(_mm512_load_si512(order.from), x);
}

// The steps add up what they add: e(0) + c(1) e(1) … becomes a key k if e(n) = c(0) k(n) + c(1) k(n
// - 1) + … + c(n) k(0), for the coefficients are a palindrome. That is one step with s[i] = k moved
// on by i, for four keys at once.
STEND_INLINE Vector added_by_steps(const Step& step, Vector keys) {
    Vector s[16];
    sixteen([&](auto i) __attribute__((always_inline)) {
        s[i] = _mm512_bslli_epi128(keys, decltype(i)::value);
    });
    step.take<0>(s, 0);
    return s[0];
}

}  // namespace
}  // namespace sliced

namespace wide {

void bulk_keys(const std::uint8_t round_keys[10][16], BulkKeys& keys) {
    using namespace sliced;
    const Step step;
    for (unsigned r = 0; r < 10; r += 4) {
        const auto* const from = round_keys[r];
        const Vector four = r < 8 ? _mm512_loadu_si512(from)
                                  : _mm512_zextsi256_si512(
                                        _mm256_loadu_si256(reinterpret_cast<const __m256i*>(from)));
        const Vector plain = permuted(reversed, four);
        const Vector added = added_by_steps(step, plain);
        for (unsigned q = 0; q < 4 && r + q < 10; ++q)
            _mm512_storeu_si512(keys.round[r + q], permuted(spread[q], r + q == 0 ? plain : added));
    }
}

}  // namespace wide
}  // namespace stend::gost::kuznyechik
STEND_FOR_ANY
#endif
