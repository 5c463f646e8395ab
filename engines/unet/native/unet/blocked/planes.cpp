// Which planes of its level each tensor has: the free one of the lowest number when its layer
// comes, free again after the last layer that reads it.
#include "unet/blocked/planes.h"

#include <algorithm>
#include <functional>
#include <limits>
#include <queue>

namespace stend::unet::blocked {
namespace {

constexpr std::size_t page_pixels = 4096 / pixel_bytes;

// The free planes of a level, lowest number first, and how many there are in all.
class Level {
public:
    std::size_t take() {
        if (free_.empty()) return count_++;
        const std::size_t number = free_.top();
        free_.pop();
        return number;
    }
    void give_back(std::size_t number) { free_.push(number); }
    std::size_t count() const { return count_; }

private:
    std::priority_queue<std::size_t, std::vector<std::size_t>, std::greater<>> free_;
    std::size_t count_ = 0;
};

// Of each tensor, the last layer that reads it; the output's is the end.
std::vector<std::size_t> last_readers(const Model& model) {
    std::vector<std::size_t> last(model.tensors.size(), 0);
    for (std::size_t layer = 0; layer < model.layers.size(); ++layer) {
        last[model.layers[layer].output] = layer;  // read by none: free after it is made
        for (const std::size_t input : model.layers[layer].inputs) last[input] = layer;
    }
    last[model.output] = std::numeric_limits<std::size_t>::max();
    return last;
}

}  // namespace

Geometry geometry(std::size_t height, std::size_t width) {
    Geometry made{.height = height, .width = width, .pitch = before + width + after, .plane = 0};
    // Rows of a tile, and planes, would else fall on the same lines of a cache.
    if (made.pitch % page_pixels == 0) ++made.pitch;
    made.plane = (before + height + after) * made.pitch;
    made.plane += page_pixels - made.plane % page_pixels + 5;
    return made;
}

Planes::Planes(const Model& model, std::size_t height, std::size_t width,
               const std::vector<std::size_t>& count)
    : numbers_(model.tensors.size()) {
    unsigned deepest = 0;
    for (const Tensor& tensor : model.tensors) {
        level_of_.push_back(tensor.level);
        deepest = std::max(deepest, tensor.level);
    }
    std::vector<Level> levels(deepest + 1);
    const auto place = [&](std::size_t tensor) {
        for (std::size_t i = 0; i < count[tensor]; ++i)
            numbers_[tensor].push_back(levels[level_of_[tensor]].take());
    };
    const std::vector<std::size_t> last = last_readers(model);
    place(0);
    for (std::size_t layer = 0; layer < model.layers.size(); ++layer) {
        place(model.layers[layer].output);
        for (std::size_t tensor = 0; tensor < model.tensors.size(); ++tensor)
            if (last[tensor] == layer)
                for (const std::size_t number : numbers_[tensor])
                    levels[level_of_[tensor]].give_back(number);
    }
    std::size_t floats = 0;
    for (unsigned level = 0; level <= deepest; ++level) {
        geometries_.push_back(geometry(height >> level, width >> level));
        begin_.push_back(floats);
        floats += levels[level].count() * geometries_[level].plane * pixel_floats;
    }
    memory_ = Buffer<float>(floats);
}

std::vector<Plane> Planes::of(std::size_t tensor) const {
    const unsigned level = level_of_[tensor];
    const Geometry& geometry = geometries_[level];
    std::vector<Plane> planes;
    for (const std::size_t number : numbers_[tensor])
        planes.push_back(memory_.data() + begin_[level] + number * geometry.plane * pixel_floats +
                         geometry.offset(before, before));
    return planes;
}

}  // namespace stend::unet::blocked
