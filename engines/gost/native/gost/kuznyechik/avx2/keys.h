// The key as the AVX2 variant wants it.
#pragma once

#include "gost/engine.h"
#include "gost/kuznyechik/field.h"

namespace stend::gost::kuznyechik::avx2_only {

struct alignas(32) Keys {
    Line line[10];
    // Each byte four times, by place. Forward, in the basis `tower`: the first key, and L's inverse
    // of the others, which are added before L. Back: all of them in the basis `tower_back`.
    std::uint32_t forward[10][16], back[10][16];
};
static_assert(sizeof(Keys) <= sizeof(Schedule));

}  // namespace stend::gost::kuznyechik::avx2_only
