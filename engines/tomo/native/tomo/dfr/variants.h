// The variants of direct Fourier reconstruction.
#pragma once

#include "tomo/engine.h"

namespace stend::tomo::dfr {

std::unique_ptr<Engine> reference(const Plan& plan);
std::unique_ptr<Engine> portable(const Plan& plan);
#if defined(__x86_64__)
std::unique_ptr<Engine> avx2(const Plan& plan);
std::unique_ptr<Engine> avx512(const Plan& plan);
std::unique_ptr<Engine> half_avx512(const Plan& plan);
#endif

}  // namespace stend::tomo::dfr
