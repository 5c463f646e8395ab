// Exporters pad and cut by far fewer numbers than are let through here.
#include "unet/onnx/sizes.h"

#include <algorithm>
#include <cstring>
#include <iterator>
#include <limits>
#include <map>
#include <optional>
#include <stend/unet/onnx.hpp>
#include <string>

#include "unet/onnx/attributes.h"
#include "unet/onnx/text.h"

namespace stend::unet::onnx {
namespace {

constexpr std::size_t most_values = 16, most_dimensions = 4;
constexpr std::int64_t int32 = 6, int64 = 7;  // TensorProto.DataType

using Integers = std::vector<std::int64_t>;
using Given = std::span<const Numbers* const>;

[[noreturn]] void refuse(const Node& node, const std::string& why) {
    throw BadModel(described(node) + " " + why + ".");
}

const Numbers& input(const Node& node, Given inputs, std::size_t place) {
    if (place >= inputs.size() || inputs[place] == nullptr)
        refuse(node, "without its input " + std::to_string(place + 1));
    return *inputs[place];
}

Integers fixed_input(const Node& node, Given inputs, std::size_t place) {
    return fixed(node, input(node, inputs, place), "by numbers that depend on the images' size");
}

// Of as many values as the dimensions say.
Numbers shaped(const Node& node, Integers dimensions, std::vector<Number> values) {
    if (dimensions.size() > most_dimensions)
        refuse(node, "that makes numbers of " + std::to_string(dimensions.size()) +
                         " dimensions; " + std::to_string(most_dimensions) +
                         " are computed here at most");
    std::int64_t count = 1;
    for (const std::int64_t dimension : dimensions) {
        if (dimension < 0 || dimension > static_cast<std::int64_t>(most_values))
            refuse(node, "that makes numbers of the dimensions " + listed(dimensions));
        count = std::min<std::int64_t>(count * dimension, most_values + 1);
    }
    if (values.size() > most_values || count != static_cast<std::int64_t>(values.size()))
        refuse(node, "that makes " + std::to_string(values.size()) + " numbers of the dimensions " +
                         listed(dimensions) + "; " + std::to_string(most_values) +
                         " are computed here at most");
    return {std::move(dimensions), std::move(values)};
}

// A place from 0 to size - 1; negative ones count from the end.
std::size_t place(const Node& node, std::int64_t index, std::int64_t size) {
    if (index < -size || index >= size)
        refuse(node, "with the index " + std::to_string(index) + " of " + std::to_string(size));
    return static_cast<std::size_t>(index < 0 ? index + size : index);
}

Integers axes_of(const Node& node, Given inputs, Attributes& attributes) {
    if (inputs.size() > 1 && inputs[1] != nullptr) return fixed_input(node, inputs, 1);
    return attributes.integers("axes", {});
}

Numbers gathered(const Node& node, Given inputs, Attributes& attributes) {
    attributes.must_be("axis", 0, 0);
    const Numbers& from = input(node, inputs, 0);
    if (from.dimensions.size() != 1) refuse(node, "of numbers that are no list");
    std::vector<Number> values;
    for (const std::int64_t index : fixed_input(node, inputs, 1))
        values.push_back(from.values[place(node, index, from.dimensions[0])]);
    return shaped(node, inputs[1]->dimensions, std::move(values));
}

// Rows of a table, or numbers of a list.
Numbers sliced(const Node& node, Given inputs, Attributes& attributes) {
    const bool told = inputs.size() > 1;  // before the operator set 10 by attributes
    const auto chosen = [&](std::size_t at, const char* name, std::int64_t otherwise) {
        if (told && (at >= inputs.size() || inputs[at] == nullptr)) return otherwise;
        const Integers given =
            told ? fixed_input(node, inputs, at) : attributes.integers(name, {otherwise});
        if (given.size() != 1) refuse(node, "along several axes of numbers");
        return given[0];
    };
    const Numbers& from = input(node, inputs, 0);
    if (from.dimensions.empty() || chosen(3, "axes", 0) != 0)
        refuse(node, "along another axis of numbers than the first");
    const std::int64_t step = chosen(4, "steps", 1), rows = from.dimensions[0];
    if (step != 1 && step != -1) refuse(node, "of numbers in steps of " + std::to_string(step));
    const auto within = [&](std::int64_t at, std::int64_t least, std::int64_t most) {
        return std::clamp(at < 0 && at >= -rows ? at + rows : at, least, most);
    };
    const bool on = step > 0;
    const std::int64_t first = within(chosen(1, "starts", 0), on ? 0 : -1, on ? rows : rows - 1);
    const std::int64_t last = within(chosen(2, "ends", rows), on ? 0 : -1, on ? rows : rows - 1);
    const std::size_t wide = rows == 0 ? 0 : from.values.size() / static_cast<std::size_t>(rows);
    std::vector<Number> values;
    Integers dimensions = from.dimensions;
    dimensions[0] = 0;
    for (std::int64_t row = first; on ? row < last : row > last; row += step, ++dimensions[0]) {
        const auto at = from.values.begin() + row * static_cast<std::int64_t>(wide);
        values.insert(values.end(), at, at + static_cast<std::int64_t>(wide));
    }
    return shaped(node, std::move(dimensions), std::move(values));
}

Numbers joined(const Node& node, Given inputs, Attributes& attributes) {
    const std::int64_t axis = attributes.integer("axis", 0);
    std::vector<Number> values;
    for (std::size_t i = 0; i < inputs.size(); ++i) {
        const Numbers& next = input(node, inputs, i);
        if (next.dimensions.size() != 1 || (axis != 0 && axis != -1))
            refuse(node, "of numbers that are no lists");
        values.insert(values.end(), next.values.begin(), next.values.end());
        if (values.size() > most_values) break;
    }
    const auto count = static_cast<std::int64_t>(values.size());
    return shaped(node, {count}, std::move(values));
}

Numbers squeezed(const Node& node, Given inputs, Attributes& attributes) {
    const Numbers& from = input(node, inputs, 0);
    Integers axes = axes_of(node, inputs, attributes), left;
    const auto rank = static_cast<std::int64_t>(from.dimensions.size());
    for (std::int64_t& axis : axes) axis = static_cast<std::int64_t>(place(node, axis, rank));
    for (std::int64_t axis = 0; axis < rank; ++axis) {
        const std::int64_t side = from.dimensions[static_cast<std::size_t>(axis)];
        const bool goes = axes.empty() ? side == 1 : std::ranges::count(axes, axis) > 0;
        if (!goes) left.push_back(side);
    }
    return shaped(node, std::move(left), from.values);
}

Numbers unsqueezed(const Node& node, Given inputs, Attributes& attributes) {
    const Numbers& from = input(node, inputs, 0);
    const Integers axes = axes_of(node, inputs, attributes);
    if (axes.size() != 1) refuse(node, "of numbers along several axes");
    const auto rank = static_cast<std::int64_t>(from.dimensions.size());
    Integers dimensions = from.dimensions;
    dimensions.insert(
        dimensions.begin() + static_cast<std::int64_t>(place(node, axes[0], rank + 1)), 1);
    return shaped(node, std::move(dimensions), from.values);
}

Numbers reshaped(const Node& node, Given inputs, Attributes& attributes) {
    const Numbers& from = input(node, inputs, 0);
    attributes.must_be("allowzero", 0, 0);
    Integers dimensions = fixed_input(node, inputs, 1);
    std::int64_t product = 1;
    for (std::size_t axis = 0; axis < dimensions.size(); ++axis) {
        if (dimensions[axis] == 0 && axis < from.dimensions.size())
            dimensions[axis] = from.dimensions[axis];
        if (dimensions[axis] > 0)
            product = std::min<std::int64_t>(product, most_values) *
                      std::min<std::int64_t>(dimensions[axis], most_values);
    }
    for (std::int64_t& side : dimensions)
        if (side == -1) side = static_cast<std::int64_t>(from.values.size()) / product;
    return shaped(node, std::move(dimensions), from.values);
}

Numbers transposed(const Node& node, Given inputs, Attributes& attributes) {
    const Numbers& from = input(node, inputs, 0);
    if (from.dimensions.size() != 2) refuse(node, "of numbers that are no table");
    attributes.must_be("perm", Integers{1, 0}, {1, 0});
    const auto rows = static_cast<std::size_t>(from.dimensions[0]),
               columns = static_cast<std::size_t>(from.dimensions[1]);
    std::vector<Number> values;
    for (std::size_t column = 0; column < columns; ++column)
        for (std::size_t row = 0; row < rows; ++row)
            values.push_back(from.values[row * columns + column]);
    return shaped(node, {from.dimensions[1], from.dimensions[0]}, std::move(values));
}

// Casts to whole numbers leave them as they are.
Numbers cast(const Node& node, Given inputs, Attributes& attributes) {
    const std::int64_t to = attributes.integer("to", int64);
    if (to != int32 && to != int64)
        refuse(node, "of sizes to the type " + std::to_string(to) +
                         "; they are whole numbers here, int32 (6) or int64 (7)");
    return input(node, inputs, 0);
}

Numbers repeated(const Node& node, Given inputs, Attributes& attributes) {
    const Piece* value = attributes.tensor("value");
    const Numbers each = value == nullptr ? Numbers{} : stored_numbers(parse_tensor(*value));
    if (each.values.size() != 1) refuse(node, "of no single whole number");
    const Integers dimensions = fixed_input(node, inputs, 0);
    std::size_t count = 1;
    for (const std::int64_t side : dimensions) {
        if (side < 0 || side > static_cast<std::int64_t>(most_values))
            refuse(node, "of the dimensions " + listed(dimensions));
        count = std::min(count * static_cast<std::size_t>(side), most_values + 1);
    }
    return shaped(node, dimensions, std::vector<Number>(count, each.values[0]));
}

// Nothing where there is no such number.
std::optional<std::int64_t> calculated(std::string_view operation, std::int64_t a, std::int64_t b) {
    std::int64_t made = 0;
    if (operation == "Add" && !__builtin_add_overflow(a, b, &made)) return made;
    if (operation == "Sub" && !__builtin_sub_overflow(a, b, &made)) return made;
    if (operation == "Mul" && !__builtin_mul_overflow(a, b, &made)) return made;
    if (operation == "Div" && b != 0 && (b != -1 || a != std::numeric_limits<std::int64_t>::min()))
        return a / b;
    if (operation == "Min") return std::min(a, b);
    if (operation == "Max") return std::max(a, b);
    return std::nullopt;
}

Numbers calculated(const Node& node, Given inputs, Attributes&) {
    const Numbers &a = input(node, inputs, 0), &b = input(node, inputs, 1);
    const std::size_t count = std::max(a.values.size(), b.values.size());
    const bool fit = (a.values.size() == count || a.values.size() == 1) &&
                     (b.values.size() == count || b.values.size() == 1);
    if (inputs.size() != 2 || !fit) refuse(node, "of numbers that don't match");
    std::vector<Number> values(count);
    for (std::size_t i = 0; i < count; ++i)
        for (std::size_t sample = 0; sample < samples; ++sample) {
            const auto made =
                calculated(node.operation, a.values[a.values.size() == 1 ? 0 : i][sample],
                           b.values[b.values.size() == 1 ? 0 : i][sample]);
            if (!made && sample < even)
                refuse(node, "of numbers that have no such result in 64 bits");
            values[i][sample] = made.value_or(std::numeric_limits<std::int64_t>::min());
        }
    const bool first = a.dimensions.size() >= b.dimensions.size();
    return shaped(node, first ? a.dimensions : b.dimensions, std::move(values));
}

// How often sides are halved, in the order of computing.
unsigned deepest(const std::vector<const Node*>& nodes) {
    constexpr unsigned most = 12;
    std::map<std::string_view, unsigned> levels;
    unsigned deepest = 0;
    for (const Node* node : nodes) {
        unsigned level = 0;
        for (const std::string_view input : node->inputs) level = std::max(level, levels[input]);
        const std::string_view operation = node->operation;
        if (operation == "MaxPool" && level < most) ++level;
        if ((operation == "ConvTranspose" || operation == "Resize" || operation == "Upsample") &&
            level > 0)
            --level;
        for (const std::string_view output : node->outputs) levels[output] = level;
        deepest = std::max(deepest, level);
    }
    return deepest;
}

struct Operator {
    std::string_view name;
    Numbers (*compute)(const Node&, Given, Attributes&);
};
constexpr Operator operators[] = {
    {"Gather", gathered},
    {"Slice", sliced},
    {"Concat", joined},
    {"Squeeze", squeezed},
    {"Unsqueeze", unsqueezed},
    {"Reshape", reshaped},
    {"Transpose", transposed},
    {"Cast", cast},
    {"ConstantOfShape", repeated},
    {"Add", calculated},
    {"Sub", calculated},
    {"Mul", calculated},
    {"Div", calculated},
    {"Min", calculated},
    {"Max", calculated},
};

}  // namespace

std::vector<Number> sample(const std::vector<std::int64_t>& sides,
                           const std::vector<const Node*>& nodes) {
    constexpr std::int64_t most = std::int64_t{1} << 30U;
    // The least sides, and such as no constant of a graph reaches, odd ones and even ones.
    constexpr Number multiples[] = {{2, 3, 5, 1, 2, 3, 5, 7, 1, 2},
                                    {1, 1, 1, 1, 1, 1, 1, 1, 1, 1},
                                    {1, 2003, 5002},
                                    {1, 1512, 3001}};
    // In binary 1…1, 10…10, 01…01 and others, of more digits than sides are halved; then the least.
    constexpr Number parities[] = {{0xFFFFF, 0xAAAAA, 0x55555, 0x9C3A7, 0x6D4B1, 0x3E95D},
                                   {0x1FFFFF, 0x155555, 0xAAAAA, 0xB5C69, 0x4A7D3, 0xE1932}};
    const std::int64_t halved = std::int64_t{1} << deepest(nodes);
    std::vector<Number> sampled;
    for (std::size_t side = 0; side < std::size(multiples); ++side) {
        Number& each = sampled.emplace_back(multiples[side]);
        if (side > 1) {
            for (std::int64_t& pixels : each) pixels *= halved;
            std::copy_n(parities[side - 2].begin(), samples - even, each.begin() + even);
            each.back() = 2 * halved - 1;
        }
        if (sides[side] > 0 && sides[side] <= most)
            std::fill_n(each.begin(), side > 1 ? even : samples, sides[side]);
    }
    return sampled;
}

bool computes_numbers(std::string_view operation) {
    return std::ranges::find(operators, operation, &Operator::name) != std::end(operators);
}

Numbers computed(const Node& node, Given inputs) {
    Attributes attributes(node);
    const Numbers made = std::ranges::find(operators, node.operation, &Operator::name)
                             ->compute(node, inputs, attributes);
    attributes.done();
    return made;
}

Numbers shape_of(const Node& node, std::vector<Number> dimensions) {
    Attributes attributes(node);
    const auto rank = static_cast<std::int64_t>(dimensions.size());
    const auto within = [&](std::int64_t at) {
        return std::clamp<std::int64_t>(at < 0 ? at + rank : at, 0, rank);
    };
    const std::int64_t start = within(attributes.integer("start", 0)),
                       end = std::max(start, within(attributes.integer("end", rank)));
    attributes.done();
    return {{end - start}, {dimensions.begin() + start, dimensions.begin() + end}};
}

Numbers stored_numbers(const TensorMessage& tensor) {
    const auto refuse_it = [&](const std::string& what) {
        throw BadModel("The tensor " + quoted(tensor.name) + " " + what + ".");
    };
    const std::size_t one = tensor.element == int32 ? 4 : 8;
    if (tensor.element != int32 && tensor.element != int64)
        refuse_it("is of the type " + std::to_string(tensor.element) +
                  "; sizes are whole numbers, of int32 (6) or int64 (7)");
    Integers values;
    if (tensor.external) refuse_it("of sizes lies beside the file; only weights may");
    if (tensor.raw && tensor.raw->bytes.size() <= 8 * most_values) {
        for (std::size_t at = 0; at + one <= tensor.raw->bytes.size(); at += one) {
            std::int64_t wide = 0;
            std::int32_t narrow = 0;
            if (one == 4) std::memcpy(&narrow, tensor.raw->bytes.data() + at, one);
            if (one == 8) std::memcpy(&wide, tensor.raw->bytes.data() + at, one);
            values.push_back(one == 4 ? narrow : wide);
        }
    }
    Fields fields(tensor.message);
    while (const auto field = fields.next())  // int32_data, int64_data
        if (!tensor.raw && field->number == (one == 4 ? 5U : 7U)) add_integers(*field, values);
    std::size_t count = 1;
    for (const std::int64_t side : tensor.dimensions) {
        if (side < 0 || side > static_cast<std::int64_t>(most_values)) count = most_values + 1;
        if (count <= most_values) count *= static_cast<std::size_t>(side);
    }
    if (tensor.dimensions.size() > most_dimensions || count != values.size() || count > most_values)
        refuse_it("has the dimensions " + listed(tensor.dimensions) + " and " +
                  std::to_string(values.size()) +
                  " whole numbers, which is not as many, or more than sizes need");
    return {tensor.dimensions, list(values).values};
}

Numbers list(const Integers& values) {
    Numbers numbers{{static_cast<std::int64_t>(values.size())}, {}};
    for (const std::int64_t value : values) {
        numbers.values.emplace_back();
        numbers.values.back().fill(value);
    }
    return numbers;
}

Integers fixed(const Node& node, const Numbers& numbers, std::string_view what) {
    Integers values;
    for (const Number& number : numbers.values) {
        if (std::any_of(number.begin(), number.begin() + even,
                        [&](std::int64_t value) { return value != number[0]; }))
            refuse(node, std::string(what));
        values.push_back(number[0]);
    }
    return values;
}

}  // namespace stend::unet::onnx
