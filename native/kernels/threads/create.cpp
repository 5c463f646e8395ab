// One thread at a time, made and joined. Its stack comes from the library's cache from the
// second on, as in any program that has made a thread before.
#include <optional>
#include <string>

#include "clock/dispatch.h"
#include "kernels/threads/census.h"
#include "kernels/threads/life.h"
#include "kernels/threads/scene.h"

namespace stend::threads {
namespace {

struct Life {
    Census& census;
    std::uint64_t number;
};

void* end_at_once(void* argument) {
    const Life& life = *static_cast<Life*>(argument);
    life.census.count(life.number);
    return nullptr;
}

template <typename Clock, bool with_join>
class Creation final : public Observer {
public:
    Creation(const Conditions& conditions, Create make)
        : conditions_(conditions), attributes_(others_cpus(conditions)), make_(make) {}

    void prepare() override { scene_.emplace(conditions_); }

    double observe() override {
        Life life{census_, ++asked_};
        const pthread_attr_t* const attributes = attributes_.of(asked_);
        pthread_t thread;
        const std::uint64_t began = Clock::begin();
        const int error = make_(&thread, attributes, end_at_once, &life);
        std::uint64_t ended = with_join ? 0 : Clock::end().ticks;
        if (error != 0) throw CannotStart(asked_ - 1, error);
        pthread_join(thread, nullptr);
        if (with_join) ended = Clock::end().ticks;
        forwards_ &= ended > began;
        return static_cast<double>(ended - began) / hz_;
    }

    bool check() override { return forwards_ && census_.counted() == asked_; }

    Proof prove() override {
        const bool all = census_.complete(asked_);
        return {all && forwards_, "of " + std::to_string(asked_) + " threads made " +
                                      std::to_string(census_.counted()) + " ran, " +
                                      (all ? "each once" : "not each once") +
                                      (forwards_ ? "" : "; the clock ran backwards")};
    }

    std::string_view variant() const override { return "plain"; }
    std::string about() const override { return library(); }
    bool gives_way() const override { return true; }

private:
    double hz_ = clock::remembered(Clock::name).hz;
    Conditions conditions_;
    Attributes attributes_;
    Create make_;
    std::optional<Scene> scene_;
    alignas(64) Census census_;  // away from what the maker reads between two readings of the clock
    alignas(64) std::uint64_t asked_ = 0;
    bool forwards_ = true;
};

template <bool with_join>
std::unique_ptr<Kernel> creation(const Conditions& conditions, Create make) {
    return clock::with_clock(
        clock::default_name(), [&]<typename Clock>(Clock) -> std::unique_ptr<Kernel> {
            return std::make_unique<Creation<Clock, with_join>>(conditions, make);
        });
}

}  // namespace

std::unique_ptr<Kernel> create(const Conditions& conditions, Create make) {
    return creation<false>(conditions, make);
}

std::unique_ptr<Kernel> create_join(const Conditions& conditions, Create make) {
    return creation<true>(conditions, make);
}

}  // namespace stend::threads
