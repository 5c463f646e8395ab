// Each folder on the way is opened from the one before it (openat), so that nothing that is
// exchanged meanwhile leads elsewhere.
#include "unet/onnx/folder.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <stend/unet/onnx.hpp>
#include <system_error>

#include "unet/onnx/text.h"

namespace stend::unet::onnx {
namespace {

// Opening waits for nobody (a FIFO's writer), and no terminal becomes this process's own.
constexpr int cautiously = O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY;

[[noreturn]] void refuse(std::string_view location, const std::string& why) {
    throw BadModel("The weights are said to be in the file " + quoted(location) + ", but " + why +
                   ".");
}

[[noreturn]] void refuse_open(std::string_view location, int error) {
    if (error == ELOOP || error == ENOTDIR)
        refuse(location, "a symbolic link or something else than a folder is on the way");
    refuse(location, "it can't be opened (" + std::generic_category().message(error) + ")");
}

}  // namespace

Descriptor& Descriptor::operator=(Descriptor&& other) noexcept {
    std::swap(number_, other.number_);
    return *this;
}

Descriptor::~Descriptor() {
    if (is_open()) ::close(number_);
}

std::optional<std::uint64_t> size_of_regular(const Descriptor& file) {
    struct stat status {};
    if (::fstat(file.number(), &status) != 0 || !S_ISREG(status.st_mode)) return std::nullopt;
    return static_cast<std::uint64_t>(status.st_size);
}

bool read_at(const Descriptor& file, std::uint64_t offset, std::byte* to, std::size_t count) {
    while (count > 0) {
        const ssize_t got = ::pread(file.number(), to, count, static_cast<off_t>(offset));
        if (got < 0 && errno == EINTR) continue;
        if (got <= 0) return false;
        offset += static_cast<std::uint64_t>(got);
        to += got;
        count -= static_cast<std::size_t>(got);
    }
    return true;
}

Descriptor Folder::open(std::string_view location) const {
    if (path_.empty()) refuse(location, "a model that is read from memory has no folder");
    if (location.empty() || location.front() == '/' ||
        location.find('\0') != std::string_view::npos)
        refuse(location, "that is no path within the model's folder");
    Descriptor at(::open(path_.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
    if (!at.is_open()) refuse_open(location, errno);
    for (std::string_view left = location; !left.empty();) {
        const std::size_t slash = left.find('/');
        const std::string part(left.substr(0, slash));
        const bool last = slash == std::string_view::npos;
        left.remove_prefix(last ? left.size() : slash + 1);
        if (part == ".." || (last && part == "."))
            refuse(location, "that is no path within the model's folder");
        const int kind = last ? O_RDONLY : O_PATH | O_DIRECTORY;
        at =
            Descriptor(::openat(at.number(), part.empty() ? "." : part.c_str(), kind | cautiously));
        if (!at.is_open()) refuse_open(location, errno);
    }
    return at;
}

std::vector<std::byte> Folder::read(std::string_view location, std::uint64_t offset,
                                    std::size_t count) const {
    const Descriptor file = open(location);
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
