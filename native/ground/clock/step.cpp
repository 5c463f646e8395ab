// One step of a timer: read until it differs.
#include "clock/company.h"
#include "clock/timers.h"

namespace stend::clock {
namespace {

class Step final : public Observer {
public:
    explicit Step(const Reader& timer) : timer_(timer), company_(timer) {}

    void prepare() override { company_.meet(); }

    double observe() override {
        const std::int64_t before = timer_.read();
        std::int64_t now = timer_.read();
        while (now == before) now = timer_.read();
        forwards_ &= now > before;
        return static_cast<double>(now - before) * timer_.unit;
    }

    bool check() override { return forwards_; }

    Proof prove() override {
        const Proof kept = company_.part();
        const std::string went = forwards_ ? "every step went forwards; " : "it went backwards; ";
        return {forwards_ && kept.right, went + kept.said};
    }

    std::string_view variant() const override { return "plain"; }

private:
    const Reader& timer_;
    Company company_;
    bool forwards_ = true;
};

}  // namespace

std::unique_ptr<Kernel> step(std::string_view timer) {
    return std::make_unique<Step>(reader(timer));
}

}  // namespace stend::clock
