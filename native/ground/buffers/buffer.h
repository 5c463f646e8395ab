// Memory for a kernel's data, straight from the OS in whole pages, huge ones where it can.
// Pages come zeroed, and the thread that touches one first decides its NUMA node: filling
// is the kernel's business, on the threads that will use it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <span>
#include <string>
#include <type_traits>

namespace stend {

// Bytes of a huge page of x86-64, RISC-V and of AArch64 with 4-KiB pages. With larger base
// pages the kernel's huge page is larger too, and this only aligns.
inline constexpr std::size_t huge_page = std::size_t{2} << 20;

// The OS refused memory, or was asked for more than there is. what() is a sentence.
class OutOfMemory : public std::bad_alloc {
public:
    explicit OutOfMemory(std::string said)
        : said_(std::make_shared<const std::string>(std::move(said))) {}
    const char* what() const noexcept override { return said_->c_str(); }

private:
    std::shared_ptr<const std::string> said_;  // shared: copying an exception must not throw
};

// Bytes mapped anonymously; begins at a page, at a 2-MiB border when it is that long.
class Mapping {
public:
    Mapping() = default;
    // Throws OutOfMemory, before anything is touched, when this machine's memory can't
    // hold it beside the other live mappings of the process.
    explicit Mapping(std::size_t bytes);
    Mapping(Mapping&& other) noexcept;
    Mapping& operator=(Mapping&& other) noexcept;
    ~Mapping();

    std::byte* begin() const { return begin_; }
    std::size_t size() const { return size_; }

    // To be called when all was touched. Has the kernel gather what is still in small pages
    // and returns true when it says that every whole 2-MiB unit is now one huge page; false
    // when it is not, or when the kernel can't tell (Linux before 6.1).
    bool gather_huge_pages() const;

    // To be called before anything is touched. Has the kernel keep to small pages and returns
    // true when it says that it will, or that it has no others.
    bool forbid_huge_pages() const;

private:
    std::byte* begin_ = nullptr;
    std::size_t size_ = 0;
};

// `count` objects of T in a mapping of their own.
template <typename T>
class Buffer {
    static_assert(std::is_trivially_copyable_v<T> && std::is_trivially_destructible_v<T>);

public:
    Buffer() = default;
    explicit Buffer(std::size_t count) : mapping_(bytes(count)), count_(count) {}

    T* data() const { return reinterpret_cast<T*>(mapping_.begin()); }
    std::span<T> span() const { return {data(), count_}; }
    std::size_t mapped_bytes() const { return mapping_.size(); }
    bool gather_huge_pages() const { return mapping_.gather_huge_pages(); }
    bool forbid_huge_pages() const { return mapping_.forbid_huge_pages(); }

private:
    static std::size_t bytes(std::size_t count) {
        return count > SIZE_MAX / sizeof(T) ? SIZE_MAX : count * sizeof(T);
    }

    Mapping mapping_;
    std::size_t count_ = 0;
};

}  // namespace stend
