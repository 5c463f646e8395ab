// Sets the trap flag around a piece of work, and at each trap decodes what comes next and notes
// what of it an attacker could see.
#include "steps.h"

#include <signal.h>
#include <ucontext.h>

#include <cstring>
#include <iterator>

#include "isa/isa.h"

namespace steps {
namespace {

// ---- the decoder: Intel's manual, volume 2, chapter 2 and appendix A ----------------------------

// What of memory an instruction names.
struct Operands {
    std::int8_t base = -1, index = -1;  // registers by their numbers in machine code; -1: none
    bool gathers = false;               // the index is a vector
    bool divides = false, string = false;
};

struct Prefixes {
    bool vector = false, x = false, b = false, upper = false;  // upper: vectors 16 to 31
    unsigned map = 0;  // of opcodes: 0 one byte, 1 after 0F, 2 after 0F 38, 3 after 0F 3A
};

bool is_legacy_prefix(std::uint8_t byte) {
    return std::memchr("\x66\xF2\xF3\x2E\x36\x3E\x26\x64\x65\xF0", byte, 10) != nullptr;
}

// Leaves `p` at the opcode.
Prefixes prefixes(const std::uint8_t*& p) {
    Prefixes found;
    while (is_legacy_prefix(*p)) ++p;
    const bool evex = *p == 0x62, vex3 = *p == 0xC4, vex2 = *p == 0xC5;
    if (evex || vex3) {
        found = {true, (p[1] & 0x40) == 0, (p[1] & 0x20) == 0, evex && (p[3] & 8) == 0,
                 p[1] & (evex ? 7U : 31U)};
        p += evex ? 4 : 3;
    } else if (vex2) {
        found = {true, false, false, false, 1};
        p += 2;
    } else {
        if ((*p & 0xF0) == 0x40) {
            found.x = *p & 2, found.b = *p & 1;
            ++p;
        }
        if (*p == 0x0F) {
            ++p;
            found.map = *p == 0x38 ? 2 : *p == 0x3A ? 3 : 1;
            if (found.map > 1) ++p;
        }
    }
    return found;
}

bool has_modrm(const Prefixes& of, std::uint8_t opcode) {
    if (of.vector) return !(of.map == 1 && opcode == 0x77);  // VZEROUPPER
    if (of.map > 1) return true;
    const unsigned high = opcode >> 4;
    if (of.map == 1)
        return !(high == 0x3 || high == 0x8 || (opcode >= 0xC8 && opcode <= 0xCF) ||
                 std::memchr("\x05\x06\x08\x09\x0B\x77\xA0\xA1\xA2\xA8\xA9\xAA", opcode, 12));
    if (high < 4) return (opcode & 4) == 0;
    return high == 0x8 || (opcode >= 0xD0 && opcode <= 0xD3) ||
           (opcode >= 0xD8 && opcode <= 0xDF) ||
           std::memchr("\x62\x63\x69\x6B\xC0\xC1\xC6\xC7\xF6\xF7\xFE\xFF", opcode, 12);
}

bool is_gather(const Prefixes& of, std::uint8_t opcode) {
    const unsigned row = opcode & 0xFC;
    return of.vector && of.map == 2 && (row == 0x90 || row == 0xA0 || row == 0xC4);
}

// LEA and NOP have an address and touch nothing.
bool touches_nothing(const Prefixes& of, std::uint8_t opcode) {
    return !of.vector && ((of.map == 0 && opcode == 0x8D) || (of.map == 1 && opcode == 0x1F));
}

void address(const Prefixes& of, const std::uint8_t* modrm, Operands& found) {
    const unsigned mod = *modrm >> 6, rm = *modrm & 7;
    const auto number = [](unsigned low, bool high) {
        return static_cast<std::int8_t>(low | (high ? 8 : 0));
    };
    if (rm != 4) {
        if (mod != 0 || rm != 5) found.base = number(rm, of.b);
        return;
    }
    const unsigned sib = modrm[1], base = sib & 7, index = sib >> 3 & 7;
    if (mod != 0 || base != 5) found.base = number(base, of.b);
    if (index != 4 || of.x || found.gathers) found.index = number(index, of.x);
    if (found.gathers && of.upper) found.index |= 16;
}

Operands decoded(const std::uint8_t* p) {
    Operands found;
    const Prefixes of = prefixes(p);
    const std::uint8_t opcode = *p++;
    const bool one_byte = !of.vector && of.map == 0;
    found.string = one_byte && ((opcode >= 0xA4 && opcode <= 0xA7) || (opcode >> 1) == 0x55 ||
                                (opcode >= 0xAC && opcode <= 0xAF));
    found.gathers = is_gather(of, opcode);
    if (one_byte && opcode == 0xD7) found.base = 3, found.index = 0;  // XLAT
    if (!has_modrm(of, opcode)) return found;
    found.divides = one_byte && (opcode & 0xFE) == 0xF6 && (*p >> 3 & 6) == 6;
    const bool names_memory = *p >> 6 != 3 && !touches_nothing(of, opcode);
    if (names_memory) address(of, p, found);
    return found;
}

// ---- the trace ----------------------------------------------------------------------------------

constexpr std::size_t most_known = std::size_t{1} << 21;
std::uint64_t known[most_known];  // the sum after each step of the trace before
Trace now;
bool comparing;

struct Cached {
    std::uint64_t place;
    Operands operands;
};
Cached cache[1 << 14];

const Operands& operands_at(std::uint64_t place) {
    Cached& entry = cache[place % std::size(cache)];
    if (entry.place != place)
        entry = {place, decoded(reinterpret_cast<const std::uint8_t*>(place))};
    return entry.operands;
}

void note(std::uint64_t value) {
    now.sum = (now.sum ^ value) * 0x9E3779B97F4A7C15;
    now.sum ^= now.sum >> 29;
}

std::uint64_t register_of(const greg_t* all, int number) {
    constexpr int places[] = {REG_RAX, REG_RCX, REG_RDX, REG_RBX, REG_RSP, REG_RBP,
                              REG_RSI, REG_RDI, REG_R8,  REG_R9,  REG_R10, REG_R11,
                              REG_R12, REG_R13, REG_R14, REG_R15};
    return static_cast<std::uint64_t>(all[places[number]]);
}

// The quarters of a vector register, as XSAVE keeps them: Intel's manual, volume 1, chapter 13.
void note_vector(const fpregset_t saved, unsigned number) {
    const auto* const bytes = reinterpret_cast<const std::uint8_t*>(saved);
    std::uint64_t kept;
    std::memcpy(&kept, bytes + 512, sizeof kept);
    const auto part = [&](unsigned component, std::size_t at, std::size_t size) {
        for (std::size_t i = 0; i < size; i += 8) {
            std::uint64_t word = 0;
            if (kept >> component & 1) std::memcpy(&word, bytes + at + i, sizeof word);
            note(word);
        }
    };
    static const std::size_t high_at = stend::isa::xsave_offset(2),
                             higher_at = stend::isa::xsave_offset(6),
                             upper_at = stend::isa::xsave_offset(7);
    if (number >= 16) return part(7, upper_at + 64 * (number - 16), 64);
    part(1, 160 + 16 * number, 16);
    part(2, high_at + 16 * number, 16);
    part(6, higher_at + 32 * number, 32);
}

// Before each instruction.
void step(int, siginfo_t*, void* context) {
    const mcontext_t& state = static_cast<ucontext_t*>(context)->uc_mcontext;
    const greg_t* const all = state.gregs;
    const auto place = static_cast<std::uint64_t>(all[REG_RIP]);
    const Operands& named = operands_at(place);
    note(place);
    if (named.base >= 0) note(register_of(all, named.base));
    if (named.gathers)
        note_vector(state.fpregs, static_cast<unsigned>(named.index));
    else if (named.index >= 0)
        note(register_of(all, named.index));
    if (named.string) note(register_of(all, 6)), note(register_of(all, 7));
    if (named.divides) note(register_of(all, 0)), note(register_of(all, 2));
    if (now.count < most_known) {
        std::uint64_t& before = known[now.count];
        if (comparing && now.parted_at == 0 && before != now.sum) now.parted_at = place;
        before = now.sum;
    }
    ++now.count;
}

[[gnu::noinline]] void set_trap_flag() {
    asm volatile("lea -128(%%rsp), %%rsp; pushfq; orq $0x100, (%%rsp); popfq; lea 128(%%rsp), %%rsp"
                 :
                 :
                 : "memory", "cc");
}
[[gnu::noinline]] void clear_trap_flag() {
    asm volatile(
        "lea -128(%%rsp), %%rsp; pushfq; andq $~0x100, (%%rsp); popfq; lea 128(%%rsp), %%rsp"
        :
        :
        : "memory", "cc");
}

}  // namespace

Trace traced(const std::function<void()>& work, bool compare) {
    static std::uint8_t stack[1 << 16];  // the work's is left alone
    const stack_t other = {stack, 0, sizeof stack};
    struct sigaction action = {}, before;
    action.sa_sigaction = step;
    action.sa_flags = SA_SIGINFO | SA_ONSTACK;
    sigaltstack(&other, nullptr);
    sigaction(SIGTRAP, &action, &before);
    now = {};
    comparing = compare;
    set_trap_flag();
    work();
    clear_trap_flag();
    sigaction(SIGTRAP, &before, nullptr);
    return now;
}

}  // namespace steps
