// Each folder on the way is opened in the one before it.
#include "unet/onnx/folder.h"

#include <cerrno>
#include <stend/unet/onnx.hpp>
#include <system_error>

#include "unet/onnx/file.h"
#include "unet/onnx/text.h"

namespace stend::unet::onnx {
namespace {

[[noreturn]] void refuse(std::string_view location, const std::string& why) {
    throw BadModel("The weights are said to be in the file " + quoted(location) + ", but " + why +
                   ".");
}

[[noreturn]] void refuse_open(std::string_view location, int error) {
    if (error == ELOOP || error == ENOTDIR)
        refuse(location, "a symbolic link or something else than a folder is on the way");
    refuse(location, "it can't be opened (" + std::generic_category().message(error) + ")");
}

Descriptor open_below(const std::filesystem::path& folder, std::string_view location) {
    if (folder.empty()) refuse(location, "a model that is read from memory has no folder");
    if (location.empty() || location.front() == '/' ||
        location.find('\0') != std::string_view::npos)
        refuse(location, "that is no path within the model's folder");
    Descriptor at = open(folder, PathKind::folder);
    if (!at.is_open()) refuse_open(location, errno);
    for (std::string_view left = location; !left.empty();) {
        const std::size_t slash = left.find('/');
        const std::string part(left.substr(0, slash));
        const bool last = slash == std::string_view::npos;
        left.remove_prefix(last ? left.size() : slash + 1);
        if (part == ".." || (last && part == "."))
            refuse(location, "that is no path within the model's folder");
        at = open_in(at, part.empty() ? "." : part, last ? PathKind::file : PathKind::folder);
        if (!at.is_open()) refuse_open(location, errno);
    }
    return at;
}

}  // namespace

std::vector<std::byte> Folder::read(std::string_view location, std::uint64_t offset,
                                    std::size_t count) const {
    const Descriptor file = open_below(path_, location);
    const auto size = size_of_regular(file);
    if (!size) refuse(location, "that is no regular file");
    if (offset > *size || count > *size - offset)
        refuse(location, "it has " + std::to_string(*size) + " bytes; " + std::to_string(count) +
                             " from byte " + std::to_string(offset) + " on are needed");
    std::vector<std::byte> bytes(count);
    if (!read_at(file, offset, bytes.data(), count))
        refuse(location, "it became shorter while it was read");
    return bytes;
}

}  // namespace stend::unet::onnx
