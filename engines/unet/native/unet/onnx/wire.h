// The wire format of protocol buffers (protobuf.dev, "Encoding"), of which every ONNX file is made.
// Comes in: the bytes of a message; goes out: its fields, one after another, each checked against
// the bytes there are. And back again.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace stend::unet::onnx {

// A piece of the file.
struct Piece {
    std::span<const std::byte> bytes;
    std::size_t place = 0;  // of its first byte in the file

    std::string_view text() const {
        return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
    }
};

enum class Wire : std::uint8_t { varint = 0, eight_bytes = 1, bytes = 2, four_bytes = 5 };

struct Field {
    std::uint32_t number;
    Wire wire;
    std::uint64_t value;  // of a varint, else 0
    Piece piece;          // what the others hold
    std::size_t place;    // in the file

    // What the field is to hold; BadModel when it's written as something else.
    std::int64_t integer() const;
    float single() const;
    std::string_view text() const;
    const Piece& message() const;
};

// The fields of a message; unknown ones are for the caller to leave.
class Fields {
public:
    explicit Fields(const Piece& message) : left_(message) {}

    // Nothing after the last; BadModel for what is no field. Groups, which nothing has used since
    // 2008, are none.
    std::optional<Field> next();

private:
    Piece take(std::uint64_t bytes);

    Piece left_;
};

// The next varint of `from`, which is then shorter.
std::uint64_t take_varint(Piece& from);

// A message in the making.
class Writer {
public:
    void integer(std::uint32_t number, std::uint64_t value);
    void single(std::uint32_t number, float value);
    void text(std::uint32_t number, std::string_view text);
    void message(std::uint32_t number, const Writer& message);
    // A message that ends with a field of many bytes, which are copied once.
    void message(std::uint32_t number, const Writer& message, std::uint32_t last,
                 std::span<const std::byte> bytes);

    std::size_t size() const { return bytes_.size(); }
    void reserve(std::size_t bytes) { bytes_.reserve(bytes); }
    std::vector<std::byte> finished() && { return std::move(bytes_); }

private:
    void varint(std::uint64_t value);
    void tag(std::uint32_t number, Wire wire);
    void append(std::span<const std::byte> bytes);

    std::vector<std::byte> bytes_;
};

}  // namespace stend::unet::onnx
