// x86-64: CPUID tells what the processor has, XGETBV which registers the OS saves, and
// arch_prctl whether the OS gives matrix tiles to who asks.
// Bits: Intel SDM vol. 2A, CPUID; vol. 1, 13.3 (XCR0); Linux Documentation/arch/x86/xstate.rst.
#if defined(__x86_64__)

#include <cpuid.h>

#include <cerrno>
#include <cstring>

#include "isa/isa.h"

#if defined(__linux__)
#include <sys/syscall.h>
#include <unistd.h>
#endif

namespace stend::isa {
namespace {

struct Leaf {
    unsigned eax = 0, ebx = 0, ecx = 0, edx = 0;
};

Leaf cpuid(unsigned leaf, unsigned subleaf = 0) {
    Leaf found;
    __get_cpuid_count(leaf, subleaf, &found.eax, &found.ebx, &found.ecx, &found.edx);
    return found;
}

constexpr bool has(unsigned word, unsigned bit) {
    return word >> bit & 1;
}

constexpr unsigned os_saves_xmm_ymm = 0x6;
constexpr unsigned os_saves_zmm = 0xe6;
constexpr unsigned os_saves_tiles = 0x60000;

unsigned saved_by_os() {
    if (!has(cpuid(1).ecx, 27)) return 0;
    unsigned low, high;
    asm volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
    return low;
}

#if defined(__linux__)
constexpr unsigned tile_data = 18;  // the component of XSAVE
#endif

// Linux gives tile registers (their state is 8 KiB) to processes that ask. A kernel that uses them
// has to; here it is only asked whether they could: the permission is the whole process's, and
// with it Linux refuses alternate signal stacks that hold no tiles, also those of others.
bool tiles_to_be_had() {
#if defined(__linux__)
    constexpr int get_supported = 0x1021;
    std::uint64_t supported = 0;
    return syscall(SYS_arch_prctl, get_supported, &supported) == 0 && supported >> tile_data & 1;
#else
    return false;
#endif
}

void add_avx(Features& found, const Leaf& one, const Leaf& seven) {
    if (has(one.ecx, 28)) found.add(avx);
    if (has(one.ecx, 12)) found.add(fma);
    if (has(seven.ebx, 5)) found.add(avx2);
    if (has(seven.ecx, 9)) found.add(vaes);
    if (has(seven.ecx, 10)) found.add(vpclmulqdq);
}

void add_avx512(Features& found, const Leaf& seven) {
    for (const unsigned bit : {16, 17, 28, 30, 31})  // F, DQ, CD, BW, VL
        if (!has(seven.ebx, bit)) return;
    found.add(avx512);
    if (has(seven.ecx, 1)) found.add(avx512vbmi);
    if (has(seven.ecx, 6)) found.add(avx512vbmi2);
    if (has(seven.ecx, 11)) found.add(avx512vnni);
    if (has(seven.edx, 23)) found.add(avx512fp16);
    if (has(cpuid(7, 1).eax, 5)) found.add(avx512bf16);
}

void add_amx(Features& found, const Leaf& seven) {
    if (!has(seven.edx, 24) || !tiles_to_be_had()) return;
    found.add(amx_tile);
    if (has(seven.edx, 25)) found.add(amx_int8);
    if (has(seven.edx, 22)) found.add(amx_bf16);
}

Features asked() {
    const Leaf one = cpuid(1), seven = cpuid(7);
    const unsigned saved = saved_by_os();
    const auto saves = [saved](unsigned state) { return (saved & state) == state; };

    Features found;
    if (has(one.edx, 26)) found.add(sse2);
    if (has(one.ecx, 1)) found.add(pclmul);
    if (has(one.ecx, 19)) found.add(sse4_1);
    if (has(seven.ebx, 8)) found.add(bmi2);
    if (has(seven.ecx, 8)) found.add(gfni);
    if (saves(os_saves_xmm_ymm)) add_avx(found, one, seven);
    if (saves(os_saves_zmm)) add_avx512(found, seven);
    if (saves(os_saves_tiles)) add_amx(found, seven);
    return found;
}

}  // namespace

Features present() {
    static const Features features = without(asked(), {});
    return features;
}

// Linux Documentation/arch/x86/xstate.rst.
std::string allow_tiles() {
#if defined(__linux__)
    constexpr int request_permission = 0x1023;
    if (syscall(SYS_arch_prctl, request_permission, tile_data) == 0) return {};
    return std::string("Linux gives no tile registers to this process (") + std::strerror(errno) +
           "); an alternate signal stack too small to hold them is one reason";
#else
    return "this system is not known to give processes tile registers";
#endif
}

bool invariant_tsc() {
    return has(cpuid(0x80000007).edx, 8);
}

bool rdtscp() {
    return has(cpuid(0x80000001).edx, 27);
}

bool x86_64_v2() {
    const unsigned found = cpuid(1).ecx;
    for (const unsigned bit : {0, 9, 13, 19, 20, 23})  // SSE3, SSSE3, CX16, SSE4.1, SSE4.2, POPCNT
        if (!has(found, bit)) return false;
    return has(cpuid(0x80000001).ecx, 0);  // LAHF
}

unsigned amd_family() {
    static const unsigned found = [] {  // asked once: a hypervisor takes microseconds to answer
        const unsigned version = cpuid(1).eax;
        const unsigned family = (version >> 8 & 0xF) + (version >> 20 & 0xFF);
        return cpuid(0).ebx == signature_AMD_ebx ? family : 0;
    }();
    return found;
}

unsigned xsave_offset(unsigned component) {
    return cpuid(0xD, component).ebx;
}

}  // namespace stend::isa
#endif
