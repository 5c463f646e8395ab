// A chain of threads, each of which makes the next. The thread that ends the chain reads the clock
// itself, so that waking the one who waits for it is no part of the time.
#include <semaphore.h>

#include <optional>
#include <string>
#include <vector>

#include "clock/dispatch.h"
#include "kernels/threads/census.h"
#include "kernels/threads/life.h"
#include "kernels/threads/scene.h"

namespace stend::threads {
namespace {

template <typename Clock>
class Chain final : public Observer {
public:
    Chain(std::uint64_t length, Keep keep, const Conditions& conditions, Create make)
        : keep_(keep),
          conditions_(conditions),
          attributes_(all_cpus(conditions), keep),
          make_(make),
          links_(length) {
        sem_init(&all_ran_, 0, 0);
    }

    ~Chain() override { sem_destroy(&all_ran_); }

    void prepare() override {
        for (std::uint64_t i = 0; i < links_.size(); ++i) links_[i] = {this, i, 0, {}};
        scene_.emplace(conditions_);
    }

    double observe() override {
        ++asked_;
        left_.store(links_.size());
        const std::uint64_t began = Clock::begin();
        if (!made(0)) throw CannotStart(0, error_);
        if (keep_ == Keep::joined)
            pthread_join(links_[0].thread, nullptr);
        else
            await(all_ran_);
        const std::uint64_t ended = Clock::end().ticks;
        if (error_ != 0) throw CannotStart(begun_, error_);
        made_seconds_ = each(last_ran_ - began);
        forwards_ &= last_ran_ > began && ended > last_ran_;
        return keep_ == Keep::joined ? each(ended - began) : made_seconds_;
    }

    bool check() override { return forwards_ && census_.counted() == asked_ * links_.size(); }

    Proof prove() override {
        bool all = census_.complete(asked_ * links_.size());
        for (const Link& link : links_) all &= link.ran == asked_;
        return {all && forwards_, "in " + std::to_string(asked_) + " chains of " +
                                      std::to_string(links_.size()) + " threads " +
                                      std::to_string(census_.counted()) + " ran, " +
                                      (all ? "each once a chain" : "not each once a chain") +
                                      (forwards_ ? "" : "; the clock ran backwards")};
    }

    std::string_view variant() const override { return "plain"; }
    std::string about() const override { return library(); }
    bool gives_way() const override { return true; }

    std::vector<std::string> columns() const override {
        return keep_ == Keep::joined ? std::vector<std::string>{"until the last runs s"}
                                     : std::vector<std::string>{};
    }
    std::span<const double> further() const override {
        return {&made_seconds_, keep_ == Keep::joined ? 1U : 0U};
    }

private:
    struct Link {
        Chain* chain;
        std::uint64_t number;  // from 0
        std::uint64_t ran;
        pthread_t thread;
    };

    static void* run(void* argument) {
        Link& link = *static_cast<Link*>(argument);
        link.chain->go_on(link);
        return nullptr;
    }

    // A detached thread that has counted itself down is about to end, and touches nothing more.
    void go_on(Link& link) {
        const std::uint64_t next = link.number + 1;
        std::uint64_t over = 1;  // with those that will never be made
        ++link.ran;
        if (next == links_.size())
            last_ran_ = Clock::begin();
        else if (!made(next))
            over += links_.size() - (begun_ = next);
        else if (keep_ == Keep::joined)
            pthread_join(links_[next].thread, nullptr);
        census_.count((asked_ - 1) * links_.size() + next);
        if (left_.fetch_sub(over) == over && keep_ == Keep::detached) sem_post(&all_ran_);
    }

    bool made(std::uint64_t number) {
        Link& link = links_[number];
        const int error = make_(&link.thread, attributes_.of(number), run, &link);
        if (error != 0) error_ = error;
        return error == 0;
    }

    static void await(sem_t& semaphore) {
        while (sem_wait(&semaphore) != 0) {
        }
    }

    double each(std::uint64_t ticks) const {
        return static_cast<double>(ticks) / hz_ / static_cast<double>(links_.size());
    }

    double hz_ = clock::remembered(Clock::name).hz;
    Keep keep_;
    Conditions conditions_;
    Attributes attributes_;
    Create make_;
    std::vector<Link> links_;
    std::optional<Scene> scene_;
    Census census_;
    sem_t all_ran_;
    std::atomic<std::uint64_t> left_ = 0;  // of this chain's threads: have not run, and still may
    std::uint64_t last_ran_ = 0, asked_ = 0, begun_ = 0;
    double made_seconds_ = 0;
    int error_ = 0;
    bool forwards_ = true;
};

}  // namespace

Keep keep(std::string_view word) {
    if (word == "joined") return Keep::joined;
    if (word == "detached") return Keep::detached;
    throw std::invalid_argument("Threads can't be kept \"" + std::string(word) +
                                "\"; use joined or detached.");
}

std::unique_ptr<Kernel> chain(std::uint64_t length, Keep keep, const Conditions& conditions,
                              Create make) {
    if (length == 0) throw std::invalid_argument("A chain has at least one thread, not none.");
    return clock::with_clock(
        clock::default_name(), [&]<typename Clock>(Clock) -> std::unique_ptr<Kernel> {
            return std::make_unique<Chain<Clock>>(length, keep, conditions, make);
        });
}

}  // namespace stend::threads
