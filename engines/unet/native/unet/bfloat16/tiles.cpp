// Products on AMX: tiles of 16 rows of 64 bytes, two of pixels by two of weights into four of sums,
// so that each tile that is loaded is multiplied twice. TDPBF16PS takes 16 cycles, a load 8.
#if defined(__x86_64__)

#include "unet/bfloat16/tiles.h"

#include <immintrin.h>

#include <stdexcept>

#include "isa/target.h"
#include "unet/bfloat16/edges.h"
#include "unet/bfloat16/products.h"
#include "unet/variants.h"

namespace stend::unet::bfloat16 {
namespace {

// The memory operand of LDTILECFG (Intel SDM vol. 1, 18.2): palette 1, eight tiles as large as they
// can be.
struct alignas(64) Configuration {
    std::uint8_t palette = 1, start_row = 0, reserved[14] = {};
    std::uint16_t row_bytes[16] = {64, 64, 64, 64, 64, 64, 64, 64};
    std::uint8_t rows[16] = {16, 16, 16, 16, 16, 16, 16, 16};
};
static_assert(sizeof(Configuration) == 64);
constexpr Configuration configuration;

constexpr int stride = 64;  // bytes from a pixel to the next, and from a row of a matrix too
constexpr std::size_t tile = matrix / 2;

// Weights are read once a unit from the second cache; so far ahead they are asked for.
constexpr std::size_t ahead = 2 * matrix, line = 64 / sizeof(Number);

STEND_INLINE void ask_for(const Number* weights) {
    for (std::size_t at = 0; at < matrix; at += line) __builtin_prefetch(weights + ahead + at);
}

STEND_FOR("amx-tile,amx-bf16")

void configure() noexcept {
    _tile_loadconfig(&configuration);
}

void release() noexcept {
    _tile_release();
}

// Tiles 0 to 3 are sums, 4 and 5 the rows of pixels, 6 and 7 the halves of a matrix.
STEND_INLINE void clear_sums() {
    _tile_zero(0);
    _tile_zero(1);
    _tile_zero(2);
    _tile_zero(3);
}

STEND_INLINE void multiply_tiles() {
    _tile_dpbf16ps(0, 4, 6);
    _tile_dpbf16ps(1, 4, 7);
    _tile_dpbf16ps(2, 5, 6);
    _tile_dpbf16ps(3, 5, 7);
}

STEND_INLINE void load_matrix(const Number* weights) {
    _tile_loadd(6, weights, stride);
    _tile_loadd(7, weights + tile, stride);
}

STEND_INLINE void load_pixels(const Number* plane, const Product& product, std::ptrdiff_t tap) {
    _tile_loadd(4, plane + product.row[0] + tap, stride);
    _tile_loadd(5, plane + product.row[1] + tap, stride);
}

STEND_INLINE void store_sums(float* sums) {
    constexpr std::size_t floats = 256;
    _tile_stored(0, sums, stride);
    _tile_stored(1, sums + floats, stride);
    _tile_stored(2, sums + 2 * floats, stride);
    _tile_stored(3, sums + 3 * floats, stride);
}

void multiply(const Product& product) noexcept {
    clear_sums();
    const Number* weights = product.weights;
    for (std::size_t plane = 0; plane < product.count; ++plane)
        for (std::size_t tap = 0; tap < product.tap_count; ++tap, weights += matrix) {
            load_matrix(weights);
            load_pixels(product.planes[plane], product, product.taps[tap]);
            ask_for(weights);
            multiply_tiles();
        }
    store_sums(product.sums);
}

// Small products first: low by high, high by high, high by low. Low by low is below the rounding of
// what they are kept in.
void multiply_x3(const Product& product) noexcept {
    clear_sums();
    const Number* weights = product.weights;
    for (std::size_t plane = 0; plane < product.count; ++plane)
        for (std::size_t tap = 0; tap < product.tap_count; ++tap, weights += 2 * matrix) {
            load_matrix(weights);
            load_pixels(product.planes[product.count + plane], product, product.taps[tap]);
            ask_for(weights);
            multiply_tiles();
            load_pixels(product.planes[plane], product, product.taps[tap]);
            multiply_tiles();
            load_matrix(weights + matrix);
            ask_for(weights + matrix);
            multiply_tiles();
        }
    store_sums(product.sums);
}

STEND_FOR_ANY

// Of a second cache of 2 MiB, as every processor with AMX has had.
constexpr std::size_t block_bytes = std::size_t{768} << 10;

constexpr Multiplier once{configure, multiply, release, block_bytes};
constexpr Multiplier thrice{configure, multiply_x3, release, block_bytes};

template <std::size_t parts>
blocked::Made convolution(const blocked::Stage& stage, unsigned threads, blocked::Workspace&) {
    return products<parts>(stage, threads, parts == 1 ? once : thrice);
}

template <std::size_t parts>
constexpr blocked::Kernels kernels{
    .form = {.channels = 32, .parts = parts},
    .first = first<parts>,
    .convolution3 = convolution<parts>,
    .convolution1 = convolution<parts>,
    .last = last<parts>,
    .transposed = convolution<parts>,
    .pooling = pooling<parts>,
    .enter = enter<parts>,
    .leave = leave<parts>,
};

void ask_permission() {
    const std::string why = isa::allow_tiles();
    if (!why.empty()) throw std::invalid_argument("The tile registers can't be used: " + why + ".");
}

}  // namespace

std::unique_ptr<Engine> on_tiles(const Plan& plan) {
    return blocked::make(plan, kernels<1>);
}

std::unique_ptr<Engine> on_tiles_x3(const Plan& plan) {
    return blocked::make(plan, kernels<2>);
}

std::unique_ptr<Engine> make_amx(const Plan& plan) {
    ask_permission();
    return on_tiles(plan);
}

std::unique_ptr<Engine> make_amx_x3(const Plan& plan) {
    ask_permission();
    return on_tiles_x3(plan);
}

}  // namespace stend::unet::bfloat16
#endif
