// move_pages(2) moves nothing when it is given no nodes: it tells where the pages are. hwloc has a
// function for this too, but that one passes over pages which are nowhere.
#include "nodes/pages.h"

#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdint>

namespace stend::nodes {
namespace {

constexpr std::size_t at_once = 512;  // pages in a call; their addresses lie on the stack

using Addresses = std::array<const void*, at_once>;
using Places = std::array<int, at_once>;  // a node's number, or an error below 0

bool ask(const Addresses& pages, std::size_t count, Places& places) {
    return syscall(SYS_move_pages, 0, count, pages.data(), nullptr, places.data(), 0) == 0;
}

std::uintptr_t rounded_down(std::uintptr_t address, std::size_t page) {
    return address / page * page;
}

}  // namespace

Whereabouts whereabouts(std::span<const std::byte> pages, int node) {
    const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
    const auto begin = reinterpret_cast<std::uintptr_t>(pages.data());
    const std::uintptr_t end = begin + pages.size();
    Whereabouts found;
    Addresses addresses;
    Places places;
    for (std::uintptr_t at = rounded_down(begin, page); at < end;) {
        std::size_t count = 0;
        for (; count < at_once && at < end; at += page)
            addresses[count++] = reinterpret_cast<const void*>(at);
        if (!ask(addresses, count, places)) {
            found.error = errno;
            return found;
        }
        const std::span<const int> answered(places.data(), count);
        const auto here = std::ranges::count(answered, node);
        const auto lost = std::ranges::count_if(answered, [](int place) { return place < 0; });
        found.pages += count;
        found.elsewhere += count - static_cast<std::size_t>(here);
        found.nowhere += static_cast<std::size_t>(lost);
    }
    return found;
}

}  // namespace stend::nodes
