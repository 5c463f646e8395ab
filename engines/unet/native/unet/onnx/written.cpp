// Fields in the order of their numbers, but those that many or long ones follow.
#include "unet/onnx/written.h"

namespace stend::unet::onnx {

Writer integers(std::string_view name, const std::vector<std::int64_t>& values) {
    Writer attribute;
    attribute.text(1, name);
    for (const std::int64_t value : values) attribute.integer(8, static_cast<std::uint64_t>(value));
    attribute.integer(20, 7);  // AttributeType INTS
    return attribute;
}

Writer integer(std::string_view name, std::int64_t value) {
    Writer attribute;
    attribute.text(1, name);
    attribute.integer(3, static_cast<std::uint64_t>(value));
    attribute.integer(20, 2);  // AttributeType INT
    return attribute;
}

Writer node(std::string_view operation, const std::vector<std::string>& inputs,
            const std::vector<std::string>& outputs, std::string_view name,
            const std::vector<Writer>& attributes) {
    Writer node;
    for (const std::string& input : inputs) node.text(1, input);
    for (const std::string& output : outputs) node.text(2, output);
    node.text(3, name);
    node.text(4, operation);
    for (const Writer& attribute : attributes) node.message(5, attribute);
    return node;
}

Writer header(std::string_view name, const std::vector<std::int64_t>& dimensions,
              std::uint64_t element) {
    Writer tensor;
    for (const std::int64_t dimension : dimensions)
        tensor.integer(1, static_cast<std::uint64_t>(dimension));
    tensor.integer(2, element);
    tensor.text(8, name);
    return tensor;
}

Writer value(std::string_view name, const std::vector<Dimension>& dimensions,
             std::uint64_t element) {
    Writer shape;
    for (const Dimension& each : dimensions) {
        Writer dimension;
        if (each.size == 0)
            dimension.text(2, each.name);
        else
            dimension.integer(1, static_cast<std::uint64_t>(each.size));
        shape.message(1, dimension);
    }
    Writer tensor, type, value;
    tensor.integer(1, element);
    tensor.message(2, shape);
    type.message(1, tensor);
    value.text(1, name);
    value.message(2, type);
    return value;
}

}  // namespace stend::unet::onnx
