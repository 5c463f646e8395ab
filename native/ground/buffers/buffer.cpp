// How much is mapped, and what is refused before it is.
#include "buffers/buffer.h"

#include <atomic>
#include <cstdio>
#include <utility>

#include "buffers/pages.h"

namespace stend {
namespace {

std::atomic<std::size_t> mapped{0};

std::string gigabytes(std::size_t bytes) {
    char text[32];
    std::snprintf(text, sizeof text, "%.3g GB", static_cast<double>(bytes) / 1e9);
    return text;
}

void require_room(std::size_t bytes) {
    const std::size_t there = physical_memory(), taken = mapped.load();
    if (bytes <= there && taken <= there - bytes) return;
    throw OutOfMemory("An array of " + gigabytes(bytes) + " does not fit: this machine has " +
                      gigabytes(there) + " of memory, of which this process has taken " +
                      gigabytes(taken) + "; ask for a smaller size.");
}

std::byte* aligned_pages(std::size_t bytes, std::size_t unit) {
    if (std::byte* const pages = map_pages(bytes, unit)) return pages;
    const std::string why = pages_refused();
    throw OutOfMemory("The system refused an array of " + gigabytes(bytes) + " " + why);
}

}  // namespace

Mapping::Mapping(std::size_t bytes) {
    if (bytes == 0) return;
    require_room(bytes);
    const std::size_t unit = bytes < huge_page ? page_bytes() : huge_page;
    const std::size_t size = (bytes + unit - 1) / unit * unit;
    begin_ = aligned_pages(size, unit);
    size_ = size;
    mapped += size;
}

Mapping::Mapping(Mapping&& other) noexcept
    : begin_(std::exchange(other.begin_, nullptr)), size_(std::exchange(other.size_, 0)) {}

Mapping& Mapping::operator=(Mapping&& other) noexcept {
    std::swap(begin_, other.begin_);
    std::swap(size_, other.size_);
    return *this;
}

Mapping::~Mapping() {
    unmap_pages(begin_, size_);
    mapped -= size_;
}

bool Mapping::gather_huge_pages() const {
    return size_ >= huge_page && stend::gather_huge_pages(begin_, size_);
}

bool Mapping::forbid_huge_pages() const {
    return stend::forbid_huge_pages(begin_, size_);
}

}  // namespace stend
