// Copying the first half of each part to the second: before each execution three words of the
// source are made anew from those that the one before it copied, so that one left out is seen
// for ever after.
#include <array>

#include "bandwidth/parts.h"

namespace stend::bandwidth {
namespace {

class Copying final : public Parts {
public:
    Copying(std::size_t bytes, std::vector<int> cpus, const Variant<Copy>& variant)
        : Parts(bytes, 2, std::move(cpus), variant.name), copy_(variant.function) {}

private:
    static std::array<std::size_t, 3> marks(std::size_t half) { return {0, half / 2, half - 1}; }

    // All words but the marks, which stand for no execution before the first.
    void fill(Part& part) noexcept override {
        const std::size_t half = part.words / 2;
        for (std::size_t i = 0; i < part.words; ++i) part.memory.data()[i] = numbered(i % half);
        for (const std::size_t mark : marks(half))
            part.memory.data()[mark] = part.memory.data()[half + mark] = 0;
    }

    void work(Part& part) noexcept override {
        const std::size_t half = part.words / 2;
        Word* const from = part.memory.data();
        Word fresh = after(carried(from + half, half));
        for (const std::size_t mark : marks(half)) from[mark] = fresh++;
        copy_(from + half, from, half, passes());
    }

    // The marks hold left, left + 1 and left + 2.
    void follow(Part& part) const override {
        part.left = after(part.left == 0 ? 0 : 3 * part.left + 3);
    }

    bool right_at(const Part& part, std::size_t word) const override {
        const std::size_t half = part.words / 2, place = word % half;
        Word expected = numbered(place), mark = part.left;
        for (const std::size_t marked : marks(half)) {
            if (place == marked) expected = mark;
            mark += part.left != 0;
        }
        return part.memory.data()[word] == expected;
    }

    Copy copy_;
};

}  // namespace

std::unique_ptr<Kernel> copy(std::size_t bytes, std::vector<int> cpus,
                             const Variant<Copy>& variant) {
    return std::make_unique<Copying>(bytes, std::move(cpus), variant);
}

}  // namespace stend::bandwidth
