// UTF-8 (RFC 3629), taken apart by the character.
#include "unet/onnx/text.h"

#include <cstdint>

namespace stend::unet::onnx {
namespace {

struct Character {
    std::size_t bytes;  // 0: those at hand are none
    std::uint32_t code;
};

std::uint32_t byte(std::string_view text, std::size_t i) {
    return i < text.size() ? static_cast<unsigned char>(text[i]) : 0;
}

// The bytes that follow the first carry six bits each, after the bits 10.
Character first(std::string_view text) {
    const std::uint32_t lead = byte(text, 0);
    if (lead < 0x80) return {1, lead};
    const std::size_t bytes = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
    std::uint32_t code = lead & (0x7FU >> bytes);
    for (std::size_t i = 1; i < bytes; ++i) {
        if ((byte(text, i) & 0xC0U) != 0x80) return {0, 0};
        code = code << 6U | (byte(text, i) & 0x3FU);
    }
    constexpr std::uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
    const bool surrogate = code >= 0xD800 && code <= 0xDFFF;
    if (lead < 0xC0 || lead > 0xF4 || code < least[bytes] || code > 0x10FFFF || surrogate)
        return {0, 0};
    return {bytes, code};
}

// Neither a control character nor one that turns the direction of the text around it.
bool shows(std::uint32_t code) {
    const bool control = code < 0x20 || (code >= 0x7F && code < 0xA0);
    const bool separates = code == 0x2028 || code == 0x2029;
    const bool turns = code == 0x061C || code == 0x200E || code == 0x200F ||
                       (code >= 0x202A && code <= 0x202E) || (code >= 0x2066 && code <= 0x2069);
    return !control && !separates && !turns && code != 0xFEFF;
}

std::string escaped(std::string_view bytes) {
    constexpr const char* digits = "0123456789abcdef";
    std::string made;
    for (const char each : bytes) {
        const auto value = static_cast<unsigned char>(each);
        made += {'\\', 'x', digits[value >> 4U], digits[value & 15U]};
    }
    return made;
}

}  // namespace

std::string printable(std::string_view text, std::size_t most) {
    std::string made;
    while (!text.empty()) {
        const auto [bytes, code] = first(text);
        const std::string_view taken = text.substr(0, bytes == 0 ? 1 : bytes);
        const std::string next = bytes != 0 && shows(code) ? std::string(taken) : escaped(taken);
        if (made.size() + next.size() > most) return made + "…";
        made += next;
        text.remove_prefix(taken.size());
    }
    return made;
}

std::string quoted(std::string_view text) {
    std::string quote = "\"";
    quote += printable(text, 60);
    return quote += "\"";
}

std::string valid(std::string_view text) {
    std::string made;
    while (!text.empty()) {
        const std::size_t bytes = first(text).bytes;
        made += bytes == 0 ? std::string_view("\uFFFD") : text.substr(0, bytes);
        text.remove_prefix(bytes == 0 ? 1 : bytes);
    }
    return made;
}

}  // namespace stend::unet::onnx
