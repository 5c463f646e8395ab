// ONNX's messages in the making, which to_onnx and tests write. Comes in: names and numbers; goes
// out: the message. Numbers of fields are onnx.proto's.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "unet/onnx/wire.h"

namespace stend::unet::onnx {

// AttributeProto.
Writer integers(std::string_view name, const std::vector<std::int64_t>& values);
Writer integer(std::string_view name, std::int64_t value);

// NodeProto.
Writer node(std::string_view operation, const std::vector<std::string>& inputs,
            const std::vector<std::string>& outputs, std::string_view name,
            const std::vector<Writer>& attributes);

// TensorProto of that type (TensorProto.DataType), without numbers.
Writer header(std::string_view name, const std::vector<std::int64_t>& dimensions,
              std::uint64_t element);

// ValueInfoProto.
struct Dimension {
    std::int64_t size;  // 0: any
    std::string_view name = {};
};
Writer value(std::string_view name, const std::vector<Dimension>& dimensions,
             std::uint64_t element);

}  // namespace stend::unet::onnx
