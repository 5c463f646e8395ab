// Files that a model says lie beside it. Comes in: the model's folder and what the model says; goes
// out: bytes of a regular file in that folder, or below, and of nothing else: no symbolic link is
// followed on the way.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string_view>
#include <vector>

namespace stend::unet::onnx {

class Folder {
public:
    explicit Folder(std::filesystem::path path) : path_(std::move(path)) {}

    // Throws BadModel.
    std::vector<std::byte> read(std::string_view location, std::uint64_t offset,
                                std::size_t count) const;

private:
    std::filesystem::path path_;
};

}  // namespace stend::unet::onnx
