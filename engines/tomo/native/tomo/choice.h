// The variant that runs: the one of that name, or the machine's best.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "isa/isa.h"
#include "tomo/checks.h"

namespace stend::tomo {

// From a list, slowest first, of what has a name and needs. Throws std::invalid_argument, with a
// sentence, for a name that there isn't or that this machine can't run.
template <typename Variant>
const Variant& chosen(std::span<const Variant> variants, std::string_view name) {
    const Variant* best = nullptr;
    std::string names;
    for (const Variant& variant : variants) {
        const std::string why = isa::why_not(variant.needs);
        if (variant.name == name && !why.empty())
            refuse("The variant " + std::string(name) + " can't run: " + why + ".");
        if (why.empty() && (name.empty() || variant.name == name)) best = &variant;
        names += (names.empty() ? "" : ", ") + std::string(variant.name);
    }
    if (best == nullptr)
        refuse("There is no variant \"" + std::string(name) + "\"; there are " + names + ".");
    return *best;
}

template <typename Variant>
std::vector<std::string_view> runnable(std::span<const Variant> variants) {
    std::vector<std::string_view> names;
    for (const Variant& variant : variants)
        if (isa::why_not(variant.needs).empty()) names.push_back(variant.name);
    return names;
}

}  // namespace stend::tomo
