// Spans of rows, counted so that nothing overflows.
#include "tomo/views.h"

#include <cstdint>
#include <string>

#include "tomo/checks.h"

namespace stend::tomo {
namespace {

// Numbers that a program can address.
constexpr std::size_t most_numbers = PTRDIFF_MAX / sizeof(float);

std::size_t magnitude(std::ptrdiff_t stride) {
    return stride < 0 ? std::size_t{0} - static_cast<std::size_t>(stride)
                      : static_cast<std::size_t>(stride);
}

// From the first to the last number of `count` pieces of `piece` numbers, at most most_numbers + 1.
std::size_t span_of(std::size_t count, std::ptrdiff_t stride, std::size_t piece) {
    std::size_t span = 0;
    const bool over = __builtin_mul_overflow(count - 1, magnitude(stride), &span) ||
                      __builtin_add_overflow(span, piece, &span);
    return over || span > most_numbers ? most_numbers + 1 : span;
}

bool goes_past(std::size_t count, std::ptrdiff_t stride, std::size_t piece) {
    return count == 1 || magnitude(stride) >= piece;
}

bool is_nothing(const RowsAt& rows) {
    return rows.outer == 0 || rows.inner == 0 || rows.pixels == 0;
}

std::string strides_of(const RowsAt& rows) {
    return std::to_string(rows.outer) + " × " + std::to_string(rows.inner) + " rows of " +
           std::to_string(rows.pixels) + " at strides of " + std::to_string(rows.outer_stride) +
           " and " + std::to_string(rows.inner_stride);
}

}  // namespace

void check_read(const char* what, const RowsAt& rows) {
    if (is_nothing(rows)) return;
    if (rows.data == nullptr) refuse(std::string(what) + " have no data: their address is null.");
    const std::size_t inner = span_of(rows.inner, rows.inner_stride, rows.pixels);
    if (span_of(rows.outer, rows.outer_stride, inner) > most_numbers)
        refuse(std::string(what) + ", " + strides_of(rows) +
               ", reach beyond what can be addressed.");
}

void check_written(const char* what, const RowsAt& rows) {
    if (is_nothing(rows)) return;
    check_read(what, rows);
    const std::size_t inner = span_of(rows.inner, rows.inner_stride, rows.pixels);
    const std::size_t outer = span_of(rows.outer, rows.outer_stride, rows.pixels);
    const bool one_by_one = goes_past(rows.inner, rows.inner_stride, rows.pixels) &&
                            goes_past(rows.outer, rows.outer_stride, inner);
    const bool in_turns = goes_past(rows.outer, rows.outer_stride, rows.pixels) &&
                          goes_past(rows.inner, rows.inner_stride, outer);
    if (!one_by_one && !in_turns)
        refuse(std::string(what) + ", " + strides_of(rows) + ", would be written over each other.");
}

}  // namespace stend::tomo
