// The variants of each precision, slowest first.
#pragma once

#include <span>

#include "unet/engine.h"

namespace stend::unet {

std::span<const Maker> makers(Precision precision);

namespace reference {
std::unique_ptr<Engine> make(const Plan& plan);
}
namespace blas {
std::unique_ptr<Engine> make(const Plan& plan);
}
namespace direct {
std::unique_ptr<Engine> make(const Plan& plan);
}
namespace winograd {
std::unique_ptr<Engine> make_portable(const Plan& plan);
std::unique_ptr<Engine> make_avx2(const Plan& plan);
std::unique_ptr<Engine> make_avx512(const Plan& plan);
}  // namespace winograd
namespace bfloat16 {
std::unique_ptr<Engine> make_avx512(const Plan& plan);
std::unique_ptr<Engine> make_amx(const Plan& plan);
std::unique_ptr<Engine> make_amx_x3(const Plan& plan);
}  // namespace bfloat16

}  // namespace stend::unet
