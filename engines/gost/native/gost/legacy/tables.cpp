// GOST 28147-89 by tables in memory: NOT constant time.
#include "gost/magma/tables.h"

#include "gost/legacy/by_set.h"
#include "gost/legacy/variants.h"

namespace stend::gost::legacy {
namespace {

struct LookUps {
    template <typename Way>
    static constexpr auto blocks = magma::blocks_by_tables<magma::LittleEndian, Way>;
};
using ByTables = BySet<magma::tables_of, LookUps>;

}  // namespace

constexpr Engine tables = assembled<ByTables>("tables", {}, false, chain<ByTables>);

}  // namespace stend::gost::legacy
