// The variants of back projection by the fast Hough transform, plain and fine.
#pragma once

#include "tomo/engine.h"
#include "tomo/hfbp/lines.h"

namespace stend::tomo::hfbp {

// `fine` positions a pixel. All but the reference throw std::invalid_argument for more projections
// than 16-bit sums hold.
std::unique_ptr<Engine> reference(const Plan& plan, const Ladder& ladder);
std::unique_ptr<Engine> portable(const Plan& plan, const Ladder& ladder);
std::unique_ptr<Engine> avx2(const Plan& plan, const Ladder& ladder);
std::unique_ptr<Engine> avx512(const Plan& plan, const Ladder& ladder);

}  // namespace stend::tomo::hfbp
