// Texts of a file that may say anything. Comes in: its bytes; goes out: what can be shown in a
// sentence, and what can be kept.
#pragma once

#include <string>
#include <string_view>

namespace stend::unet::onnx {

// Of one line, at most `most` bytes long and an ellipsis; what can't be shown as \xNN.
std::string printable(std::string_view text, std::size_t most);

// In quotes, short enough for a sentence.
std::string quoted(std::string_view text);

// UTF-8, with U+FFFD for each byte that belongs to none.
std::string valid(std::string_view text);

}  // namespace stend::unet::onnx
