// The emulator of tile instructions: bytes as an assembler makes them (GNU as 2.40), with results
// that were worked out by hand.
#include <bit>
#include <cmath>
#include <cstring>
#include <initializer_list>
#include <limits>

#include "check.h"
#include "tiles.h"

using namespace tiles;

namespace {

enum Name { rax, rcx, rdx, rbx, rsp, rbp, rsi, rdi, r8, r9, r10, r11, r12, r13, r14, r15 };

// `a` rows and bytes of all tiles, as LDTILECFG reads it.
struct Configuration {
    std::uint8_t palette = 1, start_row = 0, reserved[14] = {};
    std::uint16_t bytes[16] = {};
    std::uint8_t rows[16] = {};

    Configuration(std::uint8_t all_rows, std::uint16_t all_bytes) {
        for (std::size_t i = 0; i < count; ++i) rows[i] = all_rows, bytes[i] = all_bytes;
    }
};

struct Machine {
    Tiles tiles{};
    Registers registers{};

    template <std::size_t length>
    std::size_t run(const std::uint8_t (&code)[length]) {
        return carry_out(code, registers, tiles);
    }

    template <typename T>
    void point(Name name, T* at) {
        registers.general[name] = reinterpret_cast<std::uint64_t>(at);
    }

    void configure(const Configuration& configuration) {
        point(rcx, &configuration);
        const std::uint8_t ldtilecfg_rcx[] = {0xc4, 0xe2, 0x78, 0x49, 0x01};
        CHECK(run(ldtilecfg_rcx) == 5);
    }

    void put(std::size_t tile, std::size_t row, std::size_t column, std::uint16_t number) {
        std::memcpy(tiles.tile[tile].data[row] + 2 * column, &number, sizeof number);
    }

    float sum(std::size_t tile, std::size_t row, std::size_t column) const {
        float value;
        std::memcpy(&value, tiles.tile[tile].data[row] + 4 * column, sizeof value);
        return value;
    }

    void put_sum(std::size_t tile, std::size_t row, std::size_t column, float value) {
        std::memcpy(tiles.tile[tile].data[row] + 4 * column, &value, sizeof value);
    }
};

std::uint16_t bfloat16(float exact) {
    return static_cast<std::uint16_t>(std::bit_cast<std::uint32_t>(exact) >> 16);
}

constexpr std::uint8_t tdpbf16ps_5_4_3[] = {0xc4, 0xe2, 0x62, 0x5c, 0xec};

void a_configuration_gives_tiles_their_size_and_zeros() {
    Machine machine;
    std::memset(&machine.tiles.tile, 7, sizeof machine.tiles.tile);
    Configuration configuration(3, 8);
    configuration.rows[5] = 16;
    configuration.bytes[5] = 64;
    machine.configure(configuration);
    CHECK(machine.tiles.configured);
    CHECK(machine.tiles.tile[4].rows == 3 && machine.tiles.tile[4].bytes == 8);
    CHECK(machine.tiles.tile[5].rows == 16 && machine.tiles.tile[5].bytes == 64);
    CHECK(machine.tiles.tile[5].data[15][63] == 0);
}

void a_configuration_is_found_behind_any_operand() {
    Machine machine;
    alignas(64) std::uint8_t code[128] = {0xc4, 0xe2, 0x78, 0x49, 0x05, 0x37, 0, 0, 0};  // RIP
    const Configuration configuration(2, 4);
    std::memcpy(code + 9 + 0x37, &configuration, sizeof configuration);
    CHECK(machine.run(code) == 9);
    CHECK(machine.tiles.tile[0].rows == 2);

    const Configuration other(9, 4);
    machine.point(r14, &other + 1);
    const std::uint8_t before_r14[] = {0xc4, 0xc2, 0x78, 0x49, 0x46, 0xc0};  // -64(%r14)
    CHECK(machine.run(before_r14) == 6);
    CHECK(machine.tiles.tile[7].rows == 9);
}

void bad_configurations_are_refused() {
    Machine machine;
    const std::uint8_t ldtilecfg_rcx[] = {0xc4, 0xe2, 0x78, 0x49, 0x01};
    Configuration too_high(17, 64), too_wide(16, 65), unknown(16, 64);
    unknown.palette = 2;
    for (const Configuration* bad : {&too_high, &too_wide, &unknown}) {
        machine.point(rcx, bad);
        CHECK(machine.run(ldtilecfg_rcx) == 0);
    }
}

void a_released_tile_is_not_to_be_used() {
    Machine machine;
    const std::uint8_t tilezero_5[] = {0xc4, 0xe2, 0x7b, 0x49, 0xe8},
                       tilerelease[] = {0xc4, 0xe2, 0x78, 0x49, 0xc0};
    CHECK(machine.run(tilezero_5) == 0);
    machine.configure({16, 64});
    CHECK(machine.run(tilezero_5) == 5);
    CHECK(machine.run(tilerelease) == 5);
    CHECK(!machine.tiles.configured);
    CHECK(machine.run(tilezero_5) == 0);
    CHECK(machine.run(tdpbf16ps_5_4_3) == 0);
}

void only_the_tile_named_becomes_zero() {
    Machine machine;
    machine.configure({16, 64});
    for (Tile& tile : machine.tiles.tile) std::memset(tile.data, 1, sizeof tile.data);
    const std::uint8_t tilezero_5[] = {0xc4, 0xe2, 0x7b, 0x49, 0xe8};
    CHECK(machine.run(tilezero_5) == 5);
    for (std::size_t i = 0; i < count; ++i)
        CHECK(machine.tiles.tile[i].data[15][63] == (i == 5 ? 0 : 1));
}

void rows_are_loaded_and_stored_a_stride_apart() {
    Machine machine;
    machine.configure({2, 4});
    std::memset(machine.tiles.tile[2].data, 9, sizeof machine.tiles.tile[2].data);
    const char from[] = "abcdefghijkl";
    machine.point(rcx, from);
    machine.registers.general[rdx] = 6;
    const std::uint8_t tileloadd_2[] = {0xc4, 0xe2, 0x7b, 0x4b, 0x14, 0x11};  // (%rcx,%rdx)
    CHECK(machine.run(tileloadd_2) == 6);
    CHECK(std::memcmp(machine.tiles.tile[2].data[0], "abcd\0\0", 6) == 0);
    CHECK(std::memcmp(machine.tiles.tile[2].data[1], "ghij\0\0", 6) == 0);
    CHECK(machine.tiles.tile[2].data[2][0] == 0);

    const std::uint8_t tileloadd_2_alone[] = {0xc4, 0xe2, 0x7b, 0x4b, 0x14, 0x21};  // (%rcx)
    CHECK(machine.run(tileloadd_2_alone) == 6);
    CHECK(std::memcmp(machine.tiles.tile[2].data[1], "abcd", 4) == 0);

    const std::uint8_t tileloadd_7[] = {0xc4, 0x82, 0x7b, 0x4b, 0xbc,
                                        0x4c, 0x00, 0x04, 0x00, 0x00};  // 0x400(%r12,%r9,2)
    machine.registers.general[r12] = reinterpret_cast<std::uint64_t>(from) - 0x400;
    machine.registers.general[r9] = 3;
    CHECK(machine.run(tileloadd_7) == 10);
    CHECK(std::memcmp(machine.tiles.tile[7].data[1], "ghij", 4) == 0);

    char to[] = "............";
    std::memcpy(machine.tiles.tile[5].data[0], "ABCD", 4);
    std::memcpy(machine.tiles.tile[5].data[1], "EFGH", 4);
    machine.registers.general[r13] = reinterpret_cast<std::uint64_t>(to) + 8;
    machine.registers.general[rax] = 5;
    const std::uint8_t tilestored_5[] = {0xc4, 0xc2, 0x7a, 0x4b, 0x6c, 0x05, 0xf8};
    CHECK(machine.run(tilestored_5) == 7);
    CHECK(std::strcmp(to, "ABCD.EFGH...") == 0);
}

// A tile's rows are found by the SIB byte's index; without that byte the processor raises #UD.
void moves_without_a_sib_byte_are_refused() {
    Machine machine;
    machine.configure({2, 4});
    char memory[8] = {};
    machine.point(rcx, memory);
    const std::uint8_t load[] = {0xc4, 0xe2, 0x7b, 0x4b, 0x11, 0x90},
                       store[] = {0xc4, 0xe2, 0x7a, 0x4b, 0x51, 0x00};
    CHECK(machine.run(load) == 0);
    CHECK(machine.run(store) == 0);
}

// A row of pairs by a column of pairs.
void products_of_pairs_are_added() {
    Machine machine;
    machine.configure({2, 8});
    const float a[2][4] = {{1, 2, 3, 4}, {-1, 0.5F, 0, 8}};
    const float b[2][4] = {{5, 6, 7, 8}, {9, 10, 11, 12}};  // pairs of columns side by side
    for (std::size_t row = 0; row < 2; ++row)
        for (std::size_t i = 0; i < 4; ++i) {
            machine.put(4, row, i, bfloat16(a[row][i]));
            machine.put(3, row, i, bfloat16(b[row][i]));
        }
    machine.put_sum(5, 0, 1, 1000);
    CHECK(machine.run(tdpbf16ps_5_4_3) == 5);
    CHECK(machine.sum(5, 0, 0) == 1 * 5 + 2 * 6 + 3 * 9 + 4 * 10);
    CHECK(machine.sum(5, 0, 1) == 1000 + 1 * 7 + 2 * 8 + 3 * 11 + 4 * 12);
    CHECK(machine.sum(5, 1, 0) == -1 * 5 + 0.5F * 6 + 8 * 10);
    CHECK(machine.sum(5, 1, 1) == -1 * 7 + 0.5F * 8 + 8 * 12);
}

// 2^24 + 1 is no float: the tie goes to the even one. Even and odd numbers are summed apart.
void sums_are_rounded_to_the_nearest_even() {
    Machine machine;
    machine.configure({2, 8});
    const float large = 16777216, a[4] = {large, 1, 0, 1};
    for (std::size_t i = 0; i < 4; ++i) machine.put(4, 0, i, bfloat16(a[i]));
    for (std::size_t row = 0; row < 2; ++row)
        for (std::size_t i = 0; i < 2; ++i) machine.put(3, row, i, bfloat16(1));
    CHECK(machine.run(tdpbf16ps_5_4_3) == 5);
    CHECK(machine.sum(5, 0, 0) == large + 2);  // one by one it would be `large`

    machine.put(4, 0, 2, bfloat16(1));  // the even ones: large + 1, a tie; the odd ones: 2
    machine.put_sum(5, 0, 0, 0);
    CHECK(machine.run(tdpbf16ps_5_4_3) == 5);
    CHECK(machine.sum(5, 0, 0) == large + 2);
}

void denormal_numbers_are_zero() {
    constexpr float smallest = std::numeric_limits<float>::min();
    Machine machine;
    machine.configure({1, 4});
    machine.put(4, 0, 0, bfloat16(smallest / 2));
    machine.put(3, 0, 0, bfloat16(1024));
    CHECK(machine.run(tdpbf16ps_5_4_3) == 5);
    CHECK(machine.sum(5, 0, 0) == 0);  // an input

    machine.put(4, 0, 0, bfloat16(smallest));
    machine.put(3, 0, 0, bfloat16(0.5F));
    CHECK(machine.run(tdpbf16ps_5_4_3) == 5);
    CHECK(machine.sum(5, 0, 0) == 0);  // a product

    machine.put_sum(5, 0, 0, smallest / 4);
    CHECK(machine.run(tdpbf16ps_5_4_3) == 5);
    CHECK(machine.sum(5, 0, 0) == 0);  // a sum
}

void shapes_that_do_not_fit_are_refused() {
    Machine machine;
    Configuration configuration(16, 64);
    configuration.rows[3] = 15;
    machine.configure(configuration);
    CHECK(machine.run(tdpbf16ps_5_4_3) == 0);
    const std::uint8_t tdpbf16ps_5_4_4[] = {0xc4, 0xe2, 0x5a, 0x5c, 0xec};
    CHECK(machine.run(tdpbf16ps_5_4_4) == 0);
}

void other_instructions_are_left_alone() {
    Machine machine;
    machine.configure({16, 64});
    const std::uint8_t tdpbssd[] = {0xc4, 0xe2, 0x63, 0x5e, 0xec},
                       tileloaddt1[] = {0xc4, 0xe2, 0x79, 0x4b, 0x14, 0x11},
                       ud2[] = {0x0f, 0x0b, 0x90, 0x90, 0x90};
    CHECK(machine.run(tdpbssd) == 0);
    CHECK(machine.run(tileloaddt1) == 0);
    CHECK(machine.run(ud2) == 0);
}

}  // namespace

int main() {
    a_configuration_gives_tiles_their_size_and_zeros();
    a_configuration_is_found_behind_any_operand();
    bad_configurations_are_refused();
    a_released_tile_is_not_to_be_used();
    only_the_tile_named_becomes_zero();
    rows_are_loaded_and_stored_a_stride_apart();
    moves_without_a_sib_byte_are_refused();
    products_of_pairs_are_added();
    sums_are_rounded_to_the_nearest_even();
    denormal_numbers_are_zero();
    shapes_that_do_not_fit_are_refused();
    other_instructions_are_left_alone();
    return 0;
}
