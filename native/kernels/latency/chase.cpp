// The kernels that only chase: where the memory happens to lie, and on a node.
#include "kernels/latency/chain.h"
#include "kernels/latency/hops.h"
#include "team/seat.h"

namespace stend::latency {
namespace {

class Chase : public Kernel {
public:
    Chase(std::size_t bytes, Pages pages) : lines_(cycle_lines(bytes)), pages_(pages) {}

    void prepare() override { begin(first_cpus(1).front(), nullptr); }

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

protected:
    void begin(int cpu, const nodes::Node* node) {
        seat_ = sit(cpu);
        chain_ = Chain(lines_, pages_, node);
        at_ = chain_.after(0);
    }
    const Chain& chain() const { return chain_; }

private:
    std::size_t lines_;
    Pages pages_;
    std::uint64_t asked_ = 0;
    const Line* at_ = nullptr;
    Seat seat_;
    Chain chain_;
};

class ChaseOnNode final : public Chase {
public:
    ChaseOnNode(std::size_t bytes, int cpu, nodes::Home memory)
        : Chase(bytes, Pages::huge_if_any), cpu_(cpu), memory_(std::move(memory)) {}

    void prepare() override {
        begin(cpu_, memory_.get());
        nodes::require(*memory_, chain().memory());
    }

    Proof prove() override {
        const Proof chased = Chase::prove(), placed = memory_->holds(chain().memory());
        return {chased.right && placed.right, chased.said + " Of the cycle, " + placed.said + "."};
    }

    std::string about() const override {
        return chain().in_huge_pages()
                   ? "in huge pages"
                   : "in normal pages: the system gave no huge ones for all of the memory";
    }

private:
    int cpu_;
    nodes::Home memory_;
};

}  // namespace

std::unique_ptr<Kernel> chase(std::size_t bytes, Pages pages) {
    require_lines(bytes);
    return std::make_unique<Chase>(bytes, pages);
}

std::unique_ptr<Kernel> chase_on(std::size_t bytes, const nodes::Home& thread, nodes::Home memory) {
    require_lines(bytes);
    return std::make_unique<ChaseOnNode>(bytes, thread->cpu(), std::move(memory));
}

}  // namespace stend::latency
