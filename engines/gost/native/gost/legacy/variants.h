// The variants of GOST 28147-89, each for every set of substitutions; variants.cpp lists them.
#pragma once

#include "gost/engine.h"

namespace stend::gost::legacy {

extern const Engine reference;
extern const Engine tables;
extern const Engine portable;
#if defined(__x86_64__)
extern const Engine avx2;
extern const Engine avx512;
extern const Engine avx512_words;  // as Magma's
#endif

std::span<const Engine* const> variants();

}  // namespace stend::gost::legacy
