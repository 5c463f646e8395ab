// Names of the features, what builds on what, and the list a user writes in
// STEND_DISABLE_ISA. Knows no processor.
#include <algorithm>
#include <array>
#include <cstdlib>
#include <stdexcept>
#include <string>

#include "isa/isa.h"

namespace stend::isa {
namespace {

struct Entry {
    Feature feature;
    std::string_view name;
    Features builds_on;
};

constexpr std::array<Entry, feature_count> entries{{
    {sse2, "sse2", {}},
    {sse4_1, "sse4.1", {sse2}},
    {avx, "avx", {sse4_1}},
    {avx2, "avx2", {avx}},
    {fma, "fma", {avx}},
    {bmi2, "bmi2", {}},
    {avx512, "avx512", {avx2, fma}},
    {avx512vbmi, "avx512vbmi", {avx512}},
    {avx512vbmi2, "avx512vbmi2", {avx512}},
    {avx512vnni, "avx512vnni", {avx512}},
    {avx512bf16, "avx512bf16", {avx512}},
    {avx512fp16, "avx512fp16", {avx512}},
    {gfni, "gfni", {sse2}},
    {pclmul, "pclmul", {sse2}},
    {vaes, "vaes", {avx}},
    {vpclmulqdq, "vpclmulqdq", {avx, pclmul}},
    {amx_tile, "amx-tile", {}},
    {amx_int8, "amx-int8", {amx_tile}},
    {amx_bf16, "amx-bf16", {amx_tile}},
    {neon, "neon", {}},
    {sve, "sve", {neon}},
    {sve2, "sve2", {sve}},
    {aes, "aes", {neon}},
    {pmull, "pmull", {neon}},
    {rvv, "rvv", {}},
}};

std::string joined(Features features) {
    std::string text;
    for (const std::string_view name : features.names()) {
        if (!text.empty()) text += ", ";
        text += name;
    }
    return text;
}

std::string_view trimmed(std::string_view text) {
    const auto first = text.find_first_not_of(" \t");
    if (first == text.npos) return {};
    return text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

Feature named(std::string_view name) {
    for (const Entry& entry : entries)
        if (entry.name == name) return entry.feature;
    throw std::invalid_argument("STEND_DISABLE_ISA names \"" + std::string(name) +
                                "\", which is no instruction-set extension that stend knows; "
                                "the known ones are " +
                                joined(known()) + ".");
}

}  // namespace

std::vector<std::string_view> Features::names() const {
    std::vector<std::string_view> names;
    for (const Entry& entry : entries)
        if (contains(entry.feature)) names.push_back(entry.name);
    return names;
}

Features known() {
    Features all;
    for (const Entry& entry : entries) all.add(entry.feature);
    return all;
}

Features parse(std::string_view list) {
    Features features;
    while (!list.empty()) {
        const auto end = std::min(list.find(','), list.size());
        const std::string_view name = trimmed(list.substr(0, end));
        if (!name.empty()) features.add(named(name));
        list.remove_prefix(std::min(end + 1, list.size()));
    }
    return features;
}

// Every entry stands after what it builds on, so one pass carries a removal through to
// all that depends on it.
Features without(Features present, Features off) {
    Features left = present.missing_from(off);
    for (const Entry& entry : entries)
        if (!left.contains(entry.builds_on)) left.remove(entry.feature);
    return left;
}

Features disabled() {
    const char* list = std::getenv("STEND_DISABLE_ISA");
    return list ? parse(list) : Features{};
}

Features usable() {
    static const Features features = without(present(), disabled());
    return features;
}

std::string why_not(Features needs) {
    const Features missing = needs.missing_from(usable());
    if (missing.empty()) return {};
    const Features absent = missing.missing_from(present());
    if (!absent.empty()) return "this machine lacks " + joined(absent);
    return joined(missing) + " is switched off by STEND_DISABLE_ISA";
}

}  // namespace stend::isa
