// Writing: each execution begins with a seed from words that the one before it wrote, so that
// one left out is seen for ever after.
#include "kernels/bandwidth/parts.h"

namespace stend::bandwidth {
namespace {

class Writing final : public Parts {
public:
    Writing(std::size_t bytes, std::vector<int> cpus, const Variant<Write>& variant)
        : Parts(bytes, 1, std::move(cpus), variant.name), write_(variant.function) {}

private:
    Row row_at(const Part& part, std::size_t word) const noexcept override {
        return {part.words - word, part.left + word, 1};
    }

    void work(Part& part) noexcept override {
        Word* const words = part.begin;
        write_(words, part.words, after(carried(words, part.words)), passes());
    }

    void follow(Part& part) const override {
        const Word carries = 3 * part.left + part.words / 2 + (part.words - 1);
        part.left = after(carries) + (passes() - 1);
    }

    Write write_;
};

}  // namespace

std::unique_ptr<Kernel> write(std::size_t bytes, std::vector<int> cpus,
                              const Variant<Write>& variant) {
    return std::make_unique<Writing>(bytes, std::move(cpus), variant);
}

}  // namespace stend::bandwidth
