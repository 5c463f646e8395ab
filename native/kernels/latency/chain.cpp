// A random order of the lines, then one link from each to its successor. Drawing the cycle
// itself (Sattolo 1986) would spare the order, but nobody could then say without going there
// where many hops lead.
#include "kernels/latency/chain.h"

#include <algorithm>
#include <vector>

namespace stend::latency {
namespace {

constexpr std::size_t most_lines = std::size_t{1} << 32;  // the order's numbers have 32 bits

// Marsaglia 2003, "Xorshift RNGs", with the multiplication of Vigna 2016: its upper half is good.
class Random {
public:
    // Below `bound`, at most 2^32: Lemire 2019 without the rejection, which would take away a
    // bias of bound / 2^32.
    std::uint32_t below(std::uint64_t bound) {
        state_ ^= state_ >> 12;
        state_ ^= state_ << 25;
        state_ ^= state_ >> 27;
        return static_cast<std::uint32_t>((state_ * 0x2545F4914F6CDD1D >> 32) * bound >> 32);
    }

private:
    std::uint64_t state_ = 0x9E3779B97F4A7C15;
};

// A huge page is mapped even for a few lines: the rest of it is never touched again.
std::size_t room_for(std::size_t lines, Pages pages) {
    return pages == Pages::normal ? lines : std::max(lines, huge_page / sizeof(Line));
}

void require_pages(bool as_asked, Pages pages) {
    if (as_asked) return;
    throw Unavailable(
        pages == Pages::huge
            ? "The system gave no huge pages for all of the memory, or is too old to tell (Linux "
              "6.1 does); `cat /sys/kernel/mm/transparent_hugepage/enabled` has to say madvise "
              "or always, and enough memory must be free."
            : "The system does not let a program keep to normal pages.");
}

}  // namespace

Pages pages(std::string_view name) {
    if (name == "normal") return Pages::normal;
    if (name == "huge") return Pages::huge;
    throw std::invalid_argument("There are no pages called \"" + std::string(name) +
                                "\"; there are normal and huge.");
}

std::size_t cycle_lines(std::size_t bytes) {
    const std::size_t lines = bytes / sizeof(Line);
    return lines - (lines % 2 == 0);
}

void require_lines(std::size_t bytes) {
    if (bytes % sizeof(Line) == 0 && bytes >= 3 * sizeof(Line) &&
        bytes / sizeof(Line) <= most_lines)
        return;
    throw std::invalid_argument(
        "A cycle leads through whole cache lines of 64 bytes, at least "
        "3 and at most 2^32; " +
        std::to_string(bytes) + " bytes are not, so ask for a multiple of 64 up to 256 GiB.");
}

Chain::Chain(std::size_t lines, Pages pages, const nodes::Node* node)
    : lines_(room_for(lines, pages)), order_(lines) {
    if (node) node->bind(std::as_writable_bytes(lines_.span()));
    if (pages == Pages::normal) require_pages(lines_.forbid_huge_pages(), pages);
    std::ranges::fill(lines_.span(), Line{nullptr});
    huge_ = pages != Pages::normal && lines_.gather_huge_pages();
    if (pages == Pages::huge) require_pages(huge_, pages);
    shuffle();
    link();
}

// Fisher and Yates 1938, inside out, in 32-bit numbers: they take a sixteenth of the lines' room.
void Chain::shuffle() {
    Random random;
    std::uint32_t* const order = order_.data();
    for (std::uint64_t i = 0; i < size(); ++i) {
        const std::uint32_t other = random.below(i + 1);
        order[i] = order[other];
        order[other] = static_cast<std::uint32_t>(i);
    }
}

void Chain::link() {
    Line* const lines = lines_.data();
    const std::uint32_t* const order = order_.data();
    for (std::size_t i = 1; i < size(); ++i) lines[order[i - 1]].next = lines + order[i];
    lines[order[size() - 1]].next = lines + order[0];
}

// Followed line by line, this would take as long as as many loads that wait for each other.
// It is the same when every line is in the order once and leads to the next of the order.
std::string Chain::fault() const {
    std::vector<bool> met(size());
    for (std::size_t i = 0; i < size(); ++i) {
        const std::uint32_t line = order_.data()[i];
        if (line >= size() || met[line])
            return "Line " + std::to_string(line) + " comes twice in the cycle.";
        met[line] = true;
        if (lines_.data()[line].next != after(i + 1))
            return "Line " + std::to_string(line) + " does not lead to the next of the cycle.";
    }
    return "";
}

}  // namespace stend::latency
