// Cone beams, four voxels or rows at a time.
#include "tomo/lanes/portable.h"

#include "tomo/cone/columns.h"

namespace stend::tomo::cone {
namespace {

struct Lanes : Portable {
    static constexpr double most_step = 100;

    STEND_INLINE static Float pick(const float* from, Int index) {
        return Float{from[index[0]], from[index[1]], from[index[2]], from[index[3]]};
    }
};

}  // namespace

constinit const Kernels portable = kernels<Lanes>("portable", {});

}  // namespace stend::tomo::cone
