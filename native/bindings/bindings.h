// What the bind_<room>.cpp files share: how a room's list of variants looks from
// Python. Kernels go to Python as std::unique_ptr<Kernel>.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/unique_ptr.h>
#include <nanobind/stl/vector.h>

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "kernel.h"

namespace stend::bindings {

struct VariantInfo {
    std::string name;
    std::vector<std::string> needs;
    bool available;
    std::string reason;  // a sentence when not available
};

VariantInfo variant_info(std::string_view name, isa::Features needs);

template <Implementation T>
std::vector<VariantInfo> variant_infos(std::span<const T> variants) {
    std::vector<VariantInfo> infos;
    for (const T& variant : variants) infos.push_back(variant_info(variant.name, variant.needs));
    return infos;
}

// Work in C++ that a kernel written in Python has repeated in its place.
struct Loop {
    std::function<void(std::uint64_t times)> repeat;
};

void bind_kernel(nanobind::module_& module);

}  // namespace stend::bindings
