// Magma in plain C++ and in constant time: bitsliced over vectors that the compiler makes of what
// the processor has (128 bits on x86-64 and AArch64, two words of 64 elsewhere), few blocks by the
// polynomials of nibbles.h.
#include "gost/magma/counting.h"
#include "gost/magma/nibbles.h"
#include "gost/magma/variants.h"
#include "gost/magma/wide_keys.h"

namespace stend::gost::magma {
namespace {

struct PlainLanes {
    using Vector = std::uint64_t __attribute__((vector_size(16)));
    static constexpr unsigned words = 2;
};

constexpr Polynomials tc26_z_polynomials = polynomials(tc26_z);

struct Portable {
    static constexpr std::size_t block = 8;
    using Lanes = PlainLanes;
    using Order = BigEndian;
    using Product = PlainProduct;
    static constexpr std::size_t worth = 29;

    using Keys = WideKeys<Lanes>;

    static void schedule(Schedule& schedule, Cipher, Bytes key) {
        Wiped<KeyWords> words;
        words.value = key_words<BigEndian>(key);
        std::memcpy(schedule.bytes, &words.value, sizeof words.value);
    }

    template <typename Way>
    static void few(const Schedule& schedule, Bytes in, Out out, std::size_t blocks) {
        Wiped<KeyWords> words;
        std::memcpy(&words.value, schedule.bytes, sizeof words.value);
        blocks_by_nibbles<BigEndian, Way>(in, out, blocks, words.value, tc26_z_polynomials);
    }

    static constexpr auto encrypt = each<Portable, Encryption>;
    static constexpr auto decrypt = each<Portable, Decryption>;
};

}  // namespace

constexpr Engine portable = counting_engine<Portable>("portable", {}, generic::chain<Portable>);

}  // namespace stend::gost::magma
