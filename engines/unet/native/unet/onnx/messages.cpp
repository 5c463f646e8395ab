// Numbers of fields are onnx.proto's. Nothing is entered deeper than these functions call each
// other, so that no file nests too deep.
#include "unet/onnx/messages.h"

#include <stend/unet/onnx.hpp>
#include <string>

#include "unet/onnx/text.h"

namespace stend::unet::onnx {
namespace {

// Far more than a network of check()'s 4,096 layers has of anything.
constexpr std::size_t most_items = 65536;
constexpr std::size_t most_values = std::size_t{1} << 18U;  // inputs and outputs of all nodes

template <class Item>
Item& add(std::vector<Item>& items, Item item, const char* what) {
    if (items.size() == most_items)
        throw BadModel("The file has more than " + std::to_string(most_items) + " " + what +
                       "; no network that is computed here has.");
    items.push_back(std::move(item));
    return items.back();
}

Entry parse_entry(const Piece& message) {
    Entry entry;
    Fields fields(message);
    while (const auto field = fields.next()) {
        if (field->number == 1) entry.key = field->text();
        if (field->number == 2) entry.value = field->text();
    }
    return entry;
}

OperatorSet parse_operator_set(const Piece& message) {
    OperatorSet set;
    Fields fields(message);
    while (const auto field = fields.next()) {
        if (field->number == 1) set.domain = field->text();
        if (field->number == 2) set.version = field->integer();
    }
    return set;
}

Named parse_named(const Piece& message, std::uint32_t number_of_name) {
    Named named{{}, message};
    Fields fields(message);
    while (const auto field = fields.next())
        if (field->number == number_of_name) named.name = field->text();
    return named;
}

Node parse_node(const Piece& message) {
    Node node;
    node.message = message;
    Fields fields(message);
    while (const auto field = fields.next()) switch (field->number) {
            case 1:
                add(node.inputs, field->text(), "inputs of one node");
                break;
            case 2:
                add(node.outputs, field->text(), "outputs of one node");
                break;
            case 3:
                node.name = field->text();
                break;
            case 4:
                node.operation = field->text();
                break;
            case 7:
                node.domain = field->text();
                break;
            default:
                break;
        }
    return node;
}

void add_node(Graph& graph, std::size_t& values, const Piece& message) {
    Node& node = add(graph.nodes, parse_node(message), "nodes");
    values += node.inputs.size() + node.outputs.size();
    if (values > most_values)
        throw BadModel("The nodes have more than " + std::to_string(most_values) +
                       " inputs and outputs; those of no network that is computed here have.");
}

Graph parse_graph(const Piece& message) {
    Graph graph;
    std::size_t values = 0;
    Fields fields(message);
    while (const auto field = fields.next()) switch (field->number) {
            case 1:
                add_node(graph, values, field->message());
                break;
            case 5:
                add(graph.initializers, parse_named(field->message(), 8), "initializers");
                break;
            case 11:
                add(graph.inputs, parse_named(field->message(), 1), "inputs");
                break;
            case 12:
                add(graph.outputs, parse_named(field->message(), 1), "outputs");
                break;
            case 15:
                graph.sparse_initializers = true;
                break;
            default:
                break;
        }
    return graph;
}

Attribute parse_attribute(const Piece& message) {
    Attribute attribute;
    Fields fields(message);
    while (const auto field = fields.next()) switch (field->number) {
            case 1:
                attribute.name = field->text();
                break;
            case 2:
                attribute.number = field->single();
                break;
            case 3:
                attribute.integer = field->integer();
                break;
            case 4:
                attribute.text = field->text();
                break;
            case 5:
                attribute.tensor = field->message();
                break;
            case 8:
                add_integers(*field, attribute.integers);
                break;
            case 20:
                attribute.kind = static_cast<Kind>(field->integer());
                break;
            case 21:
                attribute.refers = true;
                break;
            default:
                break;
        }
    return attribute;
}

std::int64_t parse_dimension(const Piece& message) {
    std::int64_t dimension = 0;
    Fields fields(message);
    while (const auto field = fields.next())
        if (field->number == 1) dimension = field->integer();
    return dimension;
}

std::vector<std::int64_t> parse_dimensions(const Piece& message) {
    std::vector<std::int64_t> dimensions;
    Fields fields(message);
    while (const auto field = fields.next())
        if (field->number == 1)
            add(dimensions, parse_dimension(field->message()), "dimensions of a tensor");
    return dimensions;
}

void parse_tensor_type(const Piece& message, Shape& shape) {
    Fields fields(message);
    while (const auto field = fields.next()) {
        if (field->number == 1) shape.element = field->integer();
        if (field->number == 2) shape.dimensions = parse_dimensions(field->message());
    }
}

}  // namespace

void add_integers(const Field& field, std::vector<std::int64_t>& integers) {
    constexpr std::size_t most = 16;
    const auto add_one = [&](std::uint64_t value) {
        if (integers.size() < most) integers.push_back(static_cast<std::int64_t>(value));
    };
    if (field.wire == Wire::varint) return add_one(field.value);
    Piece packed = field.message();
    while (!packed.bytes.empty()) add_one(take_varint(packed));
}

File parse_file(const Piece& message) {
    File file;
    Fields fields(message);
    while (const auto field = fields.next()) switch (field->number) {
            case 1:
                file.version = field->integer();
                break;
            case 7:
                if (file.graph) throw BadModel("The file has two graphs; one is computed here.");
                file.graph = parse_graph(field->message());
                break;
            case 8:
                add(file.operator_sets, parse_operator_set(field->message()), "operator sets");
                break;
            case 14:
                add(file.properties, parse_entry(field->message()), "properties");
                break;
            case 25:
                file.functions = true;
                break;
            default:
                break;
        }
    return file;
}

std::vector<Attribute> parse_attributes(const Node& node) {
    std::vector<Attribute> attributes;
    Fields fields(node.message);
    while (const auto field = fields.next()) {
        if (field->number != 5) continue;
        if (attributes.size() == 32)
            throw BadModel(described(node) + " with more than 32 attributes; ONNX has none such.");
        attributes.push_back(parse_attribute(field->message()));
    }
    return attributes;
}

Shape parse_shape(const Named& value) {
    Shape shape;
    Fields fields(value.message);
    while (const auto field = fields.next()) {
        if (field->number != 2) continue;
        Fields types(field->message());
        while (const auto type = types.next())
            if (type->number == 1) parse_tensor_type(type->message(), shape);
    }
    return shape;
}

TensorMessage parse_tensor(const Piece& message) {
    TensorMessage tensor;
    tensor.message = message;
    Fields fields(message);
    while (const auto field = fields.next()) switch (field->number) {
            case 1:
                add_integers(*field, tensor.dimensions);
                break;
            case 2:
                tensor.element = field->integer();
                break;
            case 8:
                tensor.name = field->text();
                break;
            case 9:
                tensor.raw = field->message();
                break;
            case 13:
                add(tensor.entries, parse_entry(field->message()), "entries of external data");
                break;
            case 14:
                tensor.external = field->integer() != 0;
                break;
            default:
                break;
        }
    return tensor;
}

std::string described(const Node& node) {
    std::string which = "The node " + quoted(node.name);
    if (node.name.empty()) {
        which = "A node without a name";
        if (!node.outputs.empty()) which += " (it makes " + quoted(node.outputs[0]) + ")";
    }
    const bool vowel = !node.operation.empty() &&
                       std::string_view("AEIOU").find(node.operation[0]) != std::string_view::npos;
    return which + (vowel ? " is an " : " is a ") + printable(node.operation, 40);
}

}  // namespace stend::unet::onnx
