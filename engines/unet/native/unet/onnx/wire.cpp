// Lengths are compared with the bytes that are left before anything is done with them.
#include "unet/onnx/wire.h"

#include <bit>
#include <cstring>
#include <stend/unet/onnx.hpp>
#include <string>

namespace stend::unet::onnx {
namespace {

static_assert(std::endian::native == std::endian::little);  // as numbers lie in the file

[[noreturn]] void refuse(std::size_t place, const std::string& what) {
    throw BadModel("The file is no ONNX model, or cut or damaged: at byte " +
                   std::to_string(place) + " " + what + ".");
}

[[noreturn]] void refuse_kind(const Field& field) {
    refuse(field.place, "the field " + std::to_string(field.number) +
                            " is written as something else than ONNX has there");
}

}  // namespace

std::uint64_t take_varint(Piece& from) {
    std::uint64_t value = 0;
    for (std::size_t i = 0; i < from.bytes.size() && i < 10; ++i) {
        const auto byte = static_cast<std::uint64_t>(from.bytes[i]);
        value |= (byte & 0x7FU) << (7 * i);  // of the tenth, one bit counts
        if (byte < 0x80) {
            from = {from.bytes.subspan(i + 1), from.place + i + 1};
            return value;
        }
    }
    refuse(from.place, "a number has no end");
}

std::int64_t Field::integer() const {
    if (wire != Wire::varint) refuse_kind(*this);
    return static_cast<std::int64_t>(value);
}

float Field::single() const {
    if (wire != Wire::four_bytes) refuse_kind(*this);
    float number;
    std::memcpy(&number, piece.bytes.data(), sizeof number);
    return number;
}

std::string_view Field::text() const {
    return message().text();
}

const Piece& Field::message() const {
    if (wire != Wire::bytes) refuse_kind(*this);
    return piece;
}

Piece Fields::take(std::uint64_t bytes) {
    if (bytes > left_.bytes.size())
        refuse(left_.place, "there should follow " + std::to_string(bytes) + " bytes, but " +
                                std::to_string(left_.bytes.size()) + " are left");
    const auto count = static_cast<std::size_t>(bytes);
    const Piece taken{left_.bytes.first(count), left_.place};
    left_ = {left_.bytes.subspan(count), left_.place + count};
    return taken;
}

std::optional<Field> Fields::next() {
    if (left_.bytes.empty()) return std::nullopt;
    const std::size_t place = left_.place;
    const std::uint64_t tag = take_varint(left_);
    if (tag < 8 || tag > UINT32_MAX) refuse(place, "there is no field's number");
    Field field{static_cast<std::uint32_t>(tag >> 3U), Wire::varint, 0, {}, place};
    switch (tag & 7U) {
        case 0:
            field.value = take_varint(left_);
            return field;
        case 1:
            field.wire = Wire::eight_bytes, field.piece = take(8);
            return field;
        case 2:
            field.wire = Wire::bytes, field.piece = take(take_varint(left_));
            return field;
        case 5:
            field.wire = Wire::four_bytes, field.piece = take(4);
            return field;
        default:
            refuse(place, "a field has the wire type " + std::to_string(tag & 7U));
    }
}

void Writer::varint(std::uint64_t value) {
    for (; value >= 0x80; value >>= 7U) bytes_.push_back(static_cast<std::byte>(value | 0x80U));
    bytes_.push_back(static_cast<std::byte>(value));
}

void Writer::tag(std::uint32_t number, Wire wire) {
    varint(std::uint64_t{number} << 3U | static_cast<std::uint64_t>(wire));
}

void Writer::append(std::span<const std::byte> bytes) {
    bytes_.insert(bytes_.end(), bytes.begin(), bytes.end());
}

void Writer::integer(std::uint32_t number, std::uint64_t value) {
    tag(number, Wire::varint);
    varint(value);
}

void Writer::single(std::uint32_t number, float value) {
    tag(number, Wire::four_bytes);
    append(std::as_bytes(std::span(&value, 1)));
}

void Writer::text(std::uint32_t number, std::string_view text) {
    tag(number, Wire::bytes);
    varint(text.size());
    append(std::as_bytes(std::span(text)));
}

void Writer::message(std::uint32_t number, const Writer& message) {
    tag(number, Wire::bytes);
    varint(message.size());
    append(message.bytes_);
}

void Writer::message(std::uint32_t number, const Writer& message, std::uint32_t last,
                     std::span<const std::byte> bytes) {
    Writer head;
    head.append(message.bytes_);
    head.tag(last, Wire::bytes);
    head.varint(bytes.size());
    tag(number, Wire::bytes);
    varint(head.size() + bytes.size());
    append(head.bytes_);
    append(bytes);
}

}  // namespace stend::unet::onnx
