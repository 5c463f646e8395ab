// Magma's variants; variants.cpp lists them.
#pragma once

#include "gost/engine.h"

namespace stend::gost::magma {

extern const Engine reference;
extern const Engine tables;
extern const Engine portable;
#if defined(__aarch64__)
extern const Engine neon;
#endif
#if defined(__x86_64__)
extern const Engine avx2;
namespace avx512 {
extern const Engine engine;
extern const Engine words_engine;  // never bitsliced
}  // namespace avx512
#endif

std::span<const Engine* const> variants();

}  // namespace stend::gost::magma
