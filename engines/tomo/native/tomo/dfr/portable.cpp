// Direct Fourier reconstruction in four lanes of the compiler's own vectors.
#include "tomo/lanes/portable.h"

#include "tomo/dfr/stages.h"
#include "tomo/dfr/variants.h"

namespace stend::tomo::dfr {

std::unique_ptr<Engine> portable(const Plan& plan) {
    return std::make_unique<InLanes<Portable>>(plan);
}

}  // namespace stend::tomo::dfr
