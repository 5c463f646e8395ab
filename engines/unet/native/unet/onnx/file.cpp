// What is in a folder is opened from the folder (openat), so that nothing that is exchanged
// meanwhile leads elsewhere.
#include "unet/onnx/file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

namespace stend::unet::onnx {
namespace {

// Opening waits for nobody (a FIFO's writer), and no terminal becomes this process's own.
constexpr int cautiously = O_CLOEXEC | O_NONBLOCK | O_NOCTTY;
#if defined(O_PATH)
constexpr int to_pass = O_PATH;
#else
constexpr int to_pass = O_RDONLY;  // macOS: a folder must be readable to be passed
#endif

int flags(PathKind kind) {
    return cautiously | (kind == PathKind::folder ? to_pass | O_DIRECTORY : O_RDONLY);
}

int number_of(const Descriptor& descriptor) {
    return static_cast<int>(descriptor.number());
}

}  // namespace

Descriptor::~Descriptor() {
    if (is_open()) ::close(number_of(*this));
}

Descriptor open(const std::filesystem::path& path, PathKind kind) {
    return Descriptor(::open(path.c_str(), flags(kind)));
}

Descriptor open_in(const Descriptor& folder, const std::string& name, PathKind kind) {
    return Descriptor(::openat(number_of(folder), name.c_str(), flags(kind) | O_NOFOLLOW));
}

std::optional<std::uint64_t> size_of_regular(const Descriptor& file) {
    struct stat status {};
    if (::fstat(number_of(file), &status) != 0 || !S_ISREG(status.st_mode)) return std::nullopt;
    return static_cast<std::uint64_t>(status.st_size);
}

bool read_at(const Descriptor& file, std::uint64_t offset, std::byte* to, std::size_t count) {
    constexpr std::size_t most = std::size_t{1} << 30U;  // macOS refuses more than 2 GiB at once
    while (count > 0) {
        const ssize_t got =
            ::pread(number_of(file), to, std::min(count, most), static_cast<off_t>(offset));
        if (got < 0 && errno == EINTR) continue;
        if (got <= 0) return false;
        offset += static_cast<std::uint64_t>(got);
        to += got;
        count -= static_cast<std::size_t>(got);
    }
    return true;
}

}  // namespace stend::unet::onnx
