// What is asked of where data lie, once a call: there are some, they can be addressed, and nothing
// is written over anything else that is written.
#pragma once

#include <cstddef>

namespace stend::tomo {

// outer × inner rows of `pixels` numbers of at most 32 bits each; strides in numbers.
struct RowsAt {
    const void* data;
    std::size_t outer, inner, pixels;
    std::ptrdiff_t outer_stride, inner_stride;
};

// Throw std::invalid_argument, with a sentence about `what`. Rows that are read may overlap. Of
// rows that are written one stride, either, goes at least past a row, and the other one past all
// that the first one counts. Where there are no rows, nothing is asked.
void check_read(const char* what, const RowsAt& rows);
void check_written(const char* what, const RowsAt& rows);

}  // namespace stend::tomo
