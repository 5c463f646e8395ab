// The lists, slowest first.
#include "tomo/variants.h"

#include "tomo/fbp/variants.h"

namespace stend::tomo {

namespace fbp {
std::span<const Maker> variants() {
    static const Maker all[] = {
        {"reference", {}, reference},
        {"portable", {}, portable},
#if defined(__x86_64__)
        {"avx2", {isa::avx2, isa::fma, isa::bmi2}, avx2},
        {"avx512", {isa::avx512, isa::fma, isa::bmi2}, avx512},
#endif
    };
    return all;
}
}  // namespace fbp

namespace fbp_int16 {
std::span<const Maker> variants() {
    static const Maker all[] = {
        {"portable", {}, fbp::int16_portable},
#if defined(__x86_64__)
        {"avx2", {isa::avx2, isa::fma, isa::bmi2}, fbp::int16_avx2},
        {"avx512", {isa::avx512, isa::fma, isa::bmi2}, fbp::int16_avx512},
        {"vnni", {isa::avx512, isa::avx512vnni, isa::fma, isa::bmi2}, fbp::int16_vnni},
#endif
    };
    return all;
}
}  // namespace fbp_int16

}  // namespace stend::tomo
