// Rounds of several threads that do the same to one thing at the same time. What the thing is, a
// subject says, made by the measuring thread in its seat, which has
//   Subject(threads, …)
//   void operate(unsigned member, std::uint64_t times) noexcept  what each thread does in a round
//   bool right(std::uint64_t each) const  whether every operation of every thread, so many each,
//                                         is to be seen in what they left
//   std::string said(std::uint64_t each) const  that, in words
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "kernels/threads/rounds.h"
#include "team/team.h"

namespace stend::threads {

template <typename Subject>
class Together : public Rounds {
public:
    template <typename... Words>
    Together(const Conditions& conditions, unsigned threads, std::string_view variant,
             Words... words)
        : Rounds(conditions, threads, variant),
          cpus_(first_cpus(threads)),
          make_([=] { return std::make_unique<Subject>(threads, words...); }) {}

    bool check() override { return subject_->right(each_made()); }
    Proof prove() override { return {check(), subject_->said(each_made())}; }
    unsigned threads() const override { return measuring(); }

protected:
    void set_up() override {
        subject_ = make_();
        if (conditions().bound)
            team_.emplace(cpus_);
        else
            team_.emplace(Unbound{}, measuring());
    }

    double round(std::uint64_t turns) override {
        watch_.start();
        team_->run([this, turns](unsigned member) noexcept { subject_->operate(member, turns); });
        return watch_.seconds();
    }

    // Operations that every thread has made so far.
    virtual std::uint64_t each_made() const { return asked(); }

    // Until the last thread has begun, and the first one knows that all have ended, two cache lines
    // go there and back, some 0.3 us.
    double shortest() const override { return measuring() > 1 ? 500e-6 : Rounds::shortest(); }

    template <typename Work>
    void each(Work&& work) {
        team_->run(work);
    }

    Subject& subject() { return *subject_; }

private:
    std::vector<int> cpus_;
    std::function<std::unique_ptr<Subject>()> make_;
    std::unique_ptr<Subject> subject_;
    std::optional<Team> team_;
};

}  // namespace stend::threads
