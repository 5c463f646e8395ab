// Copying the first half of each part to the second: before each execution three words of the
// source are made anew from those that the one before it copied, so that one left out is seen
// for ever after.
#include <algorithm>
#include <array>

#include "kernels/bandwidth/parts.h"

namespace stend::bandwidth {
namespace {

class Copying : public Parts {
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
        Word* const from = part.begin;
        Word fresh = after(carried(from + half, half));
        for (const std::size_t mark : marks(half)) from[mark] = fresh++;
        copy_(from + half, from, half, passes());
    }

    void follow(Part& part) const override {
        part.left = after(part.left == 0 ? 0 : 3 * part.left + 3);
    }

    Copy copy_;
};

constexpr std::size_t huge_words = huge_page / sizeof(Word);

// The border between the halves is one between huge pages too, so that each half can be bound to a
// node; what is left over at both ends of the mapping is never touched.
class Between final : public Copying {
public:
    Between(std::size_t bytes, nodes::Home from, nodes::Home to, const Variant<Copy>& variant)
        : Copying(bytes, {from->cpu()}, variant), from_(std::move(from)), to_(std::move(to)) {}

    void prepare() override {
        Copying::prepare();
        nodes::require(*from_, source_);
        nodes::require(*to_, target_);
    }

    Proof prove() override {
        const Proof copied = Copying::prove(), source = from_->holds(source_),
                    target = to_->holds(target_);
        return {copied.right && source.right && target.right,
                copied.said + " Of the source, " + source.said + "; of the target, " + target.said +
                    "."};
    }

private:
    void reserve(Part& part) override {
        const std::size_t half = part.words / 2;
        const std::size_t room = (half + huge_words - 1) / huge_words * huge_words;
        part.memory = Buffer<Word>(2 * room);
        Word* const border = part.memory.data() + room;
        from_->bind(std::as_writable_bytes(std::span(border - room, room)));
        to_->bind(std::as_writable_bytes(std::span(border, room)));
        part.begin = border - half;
        source_ = std::as_bytes(std::span(part.begin, half));
        target_ = std::as_bytes(std::span(border, half));
    }

    nodes::Home from_, to_;
    std::span<const std::byte> source_, target_;
};

}  // namespace

std::unique_ptr<Kernel> copy(std::size_t bytes, std::vector<int> cpus,
                             const Variant<Copy>& variant) {
    return std::make_unique<Copying>(bytes, std::move(cpus), variant);
}

std::unique_ptr<Kernel> copy_between(std::size_t bytes, nodes::Home from, nodes::Home to,
                                     const Variant<Copy>& variant) {
    return std::make_unique<Between>(bytes, std::move(from), std::move(to), variant);
}

}  // namespace stend::bandwidth
