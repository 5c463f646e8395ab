// Copying the first half of each part to the second: before each execution three words of the
// source are made anew from those that the one before it copied, so that one left out is seen
// for ever after.
#include <algorithm>
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

    // The marks hold left, left + 1 and left + 2, all other words the same in both halves; before
    // the first execution the marks are 0 and the second half differs, so that a word never copied
    // is seen. The last word of a half is a mark, so there is always one ahead.
    Row row_at(const Part& part, std::size_t word) const noexcept override {
        const std::size_t half = part.words / 2, place = word % half;
        const auto all = marks(half);
        const auto mark = std::ranges::lower_bound(all, place);
        const bool begun = part.left != 0;
        if (place < *mark) return numbered(begun ? place : word, *mark - place);
        return {1, begun ? part.left + Word(mark - all.begin()) : 0, 0};
    }

    void work(Part& part) noexcept override {
        const std::size_t half = part.words / 2;
        Word* const from = part.memory.data();
        Word fresh = after(carried(from + half, half));
        for (const std::size_t mark : marks(half)) from[mark] = fresh++;
        copy_(from + half, from, half, passes());
    }

    void follow(Part& part) const override {
        part.left = after(part.left == 0 ? 0 : 3 * part.left + 3);
    }

    Copy copy_;
};

}  // namespace

std::unique_ptr<Kernel> copy(std::size_t bytes, std::vector<int> cpus,
                             const Variant<Copy>& variant) {
    return std::make_unique<Copying>(bytes, std::move(cpus), variant);
}

}  // namespace stend::bandwidth
