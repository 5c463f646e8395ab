// GOST 28147-89 in plain C++ and in constant time: all eight substitutions of a word, and four
// blocks, at once (magma/nibbles.h).
#include "gost/legacy/by_set.h"
#include "gost/legacy/variants.h"
#include "gost/magma/nibbles.h"

namespace stend::gost::legacy {
namespace {

struct Nibbles {
    template <typename Way>
    static constexpr auto blocks = magma::blocks_by_nibbles<magma::LittleEndian, Way>;
};
using Portable = BySet<magma::polynomials, Nibbles>;

}  // namespace

constexpr Engine portable = assembled<Portable>("portable", {}, true, chain<Portable>);

}  // namespace stend::gost::legacy
