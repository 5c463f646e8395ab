// The kernel. A fill's seed follows from the last word that the one before it left in the same
// block, so every repetition carries all earlier ones: a block left out once, or not filled to
// its end, is seen for ever after, also within a batch. That word is one cache line read a block.
#include "kernels/memory/parallel.h"

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "buffers/buffer.h"
#include "kernels/memory/contents.h"
#include "team/team.h"

namespace stend::memory {
namespace {

// Before the first repetition a thread's block is filled with a seed of the thread's own.
constexpr std::uint64_t between_threads = std::uint64_t{1} << 40;  // repetitions

Order order_of(Affinity affinity) {
    return affinity == Affinity::compact ? Order::compacted : Order::scattered;
}

class WriteParallel final : public Kernel {
public:
    WriteParallel(std::size_t block_bytes, unsigned threads, Affinity affinity,
                  const Variant<Fill>& variant)
        : words_(block_bytes / sizeof(Word)),
          affinity_(affinity),
          cpus_(first_cpus(threads, order_of(affinity))),
          name_(variant.name),
          fill_(variant.function) {}

    void prepare() override;
    void repeat(std::uint64_t times) override;
    bool check() override;
    Proof prove() override;
    std::string_view variant() const override { return name_; }
    unsigned threads() const override { return static_cast<unsigned>(cpus_.size()); }

private:
    std::span<Word> block(unsigned member) const {
        return data_.span().subspan(member * words_, words_);
    }
    Word seed_now(unsigned member) const;
    bool ends_are_right(unsigned member) const;

    std::size_t words_;
    Affinity affinity_;
    std::vector<int> cpus_;
    std::string_view name_;
    Fill fill_;
    std::uint64_t asked_ = 0;  // repetitions that were asked for
    std::optional<Team> team_;
    Buffer<Word> data_;
};

Word first_seed(unsigned member) {
    return member * between_threads * far_apart;
}

// Each block is first touched, and written, by the thread that will write it.
void WriteParallel::prepare() {
    data_ = Buffer<Word>(words_ * threads());
    if (affinity_ == Affinity::none)
        team_.emplace(Unbound{}, threads());
    else
        team_.emplace(cpus_);
    team_->run([this](unsigned member) noexcept { fill_(block(member), first_seed(member)); });
    data_.gather_huge_pages();
}

void WriteParallel::repeat(std::uint64_t times) {
    asked_ += times;
    for (; times > 0; --times)
        team_->run([this](unsigned member) noexcept {
            const std::span<Word> mine = block(member);
            fill_(mine, mine.back() + far_apart);
        });
}

// Every repetition adds the last word's distance from the seed, and far_apart.
Word WriteParallel::seed_now(unsigned member) const {
    return first_seed(member) + asked_ * (words_ - 1 + far_apart);
}

bool WriteParallel::ends_are_right(unsigned member) const {
    const std::span<const Word> words = block(member);
    const std::size_t somewhere = (asked_ * far_apart >> 32) % words_;  // another place each time
    return std::ranges::all_of(std::initializer_list<std::size_t>{0, somewhere, words_ - 1},
                               [&](std::size_t i) { return words[i] == seed_now(member) + i; });
}

bool WriteParallel::check() {
    for (unsigned member = 0; member < threads(); ++member)
        if (!ends_are_right(member)) return false;
    return true;
}

Proof WriteParallel::prove() {
    std::vector<std::size_t> firsts(threads());
    team_->run([&](unsigned member) noexcept {
        firsts[member] = first_wrong(block(member), seed_now(member), 1);
    });
    const std::string after = " after " + std::to_string(asked_) + " repetitions.";
    for (unsigned member = 0; member < threads(); ++member)
        if (firsts[member] < words_)
            return {false, "Word " + std::to_string(firsts[member]) + " of thread " +
                               std::to_string(member) + "'s block is not what it has to be" +
                               after};
    return {true, "Every word of " + std::to_string(threads()) +
                      " threads' blocks is what the chain of their fills leaves there" + after};
}

}  // namespace

Affinity affinity(std::string_view name) {
    constexpr std::string_view names[]{"none", "scatter", "compact"};
    const auto* const found = std::ranges::find(names, name);
    if (found != std::end(names)) return static_cast<Affinity>(found - std::begin(names));
    throw std::invalid_argument("There is no affinity \"" + std::string(name) +
                                "\"; there are none, scatter and compact.");
}

std::unique_ptr<Kernel> write_parallel(std::size_t block_bytes, unsigned threads, Affinity affinity,
                                       const Variant<Fill>& variant) {
    require_whole_lines(block_bytes);
    return std::make_unique<WriteParallel>(block_bytes, threads, affinity, variant);
}

}  // namespace stend::memory
