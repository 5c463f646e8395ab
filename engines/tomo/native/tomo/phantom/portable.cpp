// The loops for any processor.
#include "tomo/phantom/loops.h"

namespace stend::tomo::chords {

constinit const Variant portable = variant<struct Portable>("portable", {});

}  // namespace stend::tomo::chords
