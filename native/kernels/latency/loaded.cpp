// The kernel that chases while others read. A reader's memory holds its words' numbers, so
// what it has read adds up to a sum that is known for any number of lines.
#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <numeric>
#include <optional>
#include <thread>

#include "kernels/latency/hops.h"
#include "team/team.h"

namespace stend::latency {
namespace {

using Word = std::uint64_t;
constexpr std::size_t line_words = 8;
constexpr std::size_t visit = 8;             // lines between two looks whether it is over
constexpr std::uint64_t warm_hops = 4096;    // some 0.5 ms, until queues are as full as they get
constexpr std::uint64_t timed_hops = 16384;  // 2 to 5 ms: the readers count some thousand lines

// 0 + 1 + … + (count − 1), modulo 2^64.
Word sum_below(Word count) {
    return count % 2 == 0 ? count / 2 * (count - 1) : (count - 1) / 2 * count;
}

// One thread's share of the memory, read round and round.
class alignas(64) Reader {
public:
    void reserve(std::size_t lines) { words_ = Buffer<Word>(lines * line_words); }

    // By the thread that will read.
    void touch() {
        std::iota(words_.span().begin(), words_.span().end(), Word{0});
        words_.gather_huge_pages();
    }

    void read_visit(std::uint64_t delay) {
        const Word* const words = words_.data() + next_;
        for (std::size_t line = 0; line < visit; ++line) {
            for (std::size_t i = 0; i < line_words; ++i) sum_ += words[line * line_words + i];
            for (std::uint64_t spin = 0; spin < delay; ++spin) asm volatile("");
        }
        next_ += visit * line_words;
        if (next_ == words_.span().size()) next_ = 0;
        lines_.store(lines() + visit, std::memory_order_relaxed);
    }

    std::uint64_t lines() const { return lines_.load(std::memory_order_relaxed); }

    bool right() const {
        const Word all = words_.span().size(), read = lines() * line_words;
        return sum_ == read / all * sum_below(all) + sum_below(read % all);
    }

private:
    Buffer<Word> words_;
    std::size_t next_ = 0;
    Word sum_ = 0;
    std::atomic<std::uint64_t> lines_{0};
};

class Loaded final : public Observer {
public:
    Loaded(std::size_t bytes, std::uint64_t delay, std::vector<int> cpus)
        : lines_(cycle_lines(bytes / 2)),
          share_(bytes / 2 / sizeof(Line) / (cpus.size() - 1) / visit * visit),
          delay_(delay),
          cpus_(std::move(cpus)),
          readers_(cpus_.size() - 1) {}

    void prepare() override;
    double observe() override;
    bool check() override;
    Proof prove() override;
    std::vector<std::string> columns() const override { return {"injected B/s"}; }
    std::span<const double> further() const override { return further_; }
    std::string_view variant() const override { return "plain"; }
    unsigned threads() const override { return static_cast<unsigned>(cpus_.size()); }

private:
    void chase() noexcept;
    void read(Reader& reader) noexcept;
    std::uint64_t lines_read() const;

    std::size_t lines_, share_;
    std::uint64_t delay_;
    std::vector<int> cpus_;
    std::uint64_t hops_ = 0;  // of all observations asked for
    const Line* at_ = nullptr;
    double latency_ = 0;
    std::array<double, 1> further_{};
    Chain chain_;
    std::vector<Reader> readers_;
    alignas(64) std::atomic<unsigned> reading_{0};
    alignas(64) std::atomic<bool> over_{false};
    std::optional<Team> team_;  // the last member: it ends before what it works on
};

void Loaded::prepare() {
    team_.emplace(cpus_);
    chain_ = Chain(lines_, Pages::huge);
    at_ = chain_.after(0);
    for (Reader& reader : readers_) reader.reserve(share_);
    team_->run([this](unsigned member) noexcept {
        if (member > 0) readers_[member - 1].touch();
    });
}

double Loaded::observe() {
    hops_ += warm_hops + timed_hops;
    reading_ = 0;
    over_ = false;
    team_->run([this](unsigned member) noexcept {
        if (member > 0) return read(readers_[member - 1]);
        chase();
        over_ = true;
    });
    return latency_;
}

void Loaded::read(Reader& reader) noexcept {
    reader.read_visit(delay_);
    ++reading_;
    while (!over_.load(std::memory_order_relaxed)) reader.read_visit(delay_);
}

// Timed only when all read; what they have read is asked right outside of the timing.
void Loaded::chase() noexcept {
    using Clock = std::chrono::steady_clock;
    // Yielding counts as preemption, so only where the readers want for a CPU.
    for (unsigned turn = 0; reading_ < readers_.size(); ++turn)
        if (turn > 1'000'000) std::this_thread::yield();
    at_ = hopped(at_, warm_hops);
    const std::uint64_t before = lines_read();
    const auto begin = Clock::now();
    at_ = hopped(at_, timed_hops);
    const auto end = Clock::now();
    const std::uint64_t read = lines_read() - before;
    const double seconds = std::chrono::duration<double>(end - begin).count();
    latency_ = seconds / double(timed_hops);
    further_ = {double(read * sizeof(Line)) / seconds};
}

std::uint64_t Loaded::lines_read() const {
    std::uint64_t sum = 0;
    for (const Reader& reader : readers_) sum += reader.lines();
    return sum;
}

bool Loaded::check() {
    return at_ == chain_.after(hops_) && std::ranges::all_of(readers_, &Reader::right);
}

Proof Loaded::prove() {
    if (const std::string fault = chain_.fault(); !fault.empty()) return {false, fault};
    const std::string said = "One cycle leads through all " + std::to_string(lines_) + " lines; ";
    if (at_ != chain_.after(hops_))
        return {false, said + std::to_string(hops_) + " loads did not end where it leads."};
    if (!check()) return {false, said + "what the others read is not the sum of their lines."};
    return {true, said + std::to_string(hops_) + " loads ended where it leads, and the others' " +
                      std::to_string(lines_read()) + " lines add up to what they hold."};
}

void require_readers(std::size_t bytes, std::size_t cpus) {
    if (cpus < 2)
        throw std::invalid_argument(
            "One CPU was given; a latency under load takes one for the loads and at least one "
            "that reads meanwhile.");
    const std::size_t least = visit * sizeof(Line) * (cpus - 1);
    if (bytes / 2 < least)
        throw std::invalid_argument(std::to_string(bytes) + " bytes are too few for " +
                                    std::to_string(cpus - 1) + " readers; ask for at least " +
                                    std::to_string(2 * least) + ".");
}

}  // namespace

std::unique_ptr<Kernel> loaded(std::size_t bytes, std::uint64_t delay, std::vector<int> cpus) {
    if (bytes % (2 * sizeof(Line)) != 0)
        throw std::invalid_argument("The memory is halved into whole cache lines of 64 bytes; " +
                                    std::to_string(bytes) +
                                    " bytes are not, so ask for a multiple of 128.");
    require_readers(bytes, cpus.size());
    require_lines(bytes / 2);
    return std::make_unique<Loaded>(bytes, delay, std::move(cpus));
}

}  // namespace stend::latency
