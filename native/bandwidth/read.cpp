// Reading: all words of all passes add up to what they hold.
#include "bandwidth/parts.h"

namespace stend::bandwidth {
namespace {

class Reading final : public Parts {
public:
    Reading(std::size_t bytes, std::vector<int> cpus, const Variant<Read>& variant)
        : Parts(bytes, 1, std::move(cpus), variant.name), read_(variant.function) {}

private:
    void fill(Part& part) noexcept override {
        for (std::size_t i = 0; i < part.words; ++i) part.memory.data()[i] = numbered(i);
    }

    void work(Part& part) noexcept override {
        part.sum += read_(part.memory.data(), part.words, passes());
    }

    // The words are (i + 1) times a constant, so their sum is known without them.
    bool sum_is_right(const Part& part) const override {
        const Word n = part.words;  // even
        return part.sum == asked() * passes() * (n / 2 * (n + 1) * numbered(0));
    }

    bool right_at(const Part& part, std::size_t word) const override {
        return part.memory.data()[word] == numbered(word);
    }

    Read read_;
};

}  // namespace

std::unique_ptr<Kernel> read(std::size_t bytes, std::vector<int> cpus,
                             const Variant<Read>& variant) {
    return std::make_unique<Reading>(bytes, std::move(cpus), variant);
}

}  // namespace stend::bandwidth
