// The file is read once, into memory of its own: what is mapped dies with SIGBUS when the file is
// cut meanwhile.
#include <cerrno>
#include <stend/unet/onnx.hpp>
#include <system_error>
#include <utility>

#include "unet/onnx/file.h"
#include "unet/onnx/messages.h"
#include "unet/onnx/text.h"
#include "unet/onnx/translation.h"
#include "unet/onnx/weights.h"

namespace stend::unet {
namespace {

constexpr std::uint64_t most_bytes = (std::uint64_t{1} << 31U) - 1;  // protobuf's limit

std::string utf8(const std::filesystem::path& path) {
    const std::u8string text = path.u8string();
    return {text.begin(), text.end()};
}

[[noreturn]] void refuse(const std::filesystem::path& file, const std::string& why) {
    throw BadModel("The model " + onnx::quoted(utf8(file)) + " " + why + ".");
}

std::vector<std::byte> contents(const std::filesystem::path& file) {
    const onnx::Descriptor open = onnx::open(file, onnx::PathKind::file);
    if (!open.is_open())
        refuse(file, "can't be opened (" + std::generic_category().message(errno) + ")");
    const auto size = onnx::size_of_regular(open);
    if (!size) refuse(file, "is no regular file");
    if (*size > most_bytes)
        refuse(file, "has " + std::to_string(*size) + " bytes; ONNX files have at most " +
                         std::to_string(most_bytes) + ", with more weights beside them");
    std::vector<std::byte> bytes(static_cast<std::size_t>(*size));
    if (!onnx::read_at(open, 0, bytes.data(), bytes.size()))
        refuse(file, "became shorter while it was read");
    return bytes;
}

}  // namespace

OnnxModel read_onnx(const std::filesystem::path& file) {
    const std::filesystem::path folder = file.parent_path();
    return parse_onnx(contents(file), folder.empty() ? "." : folder);
}

OnnxModel parse_onnx(std::span<const std::byte> bytes, const std::filesystem::path& folder) {
    const onnx::File file = onnx::parse_file({bytes, 0});
    onnx::Weights weights(bytes.size(), folder);
    OnnxModel read{onnx::translated(file, weights), {}};
    for (const auto& [key, value] : file.properties)
        read.properties.push_back({onnx::valid(key), onnx::valid(value)});
    return read;
}

}  // namespace stend::unet
