// GOST 28147-89 by tables in memory: NOT constant time.
#include "gost/magma/tables.h"

#include <new>

#include "gost/legacy/assembled.h"
#include "gost/legacy/sets.h"
#include "gost/legacy/variants.h"

namespace stend::gost::legacy {
namespace {

using magma::KeyWords, magma::LittleEndian;

struct Key {
    KeyWords words;
    const magma::Tables* tables;
};

template <typename Way>
void each(const Schedule& schedule, Bytes in, Out out, std::size_t blocks) {
    const Key& key = *reinterpret_cast<const Key*>(schedule.bytes);
    magma::blocks_by_tables<LittleEndian, Way>(in, out, blocks, key.words, *key.tables);
}

struct ByTables {
    static constexpr std::size_t block = 8;

    static void schedule(Schedule& schedule, Cipher cipher, Bytes bytes) {
        new (schedule.bytes)
            Key{magma::key_words<LittleEndian>(bytes), &made_of_set<magma::tables_of>(cipher)};
    }
    static constexpr auto encrypt = each<magma::Encryption>;
    static constexpr auto decrypt = each<magma::Decryption>;

    struct Sixteen {
        static constexpr std::size_t block = 8;
        static constexpr auto encrypt = each<magma::FirstSixteen>;
    };
};

}  // namespace

constexpr Engine tables = assembled<ByTables>("tables", {}, false, chain<ByTables>);

}  // namespace stend::gost::legacy
