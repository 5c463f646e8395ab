// Memory that vectors and buffers hold.
#pragma once

#include <cstddef>
#include <vector>

#include "buffers/buffer.h"

namespace stend::tomo {

template <typename T>
std::size_t bytes_of(const std::vector<T>& vector) {
    return vector.capacity() * sizeof(T);
}

template <typename T>
std::size_t bytes_of(const Buffer<T>& buffer) {
    return buffer.mapped_bytes();
}

// Of vectors that hold vectors: theirs, too.
template <typename T>
std::size_t bytes_of(const std::vector<std::vector<T>>& vectors) {
    std::size_t sum = vectors.capacity() * sizeof(std::vector<T>);
    for (const std::vector<T>& vector : vectors) sum += bytes_of(vector);
    return sum;
}

}  // namespace stend::tomo
