// SVE: vectors of the size that the processor has. Values of such types can't be elements of an
// array, so each chain is a variable of its own.
#if defined(__aarch64__) && defined(__linux__)
#include <arm_sve.h>

#include "isa/target.h"
#include "kernels/peak/variants.h"

STEND_FOR("arch=armv8.2-a+sve")
namespace stend::peak {
namespace {

constexpr std::size_t chains = 24;

// clang-format can not settle on a shape for this one.
// clang-format off
#define EACH(DO) \
    DO(0) DO(1) DO(2) DO(3) DO(4) DO(5) DO(6) DO(7) DO(8) DO(9) DO(10) DO(11) \
    DO(12) DO(13) DO(14) DO(15) DO(16) DO(17) DO(18) DO(19) DO(20) DO(21) DO(22) DO(23)
// clang-format on
#define LOAD(i) auto x##i = svld1(all, from + (i)*width);
#define STORE(i) svst1(all, to + (i)*width, x##i);
#define FUSE(i) x##i = svmad_x(all, x##i, factor, term);
// Hidden after each step, or the compiler would add many terms at once.
#define ADD(i)                       \
    x##i = svadd_x(all, x##i, term); \
    asm volatile("" : "+w"(x##i));

// What all loops of a type begin with.
#define WITH_DOUBLES                    \
    const svbool_t all = svptrue_b64(); \
    const std::size_t width = svcntd(); \
    const auto factor = svdup_f64(m<double>), term = svdup_f64(b<double>);
#define WITH_FLOATS                     \
    const svbool_t all = svptrue_b32(); \
    const std::size_t width = svcntw(); \
    const auto factor = svdup_f32(m<float>), term = svdup_f32(b<float>);
#define WITH_INTEGERS                   \
    const svbool_t all = svptrue_b32(); \
    const std::size_t width = svcntw(); \
    const auto term = svdup_u32(b<std::uint32_t>);

// The loops of a type, alone and in company.
#define WALKS(T, CONSTANTS, STEP)                                                           \
    void walk(const T* from, T* to, std::uint64_t steps) noexcept {                         \
        CONSTANTS EACH(LOAD) for (; steps > 0; steps -= 4){EACH(STEP) EACH(STEP) EACH(STEP) \
                                                               EACH(STEP)} EACH(STORE)      \
    }                                                                                       \
    template <std::uint64_t company>                                                        \
    std::uint64_t walk_with(const T* from, T* to, std::uint64_t steps,                      \
                            std::uint64_t product) noexcept {                               \
        CONSTANTS EACH(LOAD) for (; steps > 0; --steps) {                                   \
            EACH(STEP)                                                                      \
            product = clock::multiply(product, company);                                    \
        }                                                                                   \
        EACH(STORE)                                                                         \
        return product;                                                                     \
    }

WALKS(double, WITH_DOUBLES, FUSE)
WALKS(float, WITH_FLOATS, FUSE)
WALKS(std::uint32_t, WITH_INTEGERS, ADD)

std::size_t lanes_of_8() noexcept {
    return chains * svcntd();
}
std::size_t lanes_of_4() noexcept {
    return chains * svcntw();
}

}  // namespace

const Loops sve{{walk, lanes_of_8, Step::fused, Step::fused, walk_with<fewer>, walk_with<more>},
                {walk, lanes_of_4, Step::fused, Step::fused, walk_with<fewer>, walk_with<more>},
                {walk, lanes_of_4, Step::add, Step::add, walk_with<fewer>, walk_with<more>}};

}  // namespace stend::peak
STEND_FOR_ANY
#endif
