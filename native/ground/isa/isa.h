// What the processor has and the OS lets programs use, as a set of named features.
// The only room that asks CPUID, XGETBV and hwcaps. STEND_DISABLE_ISA=avx512,gfni
// switches features off, with all that builds on them; an unknown name is an error.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

namespace stend::isa {

enum class Feature : std::uint8_t {
    // x86-64
    sse2,
    sse4_1,
    avx,
    avx2,
    fma,
    bmi2,
    avx512,  // F, BW, DQ, VL and CD: what every server core since Skylake has together
    avx512vbmi,
    avx512vbmi2,
    avx512vnni,
    avx512bf16,
    avx512fp16,
    gfni,
    pclmul,
    vaes,
    vpclmulqdq,
    amx_tile,
    amx_int8,
    amx_bf16,
    // AArch64
    neon,
    sve,
    sve2,
    aes,
    pmull,
    // RISC-V
    rvv,
};
using enum Feature;
inline constexpr unsigned feature_count = static_cast<unsigned>(rvv) + 1;

// A set of features: a value, compared by value.
class Features {
public:
    constexpr Features() = default;
    constexpr Features(std::initializer_list<Feature> features) {
        for (const Feature feature : features) add(feature);
    }

    constexpr void add(Feature feature) { bits_ |= 1U << static_cast<unsigned>(feature); }
    constexpr void remove(Feature feature) { bits_ &= ~(1U << static_cast<unsigned>(feature)); }
    constexpr bool contains(Feature feature) const { return contains(Features{feature}); }
    constexpr bool contains(Features all) const { return (bits_ & all.bits_) == all.bits_; }
    constexpr bool empty() const { return bits_ == 0; }

    // Those of this set that `available` lacks.
    constexpr Features missing_from(Features available) const {
        return Features(bits_ & ~available.bits_);
    }

    // As users write them ("sse4.1", "amx-tile"), in the order of the enumeration.
    std::vector<std::string_view> names() const;

    friend constexpr bool operator==(Features, Features) = default;

private:
    constexpr explicit Features(std::uint32_t bits) : bits_(bits) {}
    static_assert(feature_count <= 32);
    std::uint32_t bits_ = 0;
};

// Every feature this library knows, of any architecture.
Features known();

// Features named in a comma-separated list; throws std::invalid_argument for an unknown
// name, with a sentence that lists the known ones.
Features parse(std::string_view list);

// What is left of `present` without `off` and without everything that builds on it.
Features without(Features present, Features off);

// What the processor has and the OS allows, before STEND_DISABLE_ISA.
Features present();

// What STEND_DISABLE_ISA names; throws as parse() does.
Features disabled();

// What kernels may use: without(present(), disabled()). Asked once, then remembered.
Features usable();

// Why kernels with these needs can't run: "this machine lacks avx512, gfni", or that
// STEND_DISABLE_ISA switched them off; empty when they can.
std::string why_not(Features needs);

// Asks Linux for the use of tile registers (amx_tile), which is the whole process's from then on
// and its children's; what runs on tiles asks first, each time. Empty when it is given, else the
// reason.
std::string allow_tiles();

// Whether the processor promises that its time-stamp counter runs at one rate in every
// power state (x86-64, CPUID 0x80000007 EDX bit 8; Intel SDM vol. 3, 18.17.1).
bool invariant_tsc();

// Whether the processor has RDTSCP, which reads the counter and the core's number at once.
bool rdtscp();

// Whether the processor has what x86-64-v2 adds to the baseline, up to SSE4.2 (System V
// psABI, 3.1.1); other architectures lack nothing of it. NumPy's wheels need it from 2.4 on, stend
// does not.
bool x86_64_v2();

// The family of AMD's cores, 0 where they are not AMD's: what is fastest differs between cores with
// the same features. 19h (Zen 4) takes two turns for a vector of 64 bytes; on 1Ah (Zen 5) simple
// vector instructions follow on each other after two cycles instead of one, and its two ports for
// shuffles take any width (x86-64, CPUID 1 EAX).
unsigned amd_family();

// Where XSAVE keeps a component of the registers in its area, in bytes (x86-64, CPUID 0xD EBX;
// Intel SDM vol. 1, 13.4.3).
unsigned xsave_offset(unsigned component);

}  // namespace stend::isa
