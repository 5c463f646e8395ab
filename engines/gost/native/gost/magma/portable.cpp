// Magma in plain C++ and in constant time: bitsliced over vectors that the compiler makes of what
// the processor has (128 bits on x86-64 and AArch64, two words of 64 elsewhere), few blocks by the
// polynomials of nibbles.h, single ones by shifts.h.
#include <new>

#include "gost/magma/counting.h"
#include "gost/magma/few_plain.h"
#include "gost/magma/variants.h"
#include "gost/magma/wide_keys.h"

namespace stend::gost::magma {
namespace {

struct PlainLanes {
    using Vector = std::uint64_t __attribute__((vector_size(16)));
    static constexpr unsigned words = 2;
};

constexpr PlainTables tc26_z_tables = plain_tables(tc26_z);

struct Portable {
    static constexpr std::size_t block = 8;
    using Lanes = PlainLanes;
    using Order = BigEndian;
    using Product = PlainProduct;
    static constexpr std::size_t worth = 29;

    using Keys = WideKeys<Lanes>;

    static void schedule(Schedule& schedule, Cipher, Bytes key) {
        new (schedule.bytes) KeyWords(key_words<BigEndian>(key));
    }

    static const KeyWords& words(const Schedule& schedule) {
        return *std::launder(reinterpret_cast<const KeyWords*>(schedule.bytes));
    }
    static const Shifts& shifts(const Schedule&) { return tc26_z_tables.shifts; }

    template <typename Way>
    static void few(const Schedule& schedule, Bytes in, Out out, std::size_t blocks) {
        blocks_in_plain<BigEndian, Way>(in, out, blocks, words(schedule), tc26_z_tables);
    }

    static constexpr auto encrypt = each<Portable, Encryption>;
    static constexpr auto decrypt = each<Portable, Decryption>;
};

}  // namespace

constexpr Engine portable = counting_engine<Portable>("portable", {}, chain_in_plain<Portable>);

}  // namespace stend::gost::magma
