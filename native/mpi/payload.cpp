// Words of 8 bytes, the last one cut where the message ends; each is a hash of the seed, the
// repetition's number and its place (splitmix64: Steele, Lea and Flood 2014).
#include "mpi/payload.h"

#include <algorithm>
#include <cstring>
#include <new>

namespace stend::mpi {
namespace {

constexpr std::size_t page = 4096, word = sizeof(std::uint64_t);
constexpr std::size_t all_words_up_to = 8;  // one cache line
constexpr std::size_t roving = 2;

std::uint64_t hashed(std::uint64_t x) {
    x += 0x9e3779b97f4a7c15;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
    x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
    return x ^ (x >> 31);
}

// Calls `each` with the places of the words that are made and compared.
template <typename Each>
void at_words(std::size_t bytes, std::uint64_t number, Extent extent, Each each) {
    const std::size_t words = (bytes + word - 1) / word;
    if (extent == Extent::whole || words <= all_words_up_to) {
        for (std::size_t place = 0; place < words; ++place) each(place);
        return;
    }
    each(std::size_t{0});
    each(words - 1);
    for (std::size_t i = 0; i < roving; ++i)
        each(1 + static_cast<std::size_t>(hashed(roving * number + i) % (words - 2)));
}

struct Words {
    std::size_t bytes;
    std::uint64_t mixed;

    std::uint64_t at(std::size_t place) const { return hashed(mixed + place); }
    std::size_t length(std::size_t place) const { return std::min(word, bytes - place * word); }
};

}  // namespace

Memory memory(std::size_t bytes) {
    const std::size_t whole_pages = (std::max<std::size_t>(bytes, 1) + page - 1) / page * page;
    auto* taken = static_cast<std::byte*>(std::aligned_alloc(page, whole_pages));
    if (!taken) throw std::bad_alloc();
    std::memset(taken, 0, whole_pages);
    return Memory(taken);
}

void fill(std::byte* message, std::size_t bytes, std::uint64_t seed, std::uint64_t number,
          Extent extent) {
    const Words words{bytes, hashed(seed ^ hashed(number))};
    at_words(bytes, number, extent, [&](std::size_t place) {
        const std::uint64_t value = words.at(place);
        std::memcpy(message + place * word, &value, words.length(place));
    });
}

bool holds(const std::byte* message, std::size_t bytes, std::uint64_t seed, std::uint64_t number,
           Extent extent) {
    const Words words{bytes, hashed(seed ^ hashed(number))};
    bool right = true;
    at_words(bytes, number, extent, [&](std::size_t place) {
        const std::uint64_t value = words.at(place);
        right &= std::memcmp(message + place * word, &value, words.length(place)) == 0;
    });
    return right;
}

}  // namespace stend::mpi
