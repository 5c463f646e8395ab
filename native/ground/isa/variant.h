// Variants: implementations of one thing, of which each needs something of the processor, and the
// choice among them.
#pragma once

#include <concepts>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "isa/isa.h"

namespace stend {

// Who has more to say of an implementation writes a struct of its own, with this name and needs.
template <typename Function>
struct Variant {
    std::string_view name;
    isa::Features needs;
    Function function;
};

template <typename T>
concept Implementation = requires(const T& variant) {
    { variant.name } -> std::convertible_to<std::string_view>;
    { variant.needs } -> std::convertible_to<isa::Features>;
};

inline constexpr auto lacking = [](const Implementation auto& variant) {
    return isa::why_not(variant.needs);
};

// Of a list, slowest first, the variant of that name, or for an empty name the last one that this
// machine runs. `why_not` gives the reason why a variant can't run; `of` ends the name of what they
// are variants of (" of the precision bf16"). Throws std::invalid_argument, with a sentence, for a
// name that there isn't or that can't run here: it is never replaced by another.
template <Implementation T>
const T& chosen(std::span<const T> variants, std::string_view name, auto why_not,
                const std::string& of) {
    const T* best = nullptr;
    std::string names;
    for (const T& variant : variants) {
        const std::string why = why_not(variant);
        if (variant.name == name && !why.empty())
            throw std::invalid_argument("The variant " + std::string(name) + " can't run: " + why +
                                        ".");
        if (why.empty() && (name.empty() || variant.name == name)) best = &variant;
        names += (names.empty() ? "" : ", ") + std::string(variant.name);
    }
    if (best != nullptr) return *best;
    throw std::invalid_argument((name.empty()
                                     ? "No variant" + of + " can run on this machine"
                                     : "There is no variant \"" + std::string(name) + "\"" + of) +
                                "; there are " + (names.empty() ? "none" : names) + ".");
}

template <Implementation T>
const T& chosen(std::span<const T> variants, std::string_view name) {
    return chosen(variants, name, lacking, "");
}

// Names of those that this machine runs.
template <Implementation T>
std::vector<std::string_view> runnable(std::span<const T> variants) {
    std::vector<std::string_view> names;
    for (const T& variant : variants)
        if (lacking(variant).empty()) names.push_back(variant.name);
    return names;
}

}  // namespace stend
