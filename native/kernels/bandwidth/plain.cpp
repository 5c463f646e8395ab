// Loops as one writes them, vectorised by the compiler for the architecture's baseline.
#include "kernels/bandwidth/passes.h"
#include "kernels/bandwidth/variants.h"

namespace stend::bandwidth {
namespace {

Word read_all(const Word* from, std::size_t words, std::uint64_t passes) noexcept {
    Word sum = 0;
    for (; passes > 0; --passes) {
        Word parity = 0;
        for (std::size_t i = 0; i < words; ++i) parity ^= from[i];
        sum += parity;
        end_of_pass();
    }
    return sum;
}

void write_all(Word* to, std::size_t words, Word seed, std::uint64_t passes) noexcept {
    for (; passes > 0; --passes, ++seed) {
        for (std::size_t i = 0; i < words; ++i) to[i] = seed + i;
        end_of_pass();
    }
}

// Compiled so that it stays a loop (CMakeLists.txt).
void copy_all(Word* __restrict to, const Word* __restrict from, std::size_t words,
              std::uint64_t passes) noexcept {
    for (; passes > 0; --passes) {
        for (std::size_t i = 0; i < words; ++i) to[i] = from[i];
        end_of_pass();
    }
}

}  // namespace

const Loops plain{read_all, write_all, copy_all};

}  // namespace stend::bandwidth
