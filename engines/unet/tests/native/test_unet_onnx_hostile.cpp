// Whatever the bytes, a file gives a model that is one, or a sentence; soon, with memory of a small
// multiple of the file. Nothing outside its folder is read.
#if !defined(_WIN32)
#include <sys/stat.h>
#endif

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <limits>
#include <new>
#include <random>
#include <stend/unet.hpp>
#include <thread>

#include "check.h"
#include "onnx_files.h"
#include "unet/onnx/text.h"

using namespace stend;
using namespace files;

namespace {

// What is allocated now, and was at most; counted for the thread that asks.
thread_local std::size_t now = 0, most = 0;
constexpr std::size_t front = 2 * sizeof(std::max_align_t);

}  // namespace

[[gnu::noinline]] void* operator new(std::size_t size) {
    auto* memory = static_cast<std::byte*>(std::malloc(size + front));
    if (memory == nullptr) throw std::bad_alloc();
    std::memcpy(memory, &size, sizeof size);
    most = std::max(most, now += size);
    return memory + front;
}

[[gnu::noinline]] void operator delete(void* memory) noexcept {
    if (memory == nullptr) return;
    auto* begin = static_cast<std::byte*>(memory) - front;
    std::size_t size;
    std::memcpy(&size, begin, sizeof size);
    now -= size;
    std::free(begin);
}

void operator delete(void* memory, std::size_t) noexcept {
    operator delete(memory);
}

namespace {

// Small files may take what tables of names and the like take.
constexpr std::size_t little = std::size_t{48} << 20U;

bool is_a_sentence(const std::string& text) {
    return text.size() < 800 && text.ends_with(".") && unet::onnx::printable(text, 800) == text;
}

// Reads it; what was wrong is told, what was right is a model that is written and read again.
std::string promised(const Bytes& bytes, const std::filesystem::path& folder = {}) {
    now = most = 0;
    try {
        const unet::OnnxModel read = unet::parse_onnx(bytes, folder);
        CHECK(most < little + 20 * bytes.size());
        unet::check(read.model);
        const unet::OnnxModel again = unet::parse_onnx(unet::to_onnx(read.model, read.properties));
        CHECK(again.model.layers.size() == read.model.layers.size());
        CHECK(again.properties.size() == read.properties.size());
        return "";
    } catch (const unet::BadModel& error) {
        CHECK(most < little + 20 * bytes.size());
        CHECK(is_a_sentence(error.what()));
        return error.what();
    }
}

Bytes good() {
    unet::Model model = unet::classic({.outputs = 1, .channels = 2, .depth = 1});
    model.layers.back().activation = unet::Activation::softmax;
    const std::vector<unet::Property> properties = {{"key", "value"}};
    return unet::to_onnx(model, properties);
}

// `step` 1: every byte.
void a_file_that_is_cut_anywhere_is_refused(std::size_t step) {
    const Bytes bytes = good();
    CHECK(promised(bytes).empty());
    std::size_t whole = 0;
    for (std::size_t size = 0; size < bytes.size(); size += step)
        if (promised({bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(size)}).empty())
            ++whole;
    CHECK(whole <= 1);  // only the properties, which come last, are no loss
}

void a_file_with_any_bit_turned_keeps_the_promise(std::size_t step) {
    Bytes bytes = good();
    for (std::size_t i = 0; i < bytes.size(); i += step)
        for (unsigned bit = 0; bit < 8; ++bit) {
            const std::byte before = bytes[i];
            bytes[i] ^= std::byte{1} << bit;
            promised(bytes);
            bytes[i] = before;
        }
}

// Pieces put elsewhere, repeated or left out, and bytes that are the ends of ranges.
void spliced_files_keep_the_promise(int rounds) {
    const Bytes from = good();
    std::mt19937 random(20261122);
    const auto below = [&](std::size_t limit) {
        return static_cast<std::ptrdiff_t>(random() % limit);
    };
    for (int round = 0; round < rounds; ++round) {
        Bytes bytes = from;
        for (int change = 1 + below(4); change > 0; --change) {
            const auto begin = below(from.size()), length = below(1 + from.size() / 4);
            const auto end = std::min(begin + length, static_cast<std::ptrdiff_t>(from.size()));
            const auto at = bytes.begin() + below(bytes.size() + 1);
            const auto stop = at + std::min<std::ptrdiff_t>(below(40), bytes.end() - at);
            constexpr std::byte ends[] = {std::byte{0}, std::byte{0x7F}, std::byte{0x80},
                                          std::byte{0xFF}};
            switch (below(4)) {
                case 0:
                    bytes.insert(at, from.begin() + begin, from.begin() + end);
                    break;
                case 1:
                    bytes.erase(at, stop);
                    break;
                case 2:
                    std::fill(at, stop, ends[below(4)]);
                    break;
                default:
                    std::copy_n(from.begin() + begin, std::min(end - begin, bytes.end() - at), at);
            }
        }
        promised(bytes);
    }
}

void messages_that_are_none_are_refused() {
    for (const std::string_view text :
         {"", "\x3a", "\x3a\xff\xff\xff\xff\x0f", "\x00\x00", "\x3b\x3c",
          "\x08\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff", "\xff\xff\xff\xff\xff\x01",
          "\x3d\x01", "\x39\x01", "\x38\x01", "<html></html>", "PK\x03\x04"}) {
        const auto bytes = std::as_bytes(std::span(text));
        CHECK(!promised({bytes.begin(), bytes.end()}).empty());
    }
    CHECK(holds(promised({std::byte{0x3a}, std::byte{5}, std::byte{0}}),
                "at byte 2 there should follow 5 bytes, but 1 are left"));
}

std::string of_dimensions(const std::vector<std::int64_t>& dimensions) {
    Graph graph = one_convolution();
    graph.initializers = {floats("w", dimensions, eighths(9))};
    return promised(graph.bytes());
}

void dimensions_are_not_believed() {
    constexpr auto last = std::numeric_limits<std::int64_t>::max();
    CHECK(!of_dimensions({last, 1, 3, 3}).empty());
    CHECK(!of_dimensions({last, 1, last, last}).empty());
    CHECK(!of_dimensions({1LL << 32, 1, 1LL << 32, 1}).empty());
    CHECK(holds(of_dimensions({65536, 1, 3, 3}), "bytes of numbers, which is not as many"));
    CHECK(holds(of_dimensions({1LL << 26, 1, 3, 3}), "file has room for"));
    CHECK(holds(of_dimensions({-1, 1, 3, 3}), "-1 output channels"));
    CHECK(holds(of_dimensions({1, -1, 3, 3}), "-1 input channels"));
    CHECK(holds(of_dimensions({0, 1, 3, 3}), "0 output channels"));
    CHECK(!of_dimensions({1, 1, 3, 0}).empty());
    CHECK(!of_dimensions({}).empty());
    CHECK(!of_dimensions(std::vector<std::int64_t>(100000, 1)).empty());
    for (const std::int64_t channels : {last, std::int64_t{1} << 32U, std::int64_t{-5}}) {
        Graph graph = one_convolution();
        graph.inputs = {value("x", {0, channels, 0, 0})};
        CHECK(!promised(graph.bytes()).empty());
    }
}

Graph chain(std::size_t nodes, const char* operation, const std::vector<Writer>& attributes = {}) {
    Graph graph = one_convolution();
    graph.nodes.clear();
    for (std::size_t i = nodes; i-- > 0;) {
        const std::string from = i == 0 ? "x" : std::to_string(i);
        graph.nodes.push_back(node(operation, {from},
                                   {i + 1 == nodes ? "y" : std::to_string(i + 1)}, attributes, ""));
    }
    return graph;
}

void long_graphs_are_soon_refused() {
    CHECK(holds(promised(chain(70000, "Relu").bytes()), "more than 65536 nodes"));
    CHECK(!promised(chain(60000, "Identity").bytes()).empty());
    Graph graph = one_convolution();
    graph.more.text(1, "");
    Bytes empty(2000000);  // a million nodes of two bytes
    for (std::size_t i = 0; i < empty.size(); i += 2) empty[i] = std::byte{0x0A};
    Writer file;
    file.integer(1, 8);
    file.text(7, {reinterpret_cast<const char*>(empty.data()), empty.size()});
    CHECK(holds(promised(std::move(file).finished()), "more than 65536 nodes"));
}

// Of 2^31 channels, the numbers that enlarge them would be 2^64.
void channels_are_not_believed() {
    Graph graph;
    graph.nodes = {node("MaxPool", {"x"}, {"pool"},
                        {integers("strides", {2, 2}), integers("kernel_shape", {2, 2})}),
                   node("Concat", Names(32768, "pool"), {"joined"}, {integer("axis", 1)}),
                   node("Resize", {"joined", "", "twice"}, {"y"},
                        {text("coordinate_transformation_mode", "asymmetric"),
                         text("nearest_mode", "floor")})};
    graph.initializers = {floats("twice", {4}, {1, 1, 2, 2})};
    for (const std::int64_t channels : {1, 65536}) {
        graph.inputs = {value("x", {0, channels, 0, 0})};
        CHECK(holds(promised(graph.bytes()), "of more channels than a network in a file"));
    }
    graph.nodes = {node("Concat", {"x", "x"}, {"both"}, {integer("axis", 1)}),
                   node("Slice", {"both", "one", "one", "one"}, {"y"})};
    graph.initializers = {wholes("one", {1}, {1})};
    graph.inputs = {value("x", {0, std::int64_t{1} << 62, 0, 0})};
    CHECK(holds(promised(graph.bytes()), "at most 65536 are"));
}

void sides_are_not_halved_beyond_their_bits() {
    Graph graph =
        chain(70, "MaxPool", {integers("strides", {2, 2}), integers("kernel_shape", {2, 2})});
    graph.nodes.push_back(node("Shape", {"y"}, {"sides"}));
    graph.nodes.push_back(node(
        "Resize", {"y", "", "", "sides"}, {"z"},
        {text("coordinate_transformation_mode", "asymmetric"), text("nearest_mode", "floor")}));
    graph.outputs = {value("z", {0, 1, 0, 0})};
    CHECK(holds(promised(graph.bytes()), "is halved"));
}

// One dimension more a node.
void sizes_do_not_get_dimensions_without_end() {
    Graph graph = chain(20000, "Unsqueeze", {integers("axes", {0})});
    graph.nodes.push_back(node("Shape", {"image"}, {"x"}));
    graph.inputs = {value("image", {0, 1, 0, 0})};
    CHECK(holds(promised(graph.bytes()), "dimensions"));
    graph = chain(20000, "Cast", {integer("to", 7)});
    graph.initializers = {wholes("x", std::vector<std::int64_t>(20000, 1), {1})};
    graph.inputs = {value("image", {0, 1, 0, 0})};
    CHECK(holds(promised(graph.bytes()), "dimensions"));
    graph.initializers = {wholes("x", {64}, std::vector<std::int64_t>(64, 1))};
    CHECK(!promised(graph.bytes()).empty());
}

// Each node joins the one before it with itself.
void joins_do_not_grow_without_end() {
    Graph graph = one_convolution();
    graph.nodes = {node("Conv", {"x", "w"}, {"0"}, {integers("pads", {1, 1, 1, 1})})};
    for (int i = 0; i < 64; ++i)
        graph.nodes.push_back(node("Concat", {std::to_string(i), std::to_string(i)},
                                   {i == 63 ? "y" : std::to_string(i + 1)}, {integer("axis", 1)}));
    CHECK(holds(promised(graph.bytes()), "number of joined tensors"));
}

void weights_are_not_taken_again_and_again() {
    Graph graph;
    constexpr std::int64_t channels = 256;
    graph.inputs = {value("x", {0, channels, 0, 0})};
    graph.initializers = {
        floats("w", {channels, channels, 3, 3}, eighths(9 * channels * channels))};
    for (int i = 0; i < 4000; ++i)
        graph.nodes.push_back(node("Conv", {i == 0 ? "x" : std::to_string(i), "w"},
                                   {i == 3999 ? "y" : std::to_string(i + 1)},
                                   {integers("pads", {1, 1, 1, 1})}));
    CHECK(holds(promised(graph.bytes()), "the same are used again and again"));
}

// A folder of its own for a test, with a file beside it.
class Scratch {
public:
    Scratch() {
        outside_ = std::filesystem::temp_directory_path() /
                   ("stend_onnx_" + std::to_string(std::random_device()()));
        CHECK(std::filesystem::create_directory(outside_));
        std::filesystem::create_directories(folder() / "below");
    }
    Scratch(const Scratch&) = delete;
    Scratch& operator=(const Scratch&) = delete;
    ~Scratch() { std::filesystem::remove_all(outside_); }

    std::filesystem::path outside() const { return outside_; }
    std::filesystem::path folder() const { return outside_ / "model"; }

    static void write(const std::filesystem::path& file, const std::vector<float>& numbers) {
        std::ofstream(file, std::ios::binary) << raw(numbers);
    }

private:
    std::filesystem::path outside_;
};

Writer weights_beside(const std::vector<std::int64_t>& dimensions, std::string_view location,
                      std::string_view offset = "", std::string_view length = "") {
    Writer weights = header("w", dimensions, 1);
    weights.integer(14, 1);
    for (const auto& [key, value] :
         {std::pair<std::string_view, std::string_view>{"location", location},
          {"offset", offset},
          {"length", length}}) {
        Writer entry;
        entry.text(1, key);
        entry.text(2, value);
        if (!value.empty()) weights.message(13, entry);
    }
    return weights;
}

Bytes beside(std::string_view location, std::string_view offset = "",
             std::string_view length = "") {
    Graph graph = one_convolution();
    graph.initializers = {weights_beside({1, 1, 3, 3}, location, offset, length)};
    return graph.bytes();
}

void weights_beside_the_file_are_read() {
    const Scratch scratch;
    const auto folder = scratch.folder();
    Scratch::write(folder / "below/weights", eighths(12));
    CHECK(promised(beside("below/weights"), folder).empty());
    CHECK(promised(beside("./below//weights", "12", "36"), folder).empty());
    std::vector<float> later = eighths(12);
    later.erase(later.begin(), later.begin() + 3);
    CHECK(unet::parse_onnx(beside("below/weights", "12"), folder).model.layers[0].weights == later);
    const Bytes bytes = beside("below/weights");
    std::ofstream(folder / "model.onnx", std::ios::binary)
        .write(reinterpret_cast<const char*>(bytes.data()),
               static_cast<std::streamsize>(bytes.size()));
    CHECK(unet::read_onnx(folder / "model.onnx").model.layers[0].weights == eighths(9));
}

// A network is as large as its weights, wherever they lie: these let 1040 channels be enlarged.
void weights_beside_the_file_count_as_its_own() {
    const Scratch scratch;
    constexpr std::int64_t channels = 1040;
    Scratch::write(scratch.folder() / "weights", eighths(channels * channels));
    Graph graph;
    graph.inputs = {value("x", {0, channels, 0, 0})};
    graph.nodes = {node("MaxPool", {"x"}, {"pool"},
                        {integers("strides", {2, 2}), integers("kernel_shape", {2, 2})}),
                   node("Conv", {"pool", "w"}, {"made"}),
                   node("Resize", {"made", "", "twice"}, {"y"},
                        {text("coordinate_transformation_mode", "asymmetric"),
                         text("nearest_mode", "floor")})};
    graph.initializers = {weights_beside({channels, channels, 1, 1}, "weights"),
                          floats("twice", {4}, {1, 1, 2, 2})};
    CHECK(promised(graph.bytes(), scratch.folder()).empty());
}

// What leads out of the folder, or to no end; on Windows ordinary users may make no links.
void plant_ways_out([[maybe_unused]] const Scratch& scratch) {
#if !defined(_WIN32)
    const auto folder = scratch.folder();
    std::filesystem::create_symlink(scratch.outside() / "secret", folder / "link");
    std::filesystem::create_directory_symlink(scratch.outside(), folder / "below/up");
    CHECK(mkfifo((folder / "fifo").c_str(), 0600) == 0);
#endif
}

void nothing_outside_the_folder_is_read() {
    const Scratch scratch;
    const auto folder = scratch.folder();
    Scratch::write(scratch.outside() / "secret", eighths(9));
    Scratch::write(folder / "weights", eighths(9));
    plant_ways_out(scratch);
    using namespace std::string_view_literals;
    const std::string whole = (folder / "weights").string();
    for (const std::string_view location : {"../secret"sv,
                                            "below/../../secret"sv,
                                            ".."sv,
                                            "."sv,
                                            ""sv,
                                            "/etc/passwd"sv,
                                            std::string_view(whole),
                                            "link"sv,
                                            "below/up/secret"sv,
                                            "below/up"sv,
                                            "weights\0"sv,
                                            "fifo"sv,
                                            "below"sv,
                                            "weights/"sv,
                                            "weights/x"sv,
                                            "missing"sv,
                                            "..\\secret"sv,
                                            "weights:x"sv,
                                            "below\\..\\weights"sv,
                                            "CON"sv,
                                            "weights."sv,
                                            "\xff"sv})
        CHECK(holds(promised(beside(location), folder), "are said to be in the file"));
    CHECK(holds(promised(beside("weights"), {}), "has no folder"));
    CHECK(holds(promised(beside("weights"), folder / "gone"), "can't be opened"));
    CHECK(promised(beside("weights"), folder).empty());
}

void offsets_and_lengths_are_within_the_file() {
    const Scratch scratch;
    Scratch::write(scratch.folder() / "w", eighths(9));
    const auto refused = [&](std::string_view offset, std::string_view length) {
        return promised(beside("w", offset, length), scratch.folder());
    };
    CHECK(holds(refused("4", ""), "it has 36 bytes; 36 from byte 4 on are needed"));
    CHECK(holds(refused("18446744073709551615", ""), "it has 36 bytes"));
    CHECK(holds(refused("18446744073709551616", ""), "must be a whole number"));
    CHECK(holds(refused("-4", ""), "\"-4\"; it must be a whole number"));
    CHECK(holds(refused("0x0", ""), "must be a whole number"));
    CHECK(holds(refused("", "40"), "in 40 bytes; its dimensions, [1, 1, 3, 3], need 36"));
}

// Whatever is found at a moment, it is the weights or a sentence.
void a_file_may_shrink_and_grow_meanwhile() {
    const Scratch scratch;
    const auto file = scratch.folder() / "w";
    Scratch::write(file, eighths(9));
    std::atomic<bool> done = false;
    std::thread changes([&] {
        while (!done) {
            std::filesystem::resize_file(file, 10);
            std::filesystem::resize_file(file, 36);
        }
    });
    for (int i = 0; i < 300; ++i) promised(beside("w"), scratch.folder());
    done = true;
    changes.join();
}

void only_regular_files_are_models() {
    const Scratch scratch;
    const auto large = scratch.folder() / "large";
    std::ofstream(large, std::ios::binary).seekp((std::int64_t{1} << 31U) - 1).put('x');
    const auto why = [](const std::filesystem::path& file) -> std::string {
        try {
            unet::read_onnx(file);
        } catch (const unet::BadModel& error) {
            CHECK(is_a_sentence(error.what()));
            return error.what();
        }
        return "";
    };
    CHECK(holds(why(scratch.folder()), "is no regular file"));
#if !defined(_WIN32)
    const auto fifo = scratch.folder() / "fifo\n";
    CHECK(mkfifo(fifo.c_str(), 0600) == 0);
    CHECK(holds(why(fifo), "is no regular file"));
    CHECK(holds(why("/dev/zero"), "is no regular file"));
#endif
    CHECK(holds(why(large), "has 2147483648 bytes; ONNX files have at most 2147483647"));
    CHECK(holds(why(scratch.folder() / "missing"), "can't be opened (No such file"));
    CHECK(holds(why(""), "can't be opened"));
}

}  // namespace

int main(int count, char**) {
    const bool brief = count > 1;
    a_file_that_is_cut_anywhere_is_refused(brief ? 7 : 1);
    a_file_with_any_bit_turned_keeps_the_promise(brief ? 7 : 1);
    spliced_files_keep_the_promise(brief ? 300 : 10000);
    messages_that_are_none_are_refused();
    dimensions_are_not_believed();
    long_graphs_are_soon_refused();
    channels_are_not_believed();
    sides_are_not_halved_beyond_their_bits();
    sizes_do_not_get_dimensions_without_end();
    joins_do_not_grow_without_end();
    weights_are_not_taken_again_and_again();
    weights_beside_the_file_are_read();
    weights_beside_the_file_count_as_its_own();
    nothing_outside_the_folder_is_read();
    offsets_and_lengths_are_within_the_file();
    a_file_may_shrink_and_grow_meanwhile();
    only_regular_files_are_models();
    return 0;
}
