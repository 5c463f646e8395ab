// The attributes of one node. Comes in: a node; goes out: the value of each, or ONNX's default.
// What nobody asked for is refused in the end, for it might change what the node computes.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "unet/onnx/messages.h"

namespace stend::unet::onnx {

class Attributes {
public:
    // All throw BadModel: for one that comes twice or has another type than ONNX says.
    explicit Attributes(const Node& node);

    std::int64_t integer(std::string_view name, std::int64_t otherwise);
    float number(std::string_view name, float otherwise);
    std::string_view text(std::string_view name, std::string_view otherwise);
    std::vector<std::int64_t> integers(std::string_view name, std::vector<std::int64_t> otherwise);
    const Piece* tensor(std::string_view name);  // null: there is none

    // What makes no difference here.
    void ignore(std::string_view name);

    // BadModel when it isn't what alone is computed here.
    void must_be(std::string_view name, std::int64_t otherwise, std::int64_t wanted);
    void must_be(std::string_view name, const std::vector<std::int64_t>& otherwise,
                 const std::vector<std::int64_t>& wanted);

    // BadModel when there is one that was not asked for.
    void done() const;

private:
    const Attribute* find(std::string_view name, Kind kind);

    const Node& node_;
    std::vector<Attribute> attributes_;
    std::vector<bool> seen_;
};

// [1, 2, 3]
std::string listed(const std::vector<std::int64_t>& numbers);

}  // namespace stend::unet::onnx
