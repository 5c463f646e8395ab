// What the files of the Python module _unet share: a model with what its file says beside it, and
// the names of its parts.
#pragma once

#include <nanobind/nanobind.h>

#include <stend/unet.hpp>
#include <string_view>

namespace stend::bindings::unet {

// As nanobind knows it; Python's threads and networks share one.
using Model = stend::unet::OnnxModel;

std::string_view name(stend::unet::Operation operation);
std::string_view name(stend::unet::Activation activation);

// Names come from files: what is no UTF-8 in them is replaced.
nanobind::str text(std::string_view bytes);

void bind_model(nanobind::module_& module);
void bind_network(nanobind::module_& module);
void bind_onnx(nanobind::module_& module);
void bind_sgemm(nanobind::module_& module);

}  // namespace stend::bindings::unet
