// Reading a timer as work: compiled once for each timer, so that nothing but the reading
// is in the loop.
#pragma once

#include "clock/company.h"

namespace stend::clock {

template <std::int64_t (*Read)()>
class ReadKernel final : public Kernel {
public:
    explicit ReadKernel(const Reader& timer) : company_(timer) {}

    void prepare() override {
        company_.meet();
        last_ = Read();
    }

    void repeat(std::uint64_t times) override {
        std::uint64_t made = 0;
        std::int64_t last = last_;
        bool backwards = false;
        for (; made < times; ++made) {
            const std::int64_t now = Read();
            backwards |= now < last;
            last = now;
            asm volatile("" : "+r"(made));
        }
        last_ = last;
        backwards_ |= backwards;
        asked_ += times;
        made_ += made;
    }

    bool check() override { return made_ == asked_ && !backwards_; }

    Proof prove() override {
        const Proof kept = company_.part();
        const std::string ran = backwards_ ? "it ran backwards; " : "it never ran backwards; ";
        return {check() && kept.right, std::to_string(made_) + " of " + std::to_string(asked_) +
                                           " readings made; " + ran + kept.said};
    }

    std::string_view variant() const override { return "plain"; }

private:
    Company company_;
    std::int64_t last_ = 0;
    std::uint64_t asked_ = 0, made_ = 0;
    bool backwards_ = false;
};

template <std::int64_t (*Read)()>
std::unique_ptr<Kernel> make_read(const Reader& timer) {
    return std::make_unique<ReadKernel<Read>>(timer);
}

}  // namespace stend::clock
