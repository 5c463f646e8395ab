// Reads an instruction as chapter 2.3 of Intel's SDM vol. 2 says, and does what its page says.
#include "tiles.h"

#include <ucontext.h>

#include <bit>
#include <cmath>
#include <cstring>
#include <initializer_list>

namespace tiles {
namespace {

enum Prefix : unsigned { none, x66, xf3, xf2 };  // VEX.pp

// An instruction with a VEX prefix of three bytes, in the map 0F 38.
struct Instruction {
    Prefix prefix;
    std::uint8_t opcode;
    unsigned reg, second;  // ModRM.reg, VEX.vvvv
    bool in_memory, has_sib;
    unsigned rm;            // a register, if not in memory
    std::uint64_t address;  // of what is in memory: of its first row
    std::uint64_t stride;   // the index register, if there is one
    std::size_t length;
};

// Memory operands are a base and an index register, or only a base (RIP, too), and a displacement.
class Reader {
public:
    Reader(const std::uint8_t* code, const Registers& registers)
        : code_(code), registers_(registers) {}

    bool read(Instruction& to) {
        const std::uint8_t *vex = code_, modrm = code_[4];
        if (vex[0] != 0xC4 || (vex[1] & 0x1F) != 2 || (vex[2] & 0x84) != 0) return false;
        x_ = vex[1] & 0x40 ? 0 : 8;
        b_ = vex[1] & 0x20 ? 0 : 8;
        to.prefix = static_cast<Prefix>(vex[2] & 3);
        to.second = ~vex[2] >> 3 & 15;
        to.opcode = vex[3];
        to.reg = (modrm >> 3 & 7) | (vex[1] & 0x80 ? 0U : 8U);
        mod_ = modrm >> 6;
        to.rm = (modrm & 7) | b_;
        to.in_memory = mod_ != 3;
        to.has_sib = to.in_memory && (modrm & 7) == 4;
        at_ = 5;
        to.address = to.stride = 0;
        if (to.in_memory) operand(modrm & 7, to);
        to.length = at_;
        return true;
    }

private:
    void operand(unsigned rm, Instruction& to) {
        bool no_base = mod_ == 0 && rm == 5;  // relative to RIP
        const bool relative = no_base;
        unsigned base = rm | b_;
        if (rm == 4) {
            const std::uint8_t sib = code_[at_++];
            base = (sib & 7) | b_;
            no_base = mod_ == 0 && (sib & 7) == 5;
            const unsigned index = (sib >> 3 & 7) | x_;
            if (index != 4) to.stride = registers_.general[index] << (sib >> 6);
        }
        if (!no_base) to.address = registers_.general[base];
        if (mod_ == 1) to.address += displacement<std::int8_t>();
        if (mod_ == 2 || no_base) to.address += displacement<std::int32_t>();
        if (relative) to.address += reinterpret_cast<std::uint64_t>(code_) + at_;
    }

    template <typename Signed>
    std::uint64_t displacement() {
        Signed value;
        std::memcpy(&value, code_ + at_, sizeof value);
        at_ += sizeof value;
        return static_cast<std::uint64_t>(static_cast<std::int64_t>(value));
    }

    const std::uint8_t* code_;
    const Registers& registers_;
    unsigned mod_ = 0, x_ = 0, b_ = 0;
    std::size_t at_ = 0;
};

bool configure(std::uint64_t address, Tiles& tiles) {
    std::uint8_t operand[64];
    std::memcpy(operand, reinterpret_cast<const void*>(address), sizeof operand);
    if (operand[0] > 1 || operand[1] != 0) return false;  // a palette, where to go on
    for (std::size_t i = 0; i < count; ++i) {
        Tile& tile = tiles.tile[i];
        std::memset(&tile, 0, sizeof tile);
        std::uint16_t bytes;
        std::memcpy(&bytes, operand + 16 + 2 * i, sizeof bytes);
        if (bytes > row_bytes || operand[48 + i] > most_rows) return false;
        tile.bytes = bytes;
        tile.rows = operand[48 + i];
    }
    tiles.configured = operand[0] == 1;
    ++tiles.configurations;
    return true;
}

bool usable(const Tiles& tiles, unsigned number) {
    return tiles.configured && number < count && tiles.tile[number].rows > 0 &&
           tiles.tile[number].bytes > 0;
}

void load(const Instruction& from, Tile& tile) {
    std::memset(tile.data, 0, sizeof tile.data);
    for (std::size_t row = 0; row < tile.rows; ++row)
        std::memcpy(tile.data[row], reinterpret_cast<const void*>(from.address + row * from.stride),
                    tile.bytes);
}

void store(const Instruction& to, const Tile& tile) {
    for (std::size_t row = 0; row < tile.rows; ++row)
        std::memcpy(reinterpret_cast<void*>(to.address + row * to.stride), tile.data[row],
                    tile.bytes);
}

// Denormal numbers are taken for zero, and made zero, whatever MXCSR says.
float flushed(float value) {
    return std::fpclassify(value) == FP_SUBNORMAL ? std::copysign(0.0F, value) : value;
}

// A tile's bfloat16, widened.
struct Numbers {
    explicit Numbers(const Tile& tile) {
        for (std::size_t row = 0; row < tile.rows; ++row)
            for (std::size_t column = 0; column < tile.bytes / 2; ++column) {
                std::uint16_t half;
                std::memcpy(&half, tile.data[row] + 2 * column, sizeof half);
                value[row][column] =
                    flushed(std::bit_cast<float>(static_cast<std::uint32_t>(half) << 16));
            }
    }
    float value[most_rows][row_bytes / 2];
};

// Even and odd numbers of a pair are summed apart, each with one rounding a product, then together.
bool multiply(Tile& sums, const Tile& left, const Tile& right) {
    if (left.bytes % 4 != 0 || sums.bytes % 4 != 0 || left.rows != sums.rows ||
        right.bytes != sums.bytes || right.rows != left.bytes / 4)
        return false;
    const Numbers a(left), b(right);
    for (std::size_t m = 0; m < sums.rows; ++m)
        for (std::size_t n = 0; n < sums.bytes / 4; ++n) {
            float even = 0, odd = 0, sum;
            for (std::size_t k = 0; k < right.rows; ++k) {
                even = flushed(std::fma(a.value[m][2 * k], b.value[k][2 * n], even));
                odd = flushed(std::fma(a.value[m][2 * k + 1], b.value[k][2 * n + 1], odd));
            }
            std::memcpy(&sum, sums.data[m] + 4 * n, sizeof sum);
            sum = flushed(flushed(sum) + flushed(even + odd));
            std::memcpy(sums.data[m] + 4 * n, &sum, sizeof sum);
        }
    return true;
}

bool do_configuration(const Instruction& what, Tiles& tiles) {
    if (what.reg != 0 || what.second != 0) return false;
    if (what.in_memory) return configure(what.address, tiles);
    if (what.rm != 0) return false;
    std::memset(tiles.tile, 0, sizeof tiles.tile);
    tiles.configured = false;
    return true;
}

bool do_zero(const Instruction& what, Tiles& tiles) {
    if (what.prefix != xf2 || what.in_memory || what.rm != 0 || what.second != 0 ||
        !usable(tiles, what.reg))
        return false;
    std::memset(tiles.tile[what.reg].data, 0, sizeof tiles.tile[what.reg].data);
    return true;
}

bool do_move(const Instruction& what, Tiles& tiles) {
    if (!what.has_sib || what.second != 0 || !usable(tiles, what.reg)) return false;
    if (what.prefix == xf2)
        load(what, tiles.tile[what.reg]);
    else if (what.prefix == xf3)
        store(what, tiles.tile[what.reg]);
    return what.prefix == xf2 || what.prefix == xf3;
}

bool do_product(const Instruction& what, Tiles& tiles) {
    if (what.prefix != xf3 || what.in_memory) return false;
    for (const unsigned number : {what.reg, what.rm, what.second})
        if (!usable(tiles, number)) return false;
    if (what.reg == what.rm || what.reg == what.second || what.rm == what.second) return false;
    ++tiles.products;
    return multiply(tiles.tile[what.reg], tiles.tile[what.rm], tiles.tile[what.second]);
}

// Where glibc keeps the registers, in the order of their numbers.
constexpr int places[16] = {REG_RAX, REG_RCX, REG_RDX, REG_RBX, REG_RSP, REG_RBP, REG_RSI, REG_RDI,
                            REG_R8,  REG_R9,  REG_R10, REG_R11, REG_R12, REG_R13, REG_R14, REG_R15};

void on_illegal(int signal, siginfo_t*, void* context) {
    greg_t* kept = static_cast<ucontext_t*>(context)->uc_mcontext.gregs;
    Registers registers;
    for (int i = 0; i < 16; ++i) registers.general[i] = static_cast<std::uint64_t>(kept[places[i]]);
    const std::size_t length = carry_out(reinterpret_cast<const std::uint8_t*>(kept[REG_RIP]),
                                         registers, of_this_thread());
    if (length == 0) std::signal(signal, SIG_DFL);  // comes again at once, and ends the program
    kept[REG_RIP] += static_cast<greg_t>(length);
}

}  // namespace

Tiles& of_this_thread() {
    static thread_local Tiles tiles{};
    return tiles;
}

std::size_t carry_out(const std::uint8_t* code, const Registers& registers, Tiles& tiles) {
    Instruction what;
    if (!Reader(code, registers).read(what)) return 0;
    const bool done = what.opcode == 0x49   ? (what.prefix == none ? do_configuration(what, tiles)
                                                                   : do_zero(what, tiles))
                      : what.opcode == 0x4B ? do_move(what, tiles)
                      : what.opcode == 0x5C ? do_product(what, tiles)
                                            : false;
    return done ? what.length : 0;
}

Emulator::Emulator() {
    struct sigaction action {};
    action.sa_sigaction = on_illegal;
    action.sa_flags = SA_SIGINFO;
    sigaction(SIGILL, &action, &before_);
}

Emulator::~Emulator() {
    sigaction(SIGILL, &before_, nullptr);
}

}  // namespace tiles
