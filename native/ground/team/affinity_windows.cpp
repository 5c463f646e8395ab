// Windows has CPUs in groups of up to 64; a word of a mask is a group. A thread has its affinity in
// one group, so on a machine of several the CPUs of the others don't count.
#include <windows.h>

#include <algorithm>
#include <stdexcept>

#include "team/affinity.h"

namespace stend {

const std::string_view advice_on_seats = "choose among those of its affinity, in one group.";

std::int64_t this_thread() {
    return GetCurrentThreadId();
}

Mask mask_of_this_thread() {
    GROUP_AFFINITY affinity{};
    if (!GetThreadGroupAffinity(GetCurrentThread(), &affinity))
        throw std::runtime_error("The system doesn't tell which CPUs this process may use.");
    Mask mask(affinity.Group + std::size_t{1});
    mask.back() = affinity.Mask;
    return mask;
}

bool let(std::int64_t thread, const Mask& mask) {
    const auto is_used = [](std::uint64_t word) { return word != 0; };
    const auto group = std::ranges::find_if(mask, is_used);
    if (std::ranges::count_if(mask, is_used) != 1) return false;
    GROUP_AFFINITY affinity{};
    affinity.Group = static_cast<WORD>(group - mask.begin());
    affinity.Mask = *group;
    const HANDLE handle = OpenThread(THREAD_SET_INFORMATION | THREAD_QUERY_INFORMATION, FALSE,
                                     static_cast<DWORD>(thread));
    if (handle == nullptr) return false;
    const bool done = SetThreadGroupAffinity(handle, &affinity, nullptr) != 0;
    CloseHandle(handle);
    return done;
}

}  // namespace stend
