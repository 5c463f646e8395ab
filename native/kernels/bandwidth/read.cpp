// Reading: each pass gives the parity of all words, and those add up.
#include "kernels/bandwidth/parts.h"

namespace stend::bandwidth {
namespace {

class Reading final : public Parts {
public:
    Reading(std::size_t bytes, std::vector<int> cpus, const Variant<Read>& variant)
        : Parts(bytes, 1, std::move(cpus), variant.name), read_(variant.function) {}

private:
    Row row_at(const Part& part, std::size_t word) const noexcept override {
        return numbered(word, part.words - word);
    }

    void work(Part& part) noexcept override { part.sum += read_(part.begin, part.words, passes()); }

    // The parity of what was filled in, for each pass that was asked for.
    bool sum_is_right(const Part& part) const override {
        return part.sum == asked() * passes() * part.parity;
    }

    Read read_;
};

}  // namespace

std::unique_ptr<Kernel> read(std::size_t bytes, std::vector<int> cpus,
                             const Variant<Read>& variant) {
    return std::make_unique<Reading>(bytes, std::move(cpus), variant);
}

}  // namespace stend::bandwidth
