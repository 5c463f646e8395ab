// mmap, aligned by cutting off what sticks out, and the count of what is mapped.
#include "buffers/buffer.h"

#include <sys/mman.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <utility>

namespace stend {
namespace {

constexpr int collapse = 25;  // MADV_COLLAPSE, Linux 6.1; Debian 12's headers lack it

std::atomic<std::size_t> mapped{0};

std::size_t physical_memory() {
    return static_cast<std::size_t>(sysconf(_SC_PHYS_PAGES)) *
           static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
}

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

std::byte* mapped_pages(std::size_t bytes) {
    void* const pages =
        mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (pages == MAP_FAILED)
        throw OutOfMemory("The system refused an array of " + gigabytes(bytes) + " (" +
                          std::strerror(errno) +
                          "); ask for a smaller size, or raise its limit "
                          "(`ulimit -v`).");
    return static_cast<std::byte*>(pages);
}

void cut(std::byte* begin, std::size_t bytes) {
    if (bytes > 0) munmap(begin, bytes);
}

std::size_t rounded_up(std::size_t bytes) {
    const std::size_t unit =
        bytes < huge_page ? static_cast<std::size_t>(sysconf(_SC_PAGESIZE)) : huge_page;
    return (bytes + unit - 1) / unit * unit;
}

std::byte* aligned_pages(std::size_t bytes) {
    if (bytes < huge_page) return mapped_pages(bytes);
    std::byte* const whole = mapped_pages(bytes + huge_page);
    const std::size_t before = -reinterpret_cast<std::uintptr_t>(whole) % huge_page;
    cut(whole, before);
    cut(whole + before + bytes, huge_page - before);
    madvise(whole + before, bytes, MADV_HUGEPAGE);
    return whole + before;
}

}  // namespace

Mapping::Mapping(std::size_t bytes) {
    if (bytes == 0) return;
    require_room(bytes);
    const std::size_t size = rounded_up(bytes);
    begin_ = aligned_pages(size);
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
    cut(begin_, size_);
    mapped -= size_;
}

bool Mapping::gather_huge_pages() const {
    return size_ >= huge_page && madvise(begin_, size_, collapse) == 0;
}

// A kernel that was built without huge pages doesn't know the request: EINVAL.
bool Mapping::forbid_huge_pages() const {
    return madvise(begin_, size_, MADV_NOHUGEPAGE) == 0 || errno == EINVAL;
}

}  // namespace stend
