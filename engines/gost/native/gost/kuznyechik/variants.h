// Kuznyechik's variants; variants.cpp lists them.
#pragma once

#include "gost/engine.h"

namespace stend::gost::kuznyechik {

extern const Engine reference;
extern const Engine portable;
extern const Engine tables;
#if defined(__x86_64__)
extern const Engine avx2;
extern const Engine avx2_gfni;
extern const Engine avx512;
#elif defined(__aarch64__)
extern const Engine neon;
#endif

std::span<const Engine* const> variants();

}  // namespace stend::gost::kuznyechik
