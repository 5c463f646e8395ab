// GOST 28147-89 in plain C++ and in constant time: all eight substitutions of a word, and four
// blocks, at once, and single blocks by shifts (magma/few_plain.h).
#include "gost/legacy/by_set.h"
#include "gost/legacy/variants.h"
#include "gost/magma/few_plain.h"

namespace stend::gost::legacy {
namespace {

struct Few {
    template <typename Way>
    static constexpr auto blocks = magma::blocks_in_plain<magma::LittleEndian, Way>;
};

struct Portable : BySet<magma::plain_tables, Few> {
    using Order = magma::LittleEndian;

    static const magma::KeyWords& words(const Schedule& schedule) {
        return KeyBySet<magma::plain_tables>::of(schedule).words;
    }
    static const magma::Shifts& shifts(const Schedule& schedule) {
        return KeyBySet<magma::plain_tables>::of(schedule).made->shifts;
    }
};

}  // namespace

constexpr Engine portable =
    assembled<Portable>("portable", {}, true, magma::chain_in_plain<Portable, chain<Portable>>);

}  // namespace stend::gost::legacy
