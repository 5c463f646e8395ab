// ONNX's messages (onnx.proto), as far as they matter here. Comes in: pieces of the file; goes out:
// what they say, as views of it. What is large or comes in great number stays in its piece until it
// is needed, so that little memory is taken whatever the file says.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "unet/onnx/wire.h"

namespace stend::unet::onnx {

struct Entry {
    std::string_view key, value;
};

struct OperatorSet {
    std::string_view domain;
    std::int64_t version = 0;
};

// A TensorProto or ValueInfoProto of that name.
struct Named {
    std::string_view name;
    Piece message;
};

struct Node {
    std::string_view name, operation, domain;
    std::vector<std::string_view> inputs, outputs;  // an empty one was left out
    Piece message;
};

struct Graph {
    std::vector<Node> nodes;
    std::vector<Named> initializers, inputs, outputs;
    bool sparse_initializers = false;
};

struct File {
    std::int64_t version = 0;
    std::vector<OperatorSet> operator_sets;
    std::vector<Entry> properties;
    bool functions = false;
    std::optional<Graph> graph;
};

// What an attribute's value is (AttributeProto.AttributeType).
enum class Kind : std::int64_t {
    undefined = 0,
    number = 1,
    integer = 2,
    text = 3,
    tensor = 4,
    integers = 7
};

struct Attribute {
    std::string_view name;
    Kind kind = Kind::undefined;  // or one that isn't read here
    bool refers = false;          // to a function's attribute
    std::int64_t integer = 0;
    float number = 0;
    std::string_view text;
    std::vector<std::int64_t> integers;
    Piece tensor;
};

// What a ValueInfoProto says of a tensor. Dimensions that are not fixed are 0.
struct Shape {
    std::int64_t element = 0;  // TensorProto.DataType; 0: it doesn't say
    std::optional<std::vector<std::int64_t>> dimensions;
};

struct TensorMessage {
    std::string_view name;
    std::vector<std::int64_t> dimensions;
    std::int64_t element = 0;  // TensorProto.DataType
    std::optional<Piece> raw;  // else numbers are in fields of `message`
    bool external = false;     // or in a file that these entries tell
    std::vector<Entry> entries;
    Piece message;
};

// All throw BadModel.
File parse_file(const Piece& message);
std::vector<Attribute> parse_attributes(const Node& node);
Shape parse_shape(const Named& value);
TensorMessage parse_tensor(const Piece& message);

// Adds what a repeated integer field holds, packed or not; at most 16 are taken in all, more than
// any that is computed here has.
void add_integers(const Field& field, std::vector<std::int64_t>& integers);

// The node "name" is a Conv
std::string described(const Node& node);

}  // namespace stend::unet::onnx
