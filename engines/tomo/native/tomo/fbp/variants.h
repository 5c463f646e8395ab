// The variants of filtered back projection.
#pragma once

#include "tomo/engine.h"

namespace stend::tomo::fbp {

std::unique_ptr<Engine> reference(const Plan& plan);

std::unique_ptr<Engine> portable(const Plan& plan);
std::unique_ptr<Engine> avx2(const Plan& plan);
std::unique_ptr<Engine> avx512(const Plan& plan);

std::unique_ptr<Engine> int16_portable(const Plan& plan);
std::unique_ptr<Engine> int16_avx2(const Plan& plan);
std::unique_ptr<Engine> int16_avx512(const Plan& plan);
std::unique_ptr<Engine> int16_vnni(const Plan& plan);

}  // namespace stend::tomo::fbp
