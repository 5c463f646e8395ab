// The variants: 3×3 and transposed convolutions as here, the rest by the kernels that all float32
// variants share.
#include "unet/float32/kernels.h"
#include "unet/variants.h"
#include "unet/winograd/convolution3.h"
#include "unet/winograd/transposed.h"

namespace stend::unet::winograd {
namespace {

using blocked::Stage;
using blocked::Workspace;

template <const Kernels& by, const float32::Arithmetic& rest>
std::unique_ptr<Engine> make(const Plan& plan) {
    static constexpr blocked::Kernels kernels = [] {
        blocked::Kernels chosen = float32::kernels<rest>();
        chosen.convolution3 = [](const Stage& stage, unsigned threads, Workspace& workspace) {
            return convolution3(by, stage, threads, workspace);
        };
        chosen.transposed = [](const Stage& stage, unsigned, Workspace&) {
            return transposed(by, stage);
        };
        return chosen;
    }();
    return blocked::make(plan, kernels);
}

}  // namespace

std::unique_ptr<Engine> make_portable(const Plan& plan) {
    return make<portable, portable_rest>(plan);
}

#if defined(__x86_64__)
std::unique_ptr<Engine> make_avx2(const Plan& plan) {
    return make<avx2, avx2_rest>(plan);
}

std::unique_ptr<Engine> make_avx512(const Plan& plan) {
    return make<avx512, avx512_rest>(plan);
}
#endif

}  // namespace stend::unet::winograd
