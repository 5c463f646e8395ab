// AArch64 and RISC-V: the kernel's hardware capabilities say what the processor has and
// the OS saves. Bits: Linux arch/arm64/include/uapi/asm/hwcap.h; on RISC-V bit n stands
// for the single-letter extension 'a' + n. macOS tells the names of AArch64's features by sysctl.
// Any other processor has nothing known here.
#if !defined(__x86_64__)

#include "isa/isa.h"

#if defined(__linux__)
#include <sys/auxv.h>
#elif defined(__APPLE__)
#include <sys/sysctl.h>
#endif

namespace stend::isa {
namespace {

#if defined(__aarch64__) && defined(__linux__)
Features asked() {
    const unsigned long hwcap = getauxval(AT_HWCAP), hwcap2 = getauxval(AT_HWCAP2);
    const auto has = [](unsigned long word, unsigned bit) { return word >> bit & 1; };
    Features found;
    if (has(hwcap, 1)) found.add(neon);
    if (has(hwcap, 3)) found.add(aes);
    if (has(hwcap, 4)) found.add(pmull);
    if (has(hwcap, 22)) found.add(sve);
    if (has(hwcap2, 1)) found.add(sve2);
    return found;
}
#elif defined(__aarch64__) && defined(__APPLE__)
bool told(const char* name) {
    int value = 0;
    std::size_t size = sizeof value;
    return sysctlbyname(name, &value, &size, nullptr, 0) == 0 && value != 0;
}

// NEON is in all of Apple's processors; SVE they have, if at all, in a mode of its own (SME).
Features asked() {
    Features found{neon};
    if (told("hw.optional.arm.FEAT_AES")) found.add(aes);
    if (told("hw.optional.arm.FEAT_PMULL")) found.add(pmull);
    return found;
}
#elif defined(__riscv) && defined(__linux__)
Features asked() {
    return getauxval(AT_HWCAP) >> ('v' - 'a') & 1 ? Features{rvv} : Features{};
}
#else
Features asked() {
    return {};
}
#endif

}  // namespace

Features present() {
    static const Features features = without(asked(), {});
    return features;
}

bool invariant_tsc() {
    return false;
}

std::string allow_tiles() {
    return "this processor has none";
}

bool rdtscp() {
    return false;
}

bool x86_64_v2() {
    return true;
}

unsigned amd_family() {
    return 0;
}

unsigned xsave_offset(unsigned) {
    return 0;
}

}  // namespace stend::isa
#endif
