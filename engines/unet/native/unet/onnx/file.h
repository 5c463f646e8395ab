// An open file or folder, and bytes of it: file.cpp for Linux and macOS, file_windows.cpp.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>

namespace stend::unet::onnx {

// As the system numbers it: a handle on Windows, whose value for none is the same.
class Descriptor {
public:
    using Number = std::intptr_t;
    static constexpr Number none = -1;

    explicit Descriptor(Number number) : number_(number) {}
    Descriptor(Descriptor&& other) noexcept : number_(std::exchange(other.number_, none)) {}
    Descriptor& operator=(Descriptor&& other) noexcept {
        std::swap(number_, other.number_);
        return *this;
    }
    ~Descriptor();

    bool is_open() const { return number_ != none; }
    Number number() const { return number_; }

private:
    Number number_;
};

enum class PathKind { file, folder };

// All wait for nobody (a FIFO's writer). When what they give is not open, errno says why. A folder
// may be opened as a file: it is no regular one.
Descriptor open(const std::filesystem::path& path, PathKind kind);

// What has this name in a folder, in UTF-8, and is no link: then errno is ELOOP or ENOTDIR.
Descriptor open_in(const Descriptor& folder, const std::string& name, PathKind kind);

// Bytes of an open file; nothing when it isn't a regular one.
std::optional<std::uint64_t> size_of_regular(const Descriptor& file);

// `count` bytes from `offset`; false when the file has fewer.
bool read_at(const Descriptor& file, std::uint64_t offset, std::byte* to, std::size_t count);

}  // namespace stend::unet::onnx
