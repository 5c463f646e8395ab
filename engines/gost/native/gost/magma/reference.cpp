// Magma as GOST R 34.12-2015, section 5, writes it down. Not constant time: it looks nibbles up.
#include <array>

#include "gost/generic.h"
#include "gost/magma/variants.h"
#include "gost/sboxes.h"

namespace stend::gost::magma {
namespace {

using RoundKeys = std::array<std::uint32_t, 32>;

std::uint32_t t(std::uint32_t a) {
    std::uint32_t substituted = 0;
    for (unsigned i = 0; i < 8; ++i)
        substituted |= std::uint32_t{tc26_z[i][a >> 4 * i & 15]} << 4 * i;
    return substituted;
}

std::uint32_t g(std::uint32_t k, std::uint32_t a) {
    return std::rotl(t(a + k), 11);
}

// 5.3: the eight words of the key three times over, then once more backwards.
RoundKeys round_keys(Bytes key) {
    RoundKeys keys;
    for (unsigned i = 0; i < 8; ++i) keys[i] = load_big<std::uint32_t>(key + 4 * i);
    for (unsigned i = 8; i < 24; ++i) keys[i] = keys[i - 8];
    for (unsigned i = 24; i < 32; ++i) keys[i] = keys[31 - i];
    return keys;
}

// 5.4: G* in the last round, so that the same network with the keys backwards decrypts.
template <bool forwards>
void each(const Schedule& schedule, Bytes in, Out out, std::size_t blocks) {
    Wiped<RoundKeys> keys;
    std::memcpy(&keys.value, schedule.bytes, sizeof keys.value);
    for (; blocks > 0; --blocks, in += 8, out += 8) {
        std::uint32_t a1 = load_big<std::uint32_t>(in), a0 = load_big<std::uint32_t>(in + 4);
        for (unsigned i = 0; i < 32; ++i) {
            const std::uint32_t next = g(keys.value[forwards ? i : 31 - i], a0) ^ a1;
            a1 = a0;
            a0 = next;
        }
        store_big(out, a0);
        store_big(out + 4, a1);
    }
}

struct Reference {
    static constexpr std::size_t block = 8;
    using Product = PlainProduct;

    static void schedule(Schedule& schedule, Cipher, Bytes key) {
        Wiped<RoundKeys> keys;
        keys.value = round_keys(key);
        std::memcpy(schedule.bytes, &keys.value, sizeof keys.value);
    }
    static constexpr auto encrypt = each<true>;
    static constexpr auto decrypt = each<false>;
};

}  // namespace

constexpr Engine reference = generic::engine_of<Reference>("reference", {}, false);

}  // namespace stend::gost::magma
