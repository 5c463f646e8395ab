// Reads what GetLogicalProcessorInformationEx lists: for each core, and for each socket, a mask of
// CPUs in each group that it is in. A group has up to 64; CPU n is bit n % 64 of group n / 64.
#include <windows.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>

#include "isa/cores.h"

namespace stend::isa {
namespace {

using Record = SYSTEM_LOGICAL_PROCESSOR_INFORMATION_EX;
constexpr int group_bits = 64;

// The CPUs of each core, or of each socket, in the system's order.
std::vector<std::vector<int>> listed(LOGICAL_PROCESSOR_RELATIONSHIP what) {
    DWORD size = 0;
    GetLogicalProcessorInformationEx(what, nullptr, &size);
    std::vector<std::uint64_t> words(size / 8 + 1);  // as aligned as a record
    auto* const bytes = reinterpret_cast<std::byte*>(words.data());
    if (!GetLogicalProcessorInformationEx(what, reinterpret_cast<Record*>(bytes), &size)) return {};
    std::vector<std::vector<int>> all;
    for (DWORD at = 0; at < size;) {
        const auto& record = *reinterpret_cast<const Record*>(bytes + at);
        const auto& of = record.Processor;
        std::vector<int>& cpus = all.emplace_back();
        for (const auto& [mask, group, reserved] : std::span(of.GroupMask, of.GroupCount))
            for (int bit = 0; bit < group_bits; ++bit)
                if (std::uint64_t{mask} >> bit & 1) cpus.push_back(group * group_bits + bit);
        at += record.Size;
    }
    return all;
}

auto which_holds(const std::vector<std::vector<int>>& all, int cpu) {
    return std::ranges::find_if(
        all, [cpu](const auto& cpus) { return std::ranges::count(cpus, cpu) != 0; });
}

}  // namespace

std::vector<int> core_of(int cpu) {
    const auto cores = listed(RelationProcessorCore);
    const auto core = which_holds(cores, cpu);
    return core == cores.end() ? std::vector<int>{} : *core;
}

int package_of(int cpu) {
    const auto packages = listed(RelationProcessorPackage);
    const auto package = which_holds(packages, cpu);
    return package == packages.end() ? -1 : static_cast<int>(package - packages.begin());
}

}  // namespace stend::isa
