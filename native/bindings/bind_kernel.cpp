// Proof, Variant and Kernel: what every room's functions give to Python.
#include <exception>
#include <system_error>

#include "bindings.h"

namespace nb = nanobind;
using namespace nb::literals;

namespace stend::bindings {
namespace {

std::vector<std::string> strings(const std::vector<std::string_view>& views) {
    return {views.begin(), views.end()};
}

// std::thread, in teams and loads, throws nothing but the error's own words.
void no_thread(const std::exception_ptr& thrown, void* failed) {
    try {
        std::rethrow_exception(thrown);
    } catch (const std::system_error& error) {
        const std::string said = "The system made no more threads: " + error.code().message() +
                                 "; `stend machine` says which limits there are now.";
        PyErr_SetString(static_cast<PyObject*>(failed), said.c_str());
    }
}

}  // namespace

VariantInfo variant_info(std::string_view name, isa::Features needs) {
    const std::string why = isa::why_not(needs);
    const std::string reason =
        why.empty() ? "" : "The variant " + std::string(name) + " can't run: " + why + ".";
    return {std::string(name), strings(needs.names()), why.empty(), reason};
}

void bind_kernel(nb::module_& module) {
    nb::exception<Unavailable>(module, "Unavailable");
    const nb::exception<Failed> failed(module, "Failed");
    nb::register_exception_translator(no_thread, failed.ptr());  // the module keeps it
    nb::class_<Proof>(module, "Proof").def_ro("right", &Proof::right).def_ro("said", &Proof::said);

    nb::class_<VariantInfo>(module, "Variant")
        .def(
            "__init__",
            [](VariantInfo* place, std::string name, std::string reason) {
                new (place) VariantInfo{std::move(name), {}, reason.empty(), reason};
            },
            "name"_a, "reason"_a = "")
        .def_ro("name", &VariantInfo::name)
        .def_prop_ro("needs",
                     [](const VariantInfo& info) { return nb::tuple(nb::cast(info.needs)); })
        .def_ro("available", &VariantInfo::available)
        .def_ro("reason", &VariantInfo::reason);

    const auto unlocked = nb::call_guard<nb::gil_scoped_release>();
    nb::class_<Kernel>(module, "Kernel")
        .def_prop_ro("variant", [](const Kernel& k) { return std::string(k.variant()); })
        .def_prop_ro("threads", &Kernel::threads)
        .def_prop_ro("about", &Kernel::about)
        .def("prepare", &Kernel::prepare, unlocked)
        .def("check", &Kernel::check, unlocked)
        .def("prove", &Kernel::prove, unlocked);
}

}  // namespace stend::bindings
