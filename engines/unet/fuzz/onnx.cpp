// Any bytes are read as an ONNX file: a model comes out, which is written and read again and is the
// same, or a sentence that is short and printable. Changes are made within the messages that the
// bytes consist of, and lengths are put right, so that they get past the first check. For clang's
// libFuzzer; without it a program that writes files to begin with: `onnx FOLDER`.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <random>
#include <stend/unet.hpp>

#include "onnx_files.h"
#include "unet/onnx/text.h"

namespace {

using namespace stend;
using files::Bytes;
using unet::onnx::Field;
using unet::onnx::Fields;
using unet::onnx::Wire;
using unet::onnx::Writer;

#define MUST(...)                                                                          \
    do {                                                                                   \
        if (!(__VA_ARGS__)) {                                                              \
            std::fprintf(stderr, "%s:%d: not so: %s\n", __FILE__, __LINE__, #__VA_ARGS__); \
            std::abort();                                                                  \
        }                                                                                  \
    } while (false)

void must_be_the_same(const unet::Model& a, const unet::Model& b) {
    MUST(a.layers.size() == b.layers.size() && a.tensors.size() == b.tensors.size());
    for (std::size_t i = 0; i < a.layers.size(); ++i) {
        const unet::Layer &x = a.layers[i], &y = b.layers[i];
        MUST(x.operation == y.operation && x.inputs == y.inputs && x.output == y.output);
        MUST(x.activation == y.activation && x.weights == y.weights && x.bias == y.bias);
    }
}

// What isn't folded into layers, and what is; of several types, in one piece and in Constants.
void write_seeds(const std::string& folder) {
    std::vector<Bytes> seeds = {files::one_convolution().bytes(), files::as_exported().bytes(),
                                files::padded_and_cut().bytes()};
    for (const auto last : {unet::Activation::none, unet::Activation::softmax}) {
        unet::Model model = unet::classic({.channels = 2, .depth = 2});
        model.layers.back().activation = last;
        seeds.push_back(unet::to_onnx(model));
    }
    Writer weights = files::header("w", {1, 1, 3, 3}, 1), entry;
    entry.text(1, "location");
    entry.text(2, "weights");
    weights.integer(14, 1);
    weights.message(13, entry);
    files::Graph beside = files::one_convolution();
    beside.initializers = {weights};
    seeds.push_back(beside.bytes());
    for (std::size_t i = 0; i < seeds.size(); ++i)
        std::ofstream(folder + "/seed" + std::to_string(i), std::ios::binary)
            .write(reinterpret_cast<const char*>(seeds[i].data()),
                   static_cast<std::streamsize>(seeds[i].size()));
}

}  // namespace

#if defined(STEND_LIBFUZZER)

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const auto bytes = std::as_bytes(std::span(data, size));
    try {
        const unet::OnnxModel read = unet::parse_onnx(bytes, ".");
        const unet::OnnxModel again = unet::parse_onnx(unet::to_onnx(read.model, read.properties));
        must_be_the_same(read.model, again.model);
        MUST(read.properties.size() == again.properties.size());
    } catch (const unet::BadModel& error) {
        const std::string_view sentence = error.what();
        MUST(sentence.size() < 800 && sentence.ends_with("."));
        MUST(unet::onnx::printable(sentence, 800) == sentence);
    }
    return 0;
}

extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t most);

namespace {

std::string mutated(std::string_view bytes) {
    std::string made(bytes);
    made.resize(bytes.size() + 32);
    made.resize(
        LLVMFuzzerMutate(reinterpret_cast<std::uint8_t*>(made.data()), bytes.size(), made.size()));
    return made;
}

// The fields of a message; none when it is no message.
std::vector<Field> fields_of(std::string_view message) {
    std::vector<Field> all;
    try {
        Fields fields({std::as_bytes(std::span(message)), 0});
        while (const auto field = fields.next()) all.push_back(*field);
    } catch (const unet::BadModel&) {
        return {};
    }
    return all;
}

void append(Writer& to, const Field& field, std::string_view bytes) {
    if (field.wire == Wire::varint) return to.integer(field.number, field.value);
    if (field.wire == Wire::bytes) return to.text(field.number, bytes);
    // Those of four and of eight bytes have no meaning as something else.
    to.single(field.number, 1.5F);
}

std::string changed(std::string_view message, std::mt19937& random, unsigned depth) {
    std::vector<Field> fields = fields_of(message);
    if (fields.empty() || depth == 0) return mutated(message);
    const std::size_t at = random() % fields.size(), other = random() % fields.size();
    std::string bytes(fields[at].piece.text());
    switch (random() % 8) {
        case 0:
            fields.erase(fields.begin() + static_cast<std::ptrdiff_t>(at));
            break;
        case 1:
            std::swap(fields[at], fields[other]);
            bytes = fields[at].piece.text();
            break;
        case 2:
            fields.insert(fields.begin() + static_cast<std::ptrdiff_t>(at), fields[other]);
            bytes = fields[at].piece.text();
            break;
        case 3:
            fields[at].value = std::uint64_t{1} << random() % 64;
            break;
        case 4:
            fields[at].value += random() % 9 - 4;
            break;
        default:
            if (fields[at].wire == Wire::bytes) bytes = changed(bytes, random, depth - 1);
    }
    Writer made;
    for (std::size_t i = 0; i < fields.size(); ++i)
        append(made, fields[i], i == at ? bytes : fields[i].piece.text());
    const Bytes whole = std::move(made).finished();
    return {reinterpret_cast<const char*>(whole.data()), whole.size()};
}

}  // namespace

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size,
                                               std::size_t most, unsigned seed) {
    std::mt19937 random(seed);
    if (random() % 10 == 0) return LLVMFuzzerMutate(data, size, most);
    const std::string made =
        changed({reinterpret_cast<const char*>(data), size}, random, random() % 7);
    if (made.size() > most) return LLVMFuzzerMutate(data, size, most);
    std::copy(made.begin(), made.end(), data);
    return made.size();
}

#else

int main(int count, char** arguments) {
    if (count == 2) write_seeds(arguments[1]);
    return count == 2 ? 0 : 2;
}

#endif
