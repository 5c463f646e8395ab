// The kernel that only chases.
#include "latency/chain.h"
#include "latency/hops.h"
#include "team/seat.h"

namespace stend::latency {
namespace {

class Chase final : public Kernel {
public:
    Chase(std::size_t bytes, Pages pages) : lines_(cycle_lines(bytes)), pages_(pages) {}

    void prepare() override {
        seat_ = sit(first_cpus(1).front());
        chain_ = Chain(lines_, pages_);
        at_ = chain_.after(0);
    }

    void repeat(std::uint64_t times) override {
        asked_ += times;
        at_ = hopped(at_, times);
    }

    bool check() override { return at_ == chain_.after(asked_); }

    Proof prove() override {
        if (const std::string fault = chain_.fault(); !fault.empty()) return {false, fault};
        const std::string all = "One cycle leads through all " + std::to_string(lines_) +
                                " lines, and " + std::to_string(asked_) + " loads ";
        return {check(), all + (check() ? "ended" : "did not end") +
                             " at the line that lies so far along it."};
    }

    std::string_view variant() const override { return "plain"; }

private:
    std::size_t lines_;
    Pages pages_;
    std::uint64_t asked_ = 0;
    const Line* at_ = nullptr;
    Seat seat_;
    Chain chain_;
};

}  // namespace

std::unique_ptr<Kernel> chase(std::size_t bytes, Pages pages) {
    require_lines(bytes);
    return std::make_unique<Chase>(bytes, pages);
}

}  // namespace stend::latency
