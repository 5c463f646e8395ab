// Two threads that hand a number back and forth, each adding one. Comes in: a channel, and where
// the two are; goes out: rounds of round trips, s a hop, which is half of one. The other thread
// waits at the channel from the beginning to the end, so a round is timed by one thread alone.
#pragma once

#include <atomic>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <thread>
#include <vector>

#include "kernels/threads/channels.h"
#include "kernels/threads/rounds.h"
#include "kernels/threads/sync.h"

namespace stend::threads {

// The CPUs of the two; none: not bound. Throws std::invalid_argument for a place that contradicts
// the affinity, or an other CPU where there is but one.
std::vector<int> relay_cpus(Place place, const Conditions& conditions);

// Returns every number that comes with one added, until `home` comes.
template <typename Channel>
class Partner {
public:
    static constexpr Number home = (Number{1} << 63) + 2;  // its lower half is no number's here

    // A thread begins where its maker sits.
    Partner(Channel& channel, std::optional<int> cpu) : channel_(channel) {
        const Seat seat = cpu ? sit(*cpu) : nullptr;
        thread_ = std::thread([this] { serve(); });
    }
    Partner(const Partner&) = delete;
    Partner& operator=(const Partner&) = delete;
    ~Partner() {
        channel_.send(End::there, home);
        thread_.join();
    }

    std::uint64_t returned() const { return returned_.load(std::memory_order_relaxed); }
    bool right() const { return right_.load(std::memory_order_relaxed); }

private:
    void serve() noexcept {
        Number last = 0;
        for (Number expected = 1;; expected += 2) {
            last = channel_.receive(End::there, last);
            if (last == home) return;
            if (last != expected) right_.store(false, std::memory_order_relaxed);
            returned_.store(returned() + 1, std::memory_order_relaxed);
            channel_.send(End::here, last + 1);
        }
    }

    Channel& channel_;
    std::atomic<std::uint64_t> returned_ = 0;
    std::atomic<bool> right_ = true;
    std::thread thread_;
};

template <typename Channel>
class Relay final : public Rounds {
public:
    Relay(Place place, const Conditions& conditions)
        : Rounds(conditions, 2, Channel::name),
          shares_(place == Place::same),
          cpus_(relay_cpus(place, conditions)) {}

    bool check() override { return right_ && partner_->right() && partner_->returned() == asked(); }

    Proof prove() override {
        return {check(), "the other thread returned " + std::to_string(partner_->returned()) +
                             " of " + std::to_string(asked()) + " numbers; " +
                             (right_ && partner_->right() ? "every hop carried its number"
                                                          : "a hop carried another number")};
    }

    unsigned threads() const override { return 2; }
    bool gives_way() const override { return shares_ || Rounds::gives_way(); }

    std::vector<std::string> columns() const override {
        return tells_yields ? std::vector<std::string>{"yields a hop"} : std::vector<std::string>{};
    }
    std::span<const double> further() const override { return {&yields_, tells_yields}; }

    std::string about() const override {
        if (cpus_.empty()) return Rounds::about();
        return Rounds::about() + ", on CPU " + std::to_string(cpus_[0]) + " and " +
               std::to_string(cpus_[1]);
    }

protected:
    void set_up() override {
        partner_.emplace(channel_, cpus_.empty() ? std::nullopt : std::optional(cpus_[1]));
        if (!cpus_.empty()) seat_ = sit(cpus_[0]);  // back from where the partner was made
    }

    double round(std::uint64_t trips) override {
        [[maybe_unused]] std::uint64_t before = 0;
        if constexpr (tells_yields) before = channel_.yields();
        bool right = true;
        watch_.start();
        for (std::uint64_t trip = 0; trip < trips; ++trip) {
            channel_.send(End::there, last_ + 1);
            const Number returned = channel_.receive(End::here, last_);
            right &= returned == last_ + 2;
            last_ += 2;
        }
        const double taken = watch_.seconds();
        right_ &= right;
        if constexpr (tells_yields)
            yields_ = static_cast<double>(channel_.yields() - before) / (2.0 * double(trips));
        return taken;
    }

    unsigned operations() const override { return 2; }

private:
    static constexpr bool tells_yields = requires(const Channel& channel) { channel.yields(); };

    bool shares_;
    std::vector<int> cpus_;
    Channel channel_;
    std::optional<Partner<Channel>> partner_;
    Seat seat_;
    Number last_ = 0;
    bool right_ = true;
    double yields_ = 0;
};

}  // namespace stend::threads
