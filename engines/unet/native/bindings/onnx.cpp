// _unet: models from ONNX files and back. A file that is no such model is _unet.BadModel.
#include <nanobind/stl/map.h>
#include <nanobind/stl/string.h>

#include <cstddef>
#include <filesystem>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "unet.h"

namespace nb = nanobind;
using namespace nb::literals;

namespace stend::bindings::unet {
namespace {

using stend::unet::Property;
using Properties = std::map<std::string, std::string>;

// A path as the file system has it: bytes.
Model read(const nb::bytes& file) {
    const std::filesystem::path path(std::string(file.c_str(), file.size()));
    const nb::gil_scoped_release unlocked;
    return stend::unet::read_onnx(path);
}

Model parse(const nb::bytes& given) {
    const std::span bytes(static_cast<const std::byte*>(given.data()), given.size());
    const nb::gil_scoped_release unlocked;
    return stend::unet::parse_onnx(bytes);
}

nb::bytes to_onnx(const Model& model, const Properties& properties) {
    std::vector<Property> said;
    for (const auto& [key, value] : properties) said.push_back({key, value});
    const std::vector<std::byte> made = stend::unet::to_onnx(model.model, said);
    return nb::bytes(made.data(), made.size());
}

}  // namespace

void bind_onnx(nb::module_& module) {
    nb::exception<stend::unet::BadModel>(module, "BadModel", PyExc_ValueError);
    module.def("read_onnx", &read, "file"_a);
    module.def("parse_onnx", &parse, "bytes"_a);
    module.def("to_onnx", &to_onnx, "model"_a, "properties"_a);
}

}  // namespace stend::bindings::unet
