// VirtualAlloc. Its large pages are only for users with the right to lock pages in memory, which an
// administrator gives, so ordinary ones are taken.
#include <windows.h>

#include <cstdint>

#include "buffers/pages.h"

namespace stend {

std::size_t page_bytes() {
    SYSTEM_INFO system;
    GetSystemInfo(&system);
    return system.dwPageSize;
}

std::size_t physical_memory() {
    MEMORYSTATUSEX memory{};
    memory.dwLength = sizeof memory;
    return GlobalMemoryStatusEx(&memory) ? memory.ullTotalPhys : 0;
}

// Addresses can't be given back in part: what sticks out stays reserved, without memory.
std::byte* map_pages(std::size_t bytes, std::size_t alignment) {
    const std::size_t spare = alignment > page_bytes() ? alignment : 0;
    auto* const whole =
        static_cast<std::byte*>(VirtualAlloc(nullptr, bytes + spare, MEM_RESERVE, PAGE_NOACCESS));
    if (whole == nullptr) return nullptr;
    const std::size_t before = -reinterpret_cast<std::uintptr_t>(whole) % alignment;
    void* const pages = VirtualAlloc(whole + before, bytes, MEM_COMMIT, PAGE_READWRITE);
    if (pages == nullptr) {
        const DWORD why = GetLastError();
        VirtualFree(whole, 0, MEM_RELEASE);
        SetLastError(why);
    }
    return static_cast<std::byte*>(pages);
}

std::string pages_refused() {
    return "(error " + std::to_string(GetLastError()) +
           " of Windows); ask for a smaller size, or enlarge the paging file.";
}

void unmap_pages(std::byte* begin, std::size_t) {
    MEMORY_BASIC_INFORMATION pages;
    if (begin != nullptr && VirtualQuery(begin, &pages, sizeof pages) != 0)
        VirtualFree(pages.AllocationBase, 0, MEM_RELEASE);
}

bool gather_huge_pages(std::byte*, std::size_t) {
    return false;
}

bool forbid_huge_pages(std::byte*, std::size_t) {
    return true;
}

}  // namespace stend
