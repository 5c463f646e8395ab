// mmap, aligned by cutting off what sticks out. Only Linux is asked about huge pages: macOS gives
// none to programs for Apple's processors, whose ordinary pages are of 16 KiB.
#include "buffers/pages.h"

#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstring>

namespace stend {
namespace {

void cut(std::byte* begin, std::size_t bytes) {
    if (bytes > 0) munmap(begin, bytes);
}

}  // namespace

std::size_t page_bytes() {
    return static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
}

std::size_t physical_memory() {
    return static_cast<std::size_t>(sysconf(_SC_PHYS_PAGES)) * page_bytes();
}

std::byte* map_pages(std::size_t bytes, std::size_t alignment) {
    const std::size_t spare = alignment > page_bytes() ? alignment : 0;
    void* const pages =
        mmap(nullptr, bytes + spare, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (pages == MAP_FAILED) return nullptr;
    auto* const whole = static_cast<std::byte*>(pages);
    if (spare == 0) return whole;
    const std::size_t before = -reinterpret_cast<std::uintptr_t>(whole) % alignment;
    cut(whole, before);
    cut(whole + before + bytes, alignment - before);
#if defined(__linux__)
    madvise(whole + before, bytes, MADV_HUGEPAGE);
#endif
    return whole + before;
}

std::string pages_refused() {
    return std::string("(") + std::strerror(errno) +
           "); ask for a smaller size, or raise its limit (`ulimit -v`).";
}

void unmap_pages(std::byte* begin, std::size_t bytes) {
    cut(begin, bytes);
}

#if defined(__linux__)
constexpr int collapse = 25;  // MADV_COLLAPSE, Linux 6.1; Debian 12's headers lack it

bool gather_huge_pages(std::byte* begin, std::size_t bytes) {
    return madvise(begin, bytes, collapse) == 0;
}

// A kernel that was built without huge pages doesn't know the request: EINVAL.
bool forbid_huge_pages(std::byte* begin, std::size_t bytes) {
    return madvise(begin, bytes, MADV_NOHUGEPAGE) == 0 || errno == EINVAL;
}
#else
bool gather_huge_pages(std::byte*, std::size_t) {
    return false;
}

bool forbid_huge_pages(std::byte*, std::size_t) {
    return true;
}
#endif

}  // namespace stend
