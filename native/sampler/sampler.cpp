// The timed loop, compiled once for each clock, each way to tell preemption, and timed
// work or observations, so that nothing but Kernel::repeat is called indirectly in it.
#include "sampler/sampler.h"

#include <algorithm>
#include <stdexcept>

#include "clock/dispatch.h"
#include "sampler/preemption.h"

namespace stend {
namespace {

constexpr double seconds_between_looks = 0.05;

struct Task {
    Kernel& kernel;
    std::uint64_t batch, count;
    double seconds, hz;
    std::uint64_t zero;
    const std::function<void()>& look;

    std::uint64_t ticks(double time) const {
        return static_cast<std::uint64_t>(std::min(time, 1e6) * hz);
    }
};

// The columns, written before they are needed so that no page is first touched while
// repetitions are made; grows by half when a count can't be foreseen.
class Columns {
public:
    Columns(std::uint64_t count, const Kernel& kernel, bool observed) {
        made_.observed = observed;
        for (std::string& name : kernel.columns()) made_.also.push_back({std::move(name), {}});
        resize(std::min<std::uint64_t>(count, 1U << 16));
    }

    [[gnu::always_inline]] void add(std::uint64_t started, std::uint64_t ticks, std::int32_t core,
                                    bool preempted) {
        if (size_ == made_.ticks.size()) [[unlikely]]
            resize(size_ + size_ / 2);
        made_.started[size_] = static_cast<std::int64_t>(started);
        made_.ticks[size_] = static_cast<std::int64_t>(ticks);
        made_.core[size_] = core;
        made_.preempted[size_] = preempted;
        ++size_;
    }

    void set_value(double value) { made_.values[size_ - 1] = value; }

    void set_further(std::span<const double> further) {
        if (further.size() != made_.also.size())
            throw std::logic_error("A kernel named " + std::to_string(made_.also.size()) +
                                   " further columns and gave " + std::to_string(further.size()) +
                                   " values.");
        for (std::size_t i = 0; i < made_.also.size(); ++i)
            made_.also[i].values[size_ - 1] = further[i];
    }

    Repetitions take(bool right) {
        resize(size_);
        made_.right = right;
        return std::move(made_);
    }

private:
    void resize(std::size_t size) {
        for (auto* column : {&made_.started, &made_.ticks, &made_.core, &made_.preempted})
            column->resize(size);
        if (made_.observed) made_.values.resize(size);
        for (Also& column : made_.also) column.values.resize(size);
    }

    Repetitions made_;
    std::size_t size_ = 0;
};

struct Timed {
    Kernel& kernel;
    std::uint64_t batch;

    static constexpr bool observed = false;

    [[gnu::always_inline]] void run() { kernel.repeat(batch); }
    void keep(Columns&) const {}
};

struct Observed {
    Observer& kernel;
    double value = 0;

    static constexpr bool observed = true;

    [[gnu::always_inline]] void run() { value = kernel.observe(); }
    void keep(Columns& columns) const { columns.set_value(value); }
};

// One comparison a repetition tells that there is something else to do: the time is
// over, or it is time for a look.
class Deadline {
public:
    Deadline(const Task& task, std::uint64_t now)
        : end_(now + task.ticks(task.seconds)),
          pause_(task.ticks(seconds_between_looks)),
          next_(std::min(end_, now + pause_)) {}

    bool due(std::uint64_t now) const { return now >= next_; }

    // Looks, or returns false when the time is over.
    bool attend(const Task& task, std::uint64_t now) {
        if (task.look) task.look();
        next_ = std::min(end_, now + pause_);
        return now < end_;
    }

private:
    std::uint64_t end_, pause_, next_;
};

template <typename Clock, typename Watch, typename Work>
Repetitions collected(const Task& task, Watch&& watch, Work work) {
    Columns columns(task.count, task.kernel, Work::observed);
    Deadline deadline(task, Clock::begin());
    bool right = true;
    for (std::uint64_t made = 0; made < task.count && right; ++made) {
        task.kernel.ready(task.batch);
        watch.begin();
        const std::uint64_t started = Clock::begin();
        work.run();
        const clock::Reading ended = Clock::end();
        columns.add(started - task.zero, ended.ticks - started, ended.core, watch.preempted());
        work.keep(columns);
        right = task.kernel.check();
        columns.set_further(task.kernel.further());
        if (deadline.due(ended.ticks) && !deadline.attend(task, ended.ticks)) break;
    }
    return columns.take(right);
}

template <typename Clock, typename Watch>
Repetitions watched(const Task& task, Watch&& watch) {
    if (auto* observer = dynamic_cast<Observer*>(&task.kernel))
        return collected<Clock>(task, watch, Observed{*observer});
    return collected<Clock>(task, watch, Timed{task.kernel, task.batch});
}

// A restartable sequence tells of its own thread alone.
template <typename Clock>
Repetitions clocked(const Task& task) {
    using namespace sampler;
    if (task.kernel.gives_way()) return watched<Clock>(task, NoWatch());
    if (task.kernel.threads() > 1) return watched<Clock>(task, CountingWatch(RUSAGE_SELF));
    if (interruptions_are_told()) return watched<Clock>(task, SequenceWatch());
    return watched<Clock>(task, CountingWatch(this_thread));
}

void require_sense(const Kernel& kernel, std::uint64_t batch, std::uint64_t count, double seconds) {
    if (batch == 0 || count == 0)
        throw std::invalid_argument("A batch and a count of repetitions are at least 1, not " +
                                    std::to_string(batch) + " and " + std::to_string(count) + ".");
    if (!(seconds >= 0))
        throw std::invalid_argument("The time to collect in must be at least 0 s, not " +
                                    std::to_string(seconds) + ".");
    if (batch != 1 && dynamic_cast<const Observer*>(&kernel))
        throw std::invalid_argument(
            "A kernel that reports its own value is observed one by one: "
            "the batch must be 1, not " +
            std::to_string(batch) + ".");
}

}  // namespace

Sampler::Sampler(Kernel& kernel, std::string_view clock) : kernel_(kernel), clock_(clock) {
    clock::with_clock(clock_, [this](auto source) { zero_ = decltype(source)::begin(); });
    origin_ = clock::monotonic_ns();
}

Repetitions Sampler::collect(std::uint64_t batch, std::uint64_t count, double seconds,
                             const std::function<void()>& look) {
    require_sense(kernel_, batch, count, seconds);
    const Task task{kernel_, batch, count, seconds, clock::remembered(clock_).hz, zero_, look};
    return clock::with_clock(clock_, [&](auto source) { return clocked<decltype(source)>(task); });
}

}  // namespace stend
