// _tomo: what algorithms and filters are called, and the variants of each algorithm.
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/vector.h>

#include <array>
#include <string>
#include <utility>
#include <vector>

#include "isa/isa.h"
#include "tomo.h"

namespace nb = nanobind;
using namespace nb::literals;

namespace stend::bindings::tomo {
namespace {

using stend::tomo::Algorithm;
using stend::tomo::Iteration;
using stend::tomo::Window;

template <typename Value, std::size_t count>
using Names = std::array<std::pair<std::string_view, Value>, count>;

constexpr Names<Algorithm, 6> algorithms{{{"dfr", Algorithm::dfr},
                                          {"dfr_half", Algorithm::dfr_half},
                                          {"fbp", Algorithm::fbp},
                                          {"fbp_int16", Algorithm::fbp_int16},
                                          {"hfbp", Algorithm::hfbp},
                                          {"hfbp_fine", Algorithm::hfbp_fine}}};
constexpr Names<Iteration, 2> iterations{{{"sirt", Iteration::sirt}, {"cgls", Iteration::cgls}}};
constexpr Names<Window, 6> windows{{{"ram-lak", Window::ram_lak},
                                    {"shepp-logan", Window::shepp_logan},
                                    {"sinc2", Window::sinc2},
                                    {"cosine", Window::cosine},
                                    {"hamming", Window::hamming},
                                    {"hann", Window::hann}}};

template <typename Table>
std::vector<std::string_view> names(const Table& table) {
    std::vector<std::string_view> found;
    for (const auto& [name, value] : table) found.push_back(name);
    return found;
}

template <typename Table>
auto named(const Table& table, const char* what, std::string_view asked,
           const std::vector<std::string_view>& all) {
    for (const auto& [name, value] : table)
        if (name == asked) return value;
    std::string known;
    for (const std::string_view name : all)
        known += (known.empty() ? "" : ", ") + std::string(name);
    throw std::invalid_argument("There is no " + std::string(what) + " \"" + std::string(asked) +
                                "\"; there are " + known + ".");
}

std::vector<std::string_view> all_algorithms() {
    std::vector<std::string_view> all = names(algorithms);
    for (const std::string_view name : names(iterations)) all.push_back(name);
    return all;
}

using Variants = std::vector<std::string_view> (*)();

template <Algorithm algorithm>
std::vector<std::string_view> of() {
    return stend::tomo::variants(algorithm);
}

// Of algorithms, and of what is a function of its own.
constexpr Names<Variants, 12> with_variants{{{"dfr", of<Algorithm::dfr>},
                                             {"dfr_half", of<Algorithm::dfr_half>},
                                             {"fbp", of<Algorithm::fbp>},
                                             {"fbp_int16", of<Algorithm::fbp_int16>},
                                             {"hfbp", of<Algorithm::hfbp>},
                                             {"hfbp_fine", of<Algorithm::hfbp_fine>},
                                             {"sirt", stend::tomo::projector_variants},
                                             {"cgls", stend::tomo::projector_variants},
                                             {"filter", stend::tomo::filtering_variants},
                                             {"project", stend::tomo::projector_variants},
                                             {"rebin_fan", stend::tomo::rebinning_variants},
                                             {"fdk", stend::tomo::cone_variants}}};

std::vector<std::string_view> variants_of(std::string_view name) {
    return named(with_variants, "algorithm", name, names(with_variants))();
}

}  // namespace

Algorithm algorithm_named(std::string_view name) {
    return named(algorithms, "algorithm", name, all_algorithms());
}

Iteration iteration_named(std::string_view name) {
    return named(iterations, "algorithm", name, all_algorithms());
}

Window window_named(std::string_view name) {
    return named(windows, "filter", name, names(windows));
}

void bind_names(nb::module_& module) {
    module.def("algorithms", &all_algorithms);
    module.def("filters", [] { return names(windows); });
    module.def("variants", &variants_of, "algorithm"_a);
    module.def("x86_64_v2", &isa::x86_64_v2);
}

}  // namespace stend::bindings::tomo
