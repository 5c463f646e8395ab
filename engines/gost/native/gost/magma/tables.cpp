// Magma by tables in memory: NOT constant time.
#include "gost/magma/tables.h"

#include "gost/generic.h"
#include "gost/magma/variants.h"

namespace stend::gost::magma {
namespace {

constexpr Tables tc26_z_tables = tables_of(tc26_z);

template <typename Way>
void each(const Schedule& schedule, Bytes in, Out out, std::size_t blocks) {
    Wiped<KeyWords> words;
    std::memcpy(&words.value, schedule.bytes, sizeof words.value);
    blocks_by_tables<BigEndian, Way>(in, out, blocks, words.value, tc26_z_tables);
}

struct ByTables {
    static constexpr std::size_t block = 8;
    using Product = PlainProduct;

    static void schedule(Schedule& schedule, Cipher, Bytes key) {
        Wiped<KeyWords> words;
        words.value = key_words<BigEndian>(key);
        std::memcpy(schedule.bytes, &words.value, sizeof words.value);
    }
    static constexpr auto encrypt = each<Encryption>;
    static constexpr auto decrypt = each<Decryption>;
};

}  // namespace

constexpr Engine tables = generic::engine_of<ByTables>("tables", {}, false);

}  // namespace stend::gost::magma
