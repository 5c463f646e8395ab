// GOST 28147-89 as RFC 5830 writes it down. Not constant time: it looks nibbles up.
#include <bit>

#include "gost/legacy/assembled.h"
#include "gost/legacy/sets.h"
#include "gost/legacy/variants.h"

namespace stend::gost::legacy {
namespace {

struct Key {
    std::uint32_t x[8];  // X0 to X7 of the key data store
    Substitutions k;     // the substitution block K
};

// The registers N1 and N2.
struct Registers {
    std::uint32_t n1, n2;
};

std::uint32_t from_bytes(Bytes bytes) {
    return bytes[0] | bytes[1] << 8 | bytes[2] << 16 | std::uint32_t{bytes[3]} << 24;
}

void to_bytes(Out bytes, std::uint32_t word) {
    for (unsigned i = 0; i < 4; ++i) bytes[i] = static_cast<std::uint8_t>(word >> 8 * i);
}

// 4 and 5: N1 + X modulo 2^32, substituted, eleven places towards the high bits, N2 added bit by
// bit; the old N1 goes into N2.
Registers cycle(Registers n, std::uint32_t x, const Substitutions& k) {
    const std::uint32_t sum = n.n1 + x;
    std::uint32_t substituted = 0;
    for (unsigned i = 0; i < 8; ++i) substituted |= std::uint32_t{k[i][sum >> 4 * i & 15]} << 4 * i;
    return {std::rotl(substituted, 11) ^ n.n2, n.n1};
}

Key key_of(const Schedule& schedule) {
    Key key;
    std::memcpy(&key, schedule.bytes, sizeof key);
    return key;
}

enum class Way { encryption, decryption, first_sixteen };

constexpr unsigned key_number(Way way, unsigned i) {
    const bool backwards = way == Way::decryption ? i >= 8 : i >= 24;
    return backwards ? 7 - i % 8 : i % 8;
}

// 5: in the 32nd cycle the result stays in N2 and N1 keeps its filling, as if they changed places
// once more. 8: the sixteen cycles of the imitovstavka have no such end.
template <Way way>
void each(const Schedule& schedule, Bytes in, Out out, std::size_t blocks) {
    Wiped<Key> key;
    key.value = key_of(schedule);
    for (; blocks > 0; --blocks, in += 8, out += 8) {
        Registers n = {from_bytes(in), from_bytes(in + 4)};
        for (unsigned i = 0; i < (way == Way::first_sixteen ? 16 : 32); ++i)
            n = cycle(n, key.value.x[key_number(way, i)], key.value.k);
        if (way != Way::first_sixteen) n = {n.n2, n.n1};
        to_bytes(out, n.n1);
        to_bytes(out + 4, n.n2);
    }
}

struct Reference {
    static constexpr std::size_t block = 8;

    static void schedule(Schedule& schedule, Cipher cipher, Bytes bytes) {
        Wiped<Key> key;
        for (unsigned i = 0; i < 8; ++i) key.value.x[i] = from_bytes(bytes + 4 * i);
        key.value.k = substitutions(cipher);
        std::memcpy(schedule.bytes, &key.value, sizeof key.value);
    }
    static constexpr auto encrypt = each<Way::encryption>;
    static constexpr auto decrypt = each<Way::decryption>;

    struct Sixteen {
        static constexpr std::size_t block = 8;
        static constexpr auto encrypt = each<Way::first_sixteen>;
    };
};

}  // namespace

constexpr Engine reference = assembled<Reference>("reference", {}, false, chain<Reference>);

}  // namespace stend::gost::legacy
