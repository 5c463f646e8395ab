// A folder is open while what is in it is opened by path, and is shared with nobody who would
// rename or remove it, so nothing that is exchanged meanwhile leads elsewhere.
#include <windows.h>

#include <algorithm>
#include <cerrno>

#include "unet/onnx/file.h"

namespace stend::unet::onnx {
namespace {

HANDLE handle_of(const Descriptor& descriptor) {
    return reinterpret_cast<HANDLE>(descriptor.number());
}

int errno_of(DWORD error) {
    switch (error) {
        case ERROR_FILE_NOT_FOUND:
        case ERROR_PATH_NOT_FOUND:
            return ENOENT;
        case ERROR_ACCESS_DENIED:
        case ERROR_SHARING_VIOLATION:
        case ERROR_LOCK_VIOLATION:
            return EACCES;
        case ERROR_TOO_MANY_OPEN_FILES:
            return EMFILE;
        case ERROR_INVALID_NAME:
            return EINVAL;
        default:
            return EIO;
    }
}

Descriptor none(int error) {
    errno = error;
    return Descriptor(Descriptor::none);
}

// Folders are opened with the right to list them: with less they could be renamed nonetheless.
Descriptor opened(const std::wstring& path, DWORD flags) {
    const HANDLE handle =
        CreateFileW(path.c_str(), GENERIC_READ, FILE_SHARE_READ | FILE_SHARE_WRITE, nullptr,
                    OPEN_EXISTING, flags | FILE_FLAG_BACKUP_SEMANTICS, nullptr);
    if (handle == INVALID_HANDLE_VALUE) return none(errno_of(GetLastError()));
    return Descriptor(reinterpret_cast<Descriptor::Number>(handle));
}

DWORD attributes(const Descriptor& file) {
    BY_HANDLE_FILE_INFORMATION about{};
    return GetFileInformationByHandle(handle_of(file), &about) ? about.dwFileAttributes : 0;
}

Descriptor required(Descriptor file, PathKind kind) {
    const bool folder = (attributes(file) & FILE_ATTRIBUTE_DIRECTORY) != 0;
    return file.is_open() && kind == PathKind::folder && !folder ? none(ENOTDIR) : std::move(file);
}

// Empty when that is no UTF-8.
std::wstring wide(const std::string& text) {
    const int size = static_cast<int>(text.size());
    std::wstring units(text.size(), L'\0');  // never more than bytes
    units.resize(static_cast<std::size_t>(
        MultiByteToWideChar(CP_UTF8, MB_ERR_INVALID_CHARS, text.data(), size, units.data(), size)));
    return units;
}

// With the prefix \\?\, behind which names are taken as they are: no device is called CON.
std::wstring path_of(const Descriptor& folder) {
    std::wstring path(32768, L'\0');  // the longest there is
    path.resize(GetFinalPathNameByHandleW(handle_of(folder), path.data(),
                                          static_cast<DWORD>(path.size()), FILE_NAME_NORMALIZED));
    return path;
}

}  // namespace

Descriptor::~Descriptor() {
    if (is_open()) CloseHandle(handle_of(*this));
}

Descriptor open(const std::filesystem::path& path, PathKind kind) {
    return required(opened(path.native(), 0), kind);
}

// A backslash would lead on, and a colon to another stream of the file.
Descriptor open_in(const Descriptor& folder, const std::string& name, PathKind kind) {
    const std::wstring last = wide(name);
    if (last.empty() || last.find_first_of(L"\\/:") != last.npos) return none(EINVAL);
    std::wstring path = path_of(folder);
    if (path.empty()) return none(EIO);
    if (name != ".") path += L'\\' + last;
    Descriptor file = opened(path, FILE_FLAG_OPEN_REPARSE_POINT);
    if (file.is_open() && attributes(file) & FILE_ATTRIBUTE_REPARSE_POINT) return none(ELOOP);
    return required(std::move(file), kind);
}

std::optional<std::uint64_t> size_of_regular(const Descriptor& file) {
    BY_HANDLE_FILE_INFORMATION about{};
    if (GetFileType(handle_of(file)) != FILE_TYPE_DISK ||
        !GetFileInformationByHandle(handle_of(file), &about) ||
        about.dwFileAttributes & FILE_ATTRIBUTE_DIRECTORY)
        return std::nullopt;
    return std::uint64_t{about.nFileSizeHigh} << 32U | about.nFileSizeLow;
}

bool read_at(const Descriptor& file, std::uint64_t offset, std::byte* to, std::size_t count) {
    constexpr std::size_t most = std::size_t{1} << 30U;
    while (count > 0) {
        OVERLAPPED where{};
        where.Offset = static_cast<DWORD>(offset);
        where.OffsetHigh = static_cast<DWORD>(offset >> 32U);
        DWORD got = 0;
        if (!ReadFile(handle_of(file), to, static_cast<DWORD>(std::min(count, most)), &got,
                      &where) ||
            got == 0)
            return false;
        offset += got;
        to += got;
        count -= got;
    }
    return true;
}

}  // namespace stend::unet::onnx
