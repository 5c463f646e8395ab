// Tile instructions on a processor without them: what such an instruction raises (SIGILL) is
// caught, the instruction is read and carried out on tiles in memory, one set a thread, and the
// program goes on after it. Known are those that the engine's variants consist of: LDTILECFG,
// TILERELEASE, TILEZERO, TILELOADD, TILESTORED and TDPBF16PS (Intel SDM vol. 2). Any other ends the
// program, as it would without this.
#pragma once

#include <csignal>
#include <cstddef>
#include <cstdint>

namespace tiles {

inline constexpr std::size_t count = 8, most_rows = 16, row_bytes = 64;

struct Tile {
    std::size_t rows, bytes;  // as configured; 0: not to be used
    alignas(64) std::uint8_t data[most_rows][row_bytes];
};

// What a thread has.
struct Tiles {
    bool configured;
    Tile tile[count];
    std::uint64_t products, configurations;  // carried out until now
};
Tiles& of_this_thread();

// A general register's value by its number: 0 RAX, 1 RCX, … 15 R15.
struct Registers {
    std::uint64_t general[16];
};

// Carries out the instruction at `code`; returns its length, 0 if it is none of those above or one
// that the manual forbids in the state that the tiles are in.
std::size_t carry_out(const std::uint8_t* code, const Registers& registers, Tiles& tiles);

// Catches SIGILL as long as it lives, in all threads.
class Emulator {
public:
    Emulator();
    Emulator(const Emulator&) = delete;
    Emulator& operator=(const Emulator&) = delete;
    ~Emulator();

private:
    struct sigaction before_;
};

}  // namespace tiles
