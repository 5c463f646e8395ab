// versus REGION ROUNDS: stend's fills beside memset, block after block through one region, by
// turns on one core. Prints a line a pair: MiB of a block, variant, bytes written, seconds of
// memset, seconds of stend. Both write the same memory, since on a virtual machine one part can be
// slower than another.
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <span>

#include "buffers/buffer.h"
#include "kernels/memory/write.h"
#include "team/seat.h"

using namespace stend;

namespace {

using Words = std::span<std::uint64_t>;

template <typename Work>
double seconds(Words region, std::size_t block, Work&& work) {
    const auto begin = std::chrono::steady_clock::now();
    for (std::size_t at = 0; at + block <= region.size(); at += block)
        work(region.subspan(at, block));
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

void require(bool right, const char* said) {
    if (right) return;
    std::fprintf(stderr, "%s\n", said);
    std::exit(1);
}

// Which of the two comes first alternates, so that neither profits from a drifting host.
void interleave(const Variant<memory::Fill>& variant, Words region, std::size_t block, int rounds) {
    for (int round = -1; round < rounds; ++round) {
        double theirs = 0, ours = 0;
        for (int turn = 0; turn < 2; ++turn) {
            if ((turn ^ round) & 1) {
                ours = seconds(region, block, [&](Words words) { variant.function(words, 7); });
                require(region[block - 1] == 7 + block - 1, "stend's last word is wrong.");
            } else {
                theirs = seconds(region, block, [](Words words) {
                    std::memset(words.data(), 0x5A, words.size_bytes());
                });
                require(region[block - 1] == 0x5A5A5A5A5A5A5A5A, "memset's last word is wrong.");
            }
        }
        if (round >= 0)
            std::printf("%g %s %zu %.6f %.6f\n", double(block * sizeof(region[0])) / (1 << 20),
                        variant.name.data(), region.size() / block * block * sizeof(region[0]),
                        theirs, ours);
    }
}

}  // namespace

int main(int count, char** arguments) {
    if (count != 3) return std::fprintf(stderr, "versus REGION ROUNDS\n"), 2;
    const std::size_t bytes = std::strtoull(arguments[1], nullptr, 10);
    const Seat seat = sit(first_cpus(1).front());
    const Buffer<std::uint64_t> region(bytes / sizeof(std::uint64_t));
    std::memset(region.data(), 1, bytes);
    region.gather_huge_pages();
    for (const std::size_t megabytes : {1, 8, 64, 512})  // halves
        for (const auto& variant : memory::write_variants())
            if (isa::why_not(variant.needs).empty())
                interleave(variant, region.span(), (megabytes << 19) / sizeof(std::uint64_t),
                           std::atoi(arguments[2]));
}
