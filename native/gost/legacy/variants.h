// The variants of GOST 28147-89, each for every set of substitutions; variants.cpp lists them.
#pragma once

#include "gost/engine.h"

namespace stend::gost::legacy {

extern const Engine reference;
extern const Engine portable;

std::span<const Engine* const> variants();

}  // namespace stend::gost::legacy
