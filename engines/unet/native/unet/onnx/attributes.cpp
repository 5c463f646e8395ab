// A node has few attributes: they are looked for one by one.
#include "unet/onnx/attributes.h"

#include <stend/unet/onnx.hpp>
#include <string>

#include "unet/onnx/text.h"

namespace stend::unet::onnx {
namespace {

[[noreturn]] void refuse_value(const Node& node, std::string_view name, const std::string& value,
                               const std::string& wanted) {
    throw BadModel(described(node) + " whose \"" + std::string(name) + "\" is " + value +
                   "; only " + wanted + " is computed here.");
}

}  // namespace

Attributes::Attributes(const Node& node)
    : node_(node), attributes_(parse_attributes(node)), seen_(attributes_.size(), false) {
    for (std::size_t i = 0; i < attributes_.size(); ++i)
        for (std::size_t other = 0; other < i; ++other)
            if (attributes_[i].name == attributes_[other].name)
                throw BadModel(described(node) + " whose attribute " + quoted(attributes_[i].name) +
                               " is given twice.");
}

const Attribute* Attributes::find(std::string_view name, Kind kind) {
    for (std::size_t i = 0; i < attributes_.size(); ++i) {
        if (attributes_[i].name != name) continue;
        if (attributes_[i].kind != kind || attributes_[i].refers)
            throw BadModel(described(node_) + " whose attribute \"" + std::string(name) +
                           "\" is of another type than ONNX says.");
        seen_[i] = true;
        return &attributes_[i];
    }
    return nullptr;
}

std::int64_t Attributes::integer(std::string_view name, std::int64_t otherwise) {
    const Attribute* found = find(name, Kind::integer);
    return found == nullptr ? otherwise : found->integer;
}

float Attributes::number(std::string_view name, float otherwise) {
    const Attribute* found = find(name, Kind::number);
    return found == nullptr ? otherwise : found->number;
}

std::string_view Attributes::text(std::string_view name, std::string_view otherwise) {
    const Attribute* found = find(name, Kind::text);
    return found == nullptr ? otherwise : found->text;
}

std::vector<std::int64_t> Attributes::integers(std::string_view name,
                                               std::vector<std::int64_t> otherwise) {
    const Attribute* found = find(name, Kind::integers);
    return found == nullptr ? std::move(otherwise) : found->integers;
}

const Piece* Attributes::tensor(std::string_view name) {
    const Attribute* found = find(name, Kind::tensor);
    return found == nullptr ? nullptr : &found->tensor;
}

void Attributes::ignore(std::string_view name) {
    for (std::size_t i = 0; i < attributes_.size(); ++i)
        if (attributes_[i].name == name) seen_[i] = true;
}

void Attributes::must_be(std::string_view name, std::int64_t otherwise, std::int64_t wanted) {
    const std::int64_t value = integer(name, otherwise);
    if (value != wanted) refuse_value(node_, name, std::to_string(value), std::to_string(wanted));
}

void Attributes::must_be(std::string_view name, const std::vector<std::int64_t>& otherwise,
                         const std::vector<std::int64_t>& wanted) {
    const std::vector<std::int64_t> value = integers(name, otherwise);
    if (value != wanted) refuse_value(node_, name, listed(value), listed(wanted));
}

void Attributes::done() const {
    for (std::size_t i = 0; i < attributes_.size(); ++i)
        if (!seen_[i])
            throw BadModel(described(node_) + " with the attribute " + quoted(attributes_[i].name) +
                           ", which is not computed here.");
}

std::string listed(const std::vector<std::int64_t>& numbers) {
    std::string list;
    for (const std::int64_t number : numbers)
        list += (list.empty() ? "" : ", ") + std::to_string(number);
    return "[" + list + "]";
}

}  // namespace stend::unet::onnx
