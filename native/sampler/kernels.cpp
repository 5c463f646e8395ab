// empty: counts its executions; spin: multiplies, and is proved by exponentiation.
#include "sampler/kernels.h"

#include "clock/chain.h"

namespace stend::sampler {
namespace {

class Empty final : public Kernel {
public:
    void repeat(std::uint64_t times) override {
        std::uint64_t made = 0;
        while (made < times) {
            ++made;
            asm volatile("" : "+r"(made));
        }
        asked_ += times;
        made_ += made;
    }

    bool check() override { return made_ == asked_; }

    Proof prove() override {
        return {made_ == asked_, "counted " + std::to_string(made_) + " executions of " +
                                     std::to_string(asked_) + " that were asked for"};
    }

    std::string_view variant() const override { return "plain"; }

private:
    std::uint64_t asked_ = 0, made_ = 0;
};

class Spin final : public Kernel {
public:
    void repeat(std::uint64_t times) override {
        state_ = clock::multiply(state_, times * multiplications);
        asked_ += times;
    }

    // Exponentiation of what was asked since the last look: some 70 multiplications.
    bool check() override {
        expected_ *= clock::power((asked_ - checked_) * multiplications);
        checked_ = asked_;
        return state_ == expected_;
    }

    Proof prove() override {
        const std::uint64_t whole = clock::power(asked_ * multiplications);
        return {state_ == whole, "the product of " + std::to_string(asked_ * multiplications) +
                                     " multiplications " +
                                     (state_ == whole ? "equals" : "differs from") +
                                     " the power computed by squaring"};
    }

    std::string_view variant() const override { return "plain"; }

private:
    static constexpr std::uint64_t multiplications = 1000;
    std::uint64_t state_ = 1, expected_ = 1, asked_ = 0, checked_ = 0;
};

}  // namespace

std::unique_ptr<Kernel> empty() {
    return std::make_unique<Empty>();
}
std::unique_ptr<Kernel> spin() {
    return std::make_unique<Spin>();
}

}  // namespace stend::sampler
