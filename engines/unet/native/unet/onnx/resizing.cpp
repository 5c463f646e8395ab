// Attributes, inputs and their defaults are those of ONNX's operators Pad, Slice, Resize, Upsample.
#include "unet/onnx/resizing.h"

#include <algorithm>
#include <stend/unet/onnx.hpp>
#include <string>
#include <string_view>

#include "unet/onnx/attributes.h"
#include "unet/onnx/text.h"

namespace stend::unet::onnx {
namespace {

using Integers = std::vector<std::int64_t>;

constexpr std::string_view divisible =
    "; export the model for images whose sides can be halved as often as it does, and it will "
    "need none";

[[noreturn]] void refuse(const Node& node, const std::string& why) {
    throw BadModel(described(node) + " " + why + ".");
}

bool is_zero(const Number& number) {
    return std::all_of(number.begin(), number.begin() + even,
                       [](std::int64_t value) { return value == 0; });
}

// Of all four sides, unless an input says which.
Integers axes(const Resized& given, std::size_t place, const Integers& otherwise) {
    const Numbers* found = given.numbers(place);
    Integers chosen = found == nullptr
                          ? otherwise
                          : fixed(given.node, *found, "along axes that depend on the images' size");
    for (std::int64_t& axis : chosen) {
        if (axis < -4 || axis > 3)
            refuse(given.node, "along the axis " + std::to_string(axis) + "; images have four");
        axis = (axis + 4) % 4;
    }
    return chosen;
}

const Numbers& needed(const Resized& given, std::size_t place) {
    const Numbers* found = given.numbers(place);
    if (found == nullptr) refuse(given.node, "without its input " + std::to_string(place + 1));
    return *found;
}

void check_mode(const Resized& given, std::string_view what, std::string_view value,
                std::initializer_list<std::string_view> computed) {
    if (std::ranges::find(computed, value) != computed.end()) return;
    refuse(given.node, "whose \"" + std::string(what) + "\" is " + quoted(value) +
                           "; images are enlarged here by 2 to the nearest pixel (of PyTorch "
                           "Upsample(scale_factor=2, mode=\"nearest\")) or by ConvTranspose of "
                           "2×2: a network has to be taught with one of these");
}

// Those of a Resize since the operator set 11, such that pixel x comes of ⌊x/2⌋ exactly.
void check_nearest(const Resized& given, Attributes& attributes) {
    const std::string_view ways = attributes.text("coordinate_transformation_mode", "half_pixel");
    const std::string_view rounding = attributes.text("nearest_mode", "round_prefer_floor");
    check_mode(given, "coordinate_transformation_mode", ways,
               {"asymmetric", "half_pixel", "pytorch_half_pixel", "half_pixel_symmetric",
                "tf_half_pixel_for_nn"});
    if (ways == "asymmetric" || ways == "tf_half_pixel_for_nn")
        check_mode(given, "nearest_mode", rounding, {"floor"});
    else
        check_mode(given, "nearest_mode", rounding, {"round_prefer_floor", "round_prefer_ceil"});
    attributes.must_be("antialias", 0, 0);
    attributes.ignore("cubic_coeff_a");
    attributes.ignore("exclude_outside");
    attributes.ignore("extrapolation_value");
    attributes.ignore("keep_aspect_ratio_policy");
}

bool doubles(const Resized& given, const Numbers& sizes, std::size_t sample) {
    for (std::size_t side = 0; side < 4; ++side)
        if (sizes.values[side][sample] != given.sides[side][sample] * (side < 2 ? 1 : 2))
            return false;
    return true;
}

bool doubles(const Resized& given, const Numbers& sizes) {
    return sizes.values.size() == 4 && doubles(given, sizes, 0) && doubles(given, sizes, 1) &&
           doubles(given, sizes, 2);
}

// What a Pad adds before and behind each of the four sides, at a sample.
struct Around {
    Integers before = Integers(4, 0), behind = Integers(4, 0);
};

Around around(const Resized& given, const Numbers& pads, std::size_t sample) {
    const Integers sides = axes(given, 3, {0, 1, 2, 3});
    Around found;
    for (std::size_t i = 0; i < sides.size(); ++i) {
        found.before[static_cast<std::size_t>(sides[i])] = pads.values[i][sample];
        found.behind[static_cast<std::size_t>(sides[i])] = pads.values[sides.size() + i][sample];
    }
    return found;
}

Numbers pads_of(const Resized& given, Attributes& attributes) {
    return given.operator_set < 11 ? list(attributes.integers("pads", {})) : needed(given, 1);
}

bool adds_zeros(const Resized& given) {
    return given.operator_set < 11
               ? Attributes(given.node).number("value", 0) == 0
               : std::ranges::all_of(given.floats(2), [](float x) { return x == 0; });
}

}  // namespace

unsigned padded(const Resized& given) {
    const Node& node = given.node;
    Attributes attributes(node);
    const std::string_view mode = attributes.text("mode", "constant");
    const Numbers pads = pads_of(given, attributes);
    attributes.ignore("value");  // looked at below, where it counts
    attributes.done();
    const Integers sides = axes(given, 3, {0, 1, 2, 3});
    if (pads.values.size() != 2 * sides.size())
        refuse(node, "by " + std::to_string(pads.values.size()) + " numbers; it needs " +
                         std::to_string(2 * sides.size()));
    if (std::ranges::all_of(pads.values, is_zero)) return 0;
    fixed(node, pads,
          "by numbers that depend on the images' size, and not only where sides can't be halved "
          "often enough");
    const auto [before, behind] = around(given, pads, 0);
    if (mode != "constant")
        refuse(node, "whose \"mode\" is " + quoted(mode) +
                         "; zeros alone are padded here: a network has to be taught with them");
    const Integers border{0, 0, 1, 1};
    if (before == border && behind == border && adds_zeros(given)) return 1;
    refuse(node, "that adds " + listed(before) + " before and " + listed(behind) +
                     " behind; only one zero around, for a convolution of 3×3, is computed here" +
                     std::string(divisible));
}

bool pads_alike(const Resized& given) {
    Attributes attributes(given.node);
    return std::ranges::all_of(pads_of(given, attributes).values, [](const Number& number) {
        return std::ranges::all_of(number, [&](std::int64_t each) { return each == number[0]; });
    });
}

Fit fit_of(const Resized& given, const std::vector<Number>& full) {
    Attributes attributes(given.node);
    const Numbers pads = pads_of(given, attributes);
    const Integers none(4, 0);
    bool nothing = true, fits = true;
    for (std::size_t sample = even; sample < samples; ++sample) {
        const auto [before, behind] = around(given, pads, sample);
        Integers lacking;
        for (std::size_t side = 0; side < 4; ++side)
            lacking.push_back(full[side][sample] - given.sides[side][sample]);
        nothing = nothing && before == none && behind == none;
        fits = fits && before == none && behind == lacking;
    }
    if (nothing) return Fit::nothing;
    const bool zeros = attributes.text("mode", "constant") == "constant" && adds_zeros(given);
    return zeros && fits ? Fit::what_lacks : Fit::other;
}

bool check_cut(const Resized& given) {
    const Node& node = given.node;
    Attributes attributes(node);
    const bool by_attributes = given.operator_set < 10;
    const Numbers starts =
                      by_attributes ? list(attributes.integers("starts", {})) : needed(given, 1),
                  ends = by_attributes ? list(attributes.integers("ends", {})) : needed(given, 2);
    Integers all;
    for (std::size_t i = 0; i < starts.values.size(); ++i)
        all.push_back(static_cast<std::int64_t>(i));
    const Integers sides = axes(given, 3, by_attributes ? attributes.integers("axes", all) : all);
    attributes.done();
    const Numbers* steps = given.numbers(4);
    const bool matches = starts.values.size() == sides.size() &&
                         ends.values.size() == sides.size() &&
                         (steps == nullptr || steps->values.size() == sides.size());
    if (!matches) refuse(node, "by numbers that don't match");
    bool always = true;
    for (std::size_t i = 0; i < sides.size(); ++i)
        for (std::size_t sample = 0; sample < samples; ++sample) {
            const std::int64_t side = given.sides[static_cast<std::size_t>(sides[i])][sample];
            const std::int64_t start = starts.values[i][sample], end = ends.values[i][sample];
            const bool whole = (start == 0 || start <= -side) && end >= side &&
                               (steps == nullptr || steps->values[i][sample] == 1);
            always = always && whole;
            if (!whole && sample < even)
                refuse(node, "that keeps " + std::to_string(start) + " to " + std::to_string(end) +
                                 " of " + std::to_string(side) + " along the axis " +
                                 std::to_string(sides[i]) + ", which is not computed here" +
                                 std::string(divisible));
        }
    return always;
}

bool check_enlargement(const Resized& given) {
    const Node& node = given.node;
    Attributes attributes(node);
    check_mode(given, "mode", attributes.text("mode", "nearest"), {"nearest"});
    const bool upsample = node.operation == "Upsample", old = given.operator_set < 11;
    if (!upsample && !old) check_nearest(given, attributes);
    attributes.done();
    const std::size_t scales = upsample || old ? 1 : 2;
    const bool by_sizes = given.numbers(3) != nullptr;
    const bool twice = by_sizes ? doubles(given, *given.numbers(3))
                                : given.floats(scales) == std::vector<float>{1, 1, 2, 2};
    if (!twice)
        refuse(node,
               "that does not double height and width; images are enlarged here by 2 and no other "
               "factor");
    for (std::size_t sample = even; by_sizes && sample < samples; ++sample)
        if (!doubles(given, *given.numbers(3), sample)) return false;
    return true;
}

}  // namespace stend::unet::onnx
