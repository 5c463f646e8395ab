// Numbers lie little-endian in raw_data or beside the file, or one by one in a field of their type.
#include "unet/onnx/weights.h"

#include <algorithm>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstring>
#include <stend/unet/onnx.hpp>
#include <string>

#include "unet/onnx/attributes.h"
#include "unet/onnx/text.h"

namespace stend::unet::onnx {
namespace {

constexpr std::size_t most_bytes = (std::size_t{1} << 31U) - 1;  // as protobuf has it for files

[[noreturn]] void refuse(const TensorMessage& tensor, const std::string& what) {
    throw BadModel("The tensor " + quoted(tensor.name) + " " + what + ".");
}

// TensorProto.DataType
enum Element : std::int64_t {
    float32 = 1,
    boolean_ = 9,
    float16 = 10,
    float64 = 11,
    bfloat16 = 16
};

float from_half(std::uint16_t bits) {
    const int exponent = bits >> 10U & 0x1FU;
    const auto fraction = static_cast<float>(bits & 0x3FFU);
    const float sign = (bits & 0x8000U) != 0 ? -1.0F : 1.0F;
    if (exponent == 0) return sign * std::ldexp(fraction, -24);
    if (exponent == 31) return fraction == 0 ? sign * INFINITY : NAN;
    return sign * std::ldexp(1024 + fraction, exponent - 25);
}

float from_bfloat16(std::uint16_t bits) {
    return std::bit_cast<float>(static_cast<std::uint32_t>(bits) << 16U);
}

std::size_t bytes_of_one(const TensorMessage& tensor) {
    switch (tensor.element) {
        case float32:
            return 4;
        case float64:
            return 8;
        case float16:
        case bfloat16:
            return 2;
        default:
            refuse(tensor, "is of the type " + std::to_string(tensor.element) +
                               "; weights are numbers of float32 (1), float16 (10), float64 (11) "
                               "or bfloat16 (16)");
    }
}

std::size_t count_of(const TensorMessage& tensor) {
    std::size_t count = 1;
    for (const std::int64_t dimension : tensor.dimensions) {
        if (dimension < 1 || static_cast<std::uint64_t>(dimension) > most_bytes / count)
            refuse(tensor, "has the dimensions " + listed(tensor.dimensions) +
                               "; none may be below 1, and their product not above 2^31 - 1");
        count *= static_cast<std::size_t>(dimension);
    }
    return count;
}

template <class Stored>
Stored load(const std::byte* from) {
    Stored stored;
    std::memcpy(&stored, from, sizeof stored);
    return stored;
}

template <class Number>
std::vector<Number> decoded(const TensorMessage& tensor, std::span<const std::byte> bytes) {
    const std::size_t one = bytes_of_one(tensor);
    std::vector<Number> numbers(bytes.size() / one);
    const std::byte* from = bytes.data();
    for (Number& number : numbers) {
        if (tensor.element == float32) number = static_cast<Number>(load<float>(from));
        if (tensor.element == float64) number = static_cast<Number>(load<double>(from));
        if (tensor.element == float16) number = from_half(load<std::uint16_t>(from));
        if (tensor.element == bfloat16) number = from_bfloat16(load<std::uint16_t>(from));
        from += one;
    }
    return numbers;
}

[[noreturn]] void refuse_count(const TensorMessage& tensor, std::size_t there) {
    refuse(tensor, "has the dimensions " + listed(tensor.dimensions) + " and " +
                       std::to_string(there) + " bytes of numbers, which is not as many");
}

// float_data or double_data: whole numbers of bytes one after another, in one field or in several.
std::vector<std::byte> gathered(const TensorMessage& tensor, std::uint32_t number,
                                std::size_t wanted) {
    std::size_t there = 0;
    Fields counted(tensor.message);
    while (const auto field = counted.next())
        if (field->number == number) there += field->piece.bytes.size();
    if (there != wanted) refuse_count(tensor, there);
    std::vector<std::byte> bytes;
    bytes.reserve(there);
    Fields fields(tensor.message);
    while (const auto field = fields.next())
        if (field->number == number)
            bytes.insert(bytes.end(), field->piece.bytes.begin(), field->piece.bytes.end());
    return bytes;
}

// int32_data: one varint a number, of which a float16 or bfloat16 is the low 16 bits.
std::vector<std::byte> narrowed(const TensorMessage& tensor, std::size_t count) {
    std::vector<std::uint16_t> halves;
    const auto add = [&](std::uint64_t value) {
        if (halves.size() == count || value > 0xFFFF)
            refuse(tensor, "has more numbers than its dimensions, " + listed(tensor.dimensions) +
                               ", say, or one that has more than 16 bits");
        halves.push_back(static_cast<std::uint16_t>(value));
    };
    Fields fields(tensor.message);
    while (const auto field = fields.next()) {
        if (field->number != 5) continue;
        if (field->wire == Wire::varint) {
            add(field->value);
            continue;
        }
        for (Piece packed = field->message(); !packed.bytes.empty();) add(take_varint(packed));
    }
    if (halves.size() != count) refuse_count(tensor, 2 * halves.size());
    const auto bytes = std::as_bytes(std::span(halves));
    return {bytes.begin(), bytes.end()};
}

std::vector<std::byte> from_fields(const TensorMessage& tensor, std::size_t count) {
    if (tensor.element == float32) return gathered(tensor, 4, 4 * count);
    if (tensor.element == float64) return gathered(tensor, 10, 8 * count);
    return narrowed(tensor, count);
}

std::uint64_t parsed(const TensorMessage& tensor, const Entry& entry) {
    std::uint64_t number = 0;
    const char* end = entry.value.data() + entry.value.size();
    const auto [at, error] = std::from_chars(entry.value.data(), end, number);
    if (error != std::errc() || at != end)
        refuse(tensor, "lies beside the file, with the " + printable(entry.key, 20) + " " +
                           quoted(entry.value) + "; it must be a whole number");
    return number;
}

}  // namespace

// All weights of a file may be taken twice, in the narrowest form that there is (one byte a
// number), and as many as lie beside it; small files more often, for batch normalizations share
// what is all ones.
Weights::Weights(std::size_t bytes, std::filesystem::path folder)
    : folder_(std::move(folder)),
      left_(std::max(std::size_t{1} << 22U, 2 * bytes)),
      left_beside_(most_bytes) {}

std::vector<float> Weights::singles(const TensorMessage& tensor) {
    return numbers<float>(tensor);
}

std::vector<double> Weights::doubles(const TensorMessage& tensor) {
    return numbers<double>(tensor);
}

template <class Number>
std::vector<Number> Weights::numbers(const TensorMessage& tensor) {
    const std::size_t one = bytes_of_one(tensor), count = count_of(tensor);
    if (tensor.external) {
        std::vector<Number> numbers = decoded<Number>(tensor, beside(tensor, one * count));
        left_ += count;
        return numbers;
    }
    if (count > left_)
        refuse(
            tensor,
            "and those before it have more numbers than the file has room for: the same are used "
            "again and again, or its dimensions, " +
                listed(tensor.dimensions) + ", are wrong");
    left_ -= count;
    if (!tensor.raw) return decoded<Number>(tensor, from_fields(tensor, count));
    if (tensor.raw->bytes.size() != one * count) refuse_count(tensor, tensor.raw->bytes.size());
    return decoded<Number>(tensor, tensor.raw->bytes);
}

void Weights::spend(const Node& node, std::size_t channels, std::size_t each) {
    if (channels > left_ / each / channels)
        throw BadModel(described(node) +
                       " of more channels than a network in a file of this size "
                       "has.");
    left_ -= each * channels * channels;
}

std::vector<std::byte> Weights::beside(const TensorMessage& tensor, std::size_t bytes) {
    std::string_view location;
    std::uint64_t offset = 0, length = bytes;
    for (const Entry& entry : tensor.entries) {
        if (entry.key == "location") location = entry.value;
        if (entry.key == "offset") offset = parsed(tensor, entry);
        if (entry.key == "length") length = parsed(tensor, entry);
    }
    if (length != bytes)
        refuse(tensor, "lies beside the file in " + std::to_string(length) +
                           " bytes; its dimensions, " + listed(tensor.dimensions) + ", need " +
                           std::to_string(bytes));
    if (bytes > left_beside_)
        refuse(tensor, "and those before it lie beside the file in more than " +
                           std::to_string(most_bytes) + " bytes");
    left_beside_ -= bytes;
    return folder_.read(location, offset, bytes);
}

bool Weights::boolean(const TensorMessage& tensor) {
    if (tensor.element != boolean_ || count_of(tensor) != 1 || tensor.external)
        refuse(tensor, "is no single boolean");
    if (tensor.raw) {
        if (tensor.raw->bytes.size() != 1) refuse_count(tensor, tensor.raw->bytes.size());
        return tensor.raw->bytes[0] != std::byte{0};
    }
    std::vector<std::int64_t> values;
    Fields fields(tensor.message);
    while (const auto field = fields.next())
        if (field->number == 5) add_integers(*field, values);
    if (values.size() != 1) refuse_count(tensor, values.size());
    return values[0] != 0;
}

}  // namespace stend::unet::onnx
