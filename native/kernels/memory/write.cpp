// The kernel. Repetition r writes block r modulo their number, with a seed of its own, so
// each block tells which repetition wrote it last and whether it wrote every word in place.
#include "kernels/memory/write.h"

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "buffers/buffer.h"
#include "kernels/memory/contents.h"
#include "team/seat.h"

namespace stend::memory {
namespace {

Word seed_of(std::uint64_t repetition) {
    return repetition * far_apart;
}

class Write final : public Kernel {
public:
    Write(std::size_t block_bytes, std::size_t region_bytes, const Variant<Fill>& variant)
        : words_(block_bytes / sizeof(Word)),
          blocks_(region_bytes / block_bytes),
          name_(variant.name),
          fill_(variant.function) {}

    void prepare() override;
    void repeat(std::uint64_t times) override;
    bool check() override;
    Proof prove() override;
    std::string_view variant() const override { return name_; }

private:
    std::span<Word> block(std::uint64_t number) const {
        return data_.span().subspan(number * words_, words_);
    }
    std::optional<std::uint64_t> writer_of(std::uint64_t block) const;
    bool ends_are_right(std::uint64_t repetition) const;
    std::size_t first_wrong_in(std::uint64_t block) const;

    std::size_t words_;
    std::uint64_t blocks_;
    std::string_view name_;
    Fill fill_;
    std::uint64_t asked_ = 0;    // repetitions that were asked for
    std::uint64_t checked_ = 0;  // of them, those that check() has seen
    std::uint64_t done_ = 0;
    Seat seat_;
    Buffer<Word> data_;
};

// Every block is touched, by the thread that will write it and that stays where it is.
void Write::prepare() {
    seat_ = sit(first_cpus(1).front());
    data_ = Buffer<Word>(words_ * blocks_);
    std::ranges::fill(data_.span(), 0);
    data_.gather_huge_pages();
}

void Write::repeat(std::uint64_t times) {
    asked_ += times;
    for (; times > 0; --times, ++done_) fill_(block(done_ % blocks_), seed_of(done_));
}

// The last repetition that wrote this block, if there was one.
std::optional<std::uint64_t> Write::writer_of(std::uint64_t block) const {
    if (block >= asked_) return std::nullopt;
    return block + (asked_ - 1 - block) / blocks_ * blocks_;
}

bool Write::ends_are_right(std::uint64_t repetition) const {
    const std::span<const Word> written = block(repetition % blocks_);
    const std::size_t middle = repetition % words_;  // another place each time
    for (const std::size_t i : {std::size_t{0}, middle, words_ - 1})
        if (written[i] != seed_of(repetition) + i) return false;
    return true;
}

// Three words of each block that was written since the last time, up to 256 blocks.
bool Write::check() {
    const std::uint64_t fresh = std::min({asked_ - checked_, blocks_, std::uint64_t{256}});
    checked_ = asked_;
    for (std::uint64_t repetition = asked_ - fresh; repetition < asked_; ++repetition)
        if (!ends_are_right(repetition)) return false;
    return true;
}

// Its word, or their number. A block that was never written is full of zeros.
std::size_t Write::first_wrong_in(std::uint64_t number) const {
    const auto writer = writer_of(number);
    return first_wrong(block(number), writer ? seed_of(*writer) : 0, writer ? 1 : 0);
}

Proof Write::prove() {
    for (std::uint64_t number = 0; number < blocks_; ++number)
        if (const std::size_t wrong = first_wrong_in(number); wrong < words_)
            return {false, "Word " + std::to_string(wrong) + " of block " + std::to_string(number) +
                               " is not what the last repetition that wrote it leaves there, "
                               "after " +
                               std::to_string(asked_) + " repetitions."};
    return {true, "Every word of " + std::to_string(blocks_) +
                      " blocks is what the last of the repetitions that wrote it leaves there, "
                      "after " +
                      std::to_string(asked_) + " repetitions."};
}

void require_sense(std::size_t block, std::size_t region) {
    require_whole_lines(block);
    if (region < block)
        throw std::invalid_argument("A region of " + std::to_string(region) +
                                    " bytes holds no block of " + std::to_string(block) +
                                    "; ask for a larger region or a smaller block.");
}

}  // namespace

std::unique_ptr<Kernel> write(std::size_t block_bytes, std::size_t region_bytes,
                              const Variant<Fill>& variant) {
    require_sense(block_bytes, region_bytes);
    return std::make_unique<Write>(block_bytes, region_bytes, variant);
}

}  // namespace stend::memory
