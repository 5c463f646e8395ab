// Files that a model says lie beside it. Comes in: the model's folder and what the model says; goes
// out: bytes of a regular file in that folder, or below, and of nothing else: no symbolic link is
// followed on the way.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace stend::unet::onnx {

// An open file or folder.
class Descriptor {
public:
    explicit Descriptor(int number) : number_(number) {}
    Descriptor(Descriptor&& other) noexcept : number_(other.number_) { other.number_ = -1; }
    Descriptor& operator=(Descriptor&& other) noexcept;
    ~Descriptor();

    bool is_open() const { return number_ >= 0; }
    int number() const { return number_; }

private:
    int number_;
};

// Bytes of an open file; nothing when it isn't a regular one.
std::optional<std::uint64_t> size_of_regular(const Descriptor& file);

// `count` bytes from `offset`; false when the file has fewer.
bool read_at(const Descriptor& file, std::uint64_t offset, std::byte* to, std::size_t count);

class Folder {
public:
    explicit Folder(std::filesystem::path path) : path_(std::move(path)) {}

    // Throws BadModel.
    std::vector<std::byte> read(std::string_view location, std::uint64_t offset,
                                std::size_t count) const;

private:
    Descriptor open(std::string_view location) const;

    std::filesystem::path path_;
};

}  // namespace stend::unet::onnx
