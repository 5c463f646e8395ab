// The list of timers: the processor's counters, then the OS's clocks for elapsed time,
// then those for processor time.
#include "clock/readers.h"

#include <sys/resource.h>
#include <sys/time.h>
#include <sys/times.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <stdexcept>

#include "clock/dispatch.h"
#include "clock/read.h"
#include "clock/timers.h"

namespace stend::clock {
namespace {

template <typename Clock>
std::int64_t count() {
    return static_cast<std::int64_t>(Clock::begin());
}

template <clockid_t id>
std::int64_t os_clock() {
    timespec now;
    clock_gettime(id, &now);
    return std::int64_t{now.tv_sec} * 1'000'000'000 + now.tv_nsec;
}

std::int64_t microseconds(const timeval& time) {
    return std::int64_t{time.tv_sec} * 1'000'000 + time.tv_usec;
}

std::int64_t time_of_day() {
    timeval now;
    gettimeofday(&now, nullptr);
    return microseconds(now);
}

std::int64_t c_clock() {
    return ::clock();
}

std::int64_t resource_usage() {
    rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return microseconds(usage.ru_utime) + microseconds(usage.ru_stime);
}

std::int64_t process_times() {
    tms used;
    ::times(&used);
    return used.tms_utime + used.tms_stime;
}

// A counter that this build can't contain gets the reason alone.
template <typename Clock>
Reader processor_counter(const Source& source) {
    Reader reader{source.name, source.reason};
    if constexpr (Clock::built) {
        if (!source.available()) return reader;
        reader.unit = 1 / remembered(Clock::name).hz;
        reader.granularity = remembered(Clock::name).resolution;
        reader.read = count<Clock>;
        reader.kernel = make_read<count<Clock>>;
    }
    return reader;
}

template <clockid_t id>
Reader os_timer(std::string_view name, Counts counts = Counts::elapsed) {
    timespec step{};
    if (clock_getres(id, &step) != 0)
        return {name, "The OS has no " + std::string(name) + ".", counts};
    const double granularity = static_cast<double>(step.tv_sec) + 1e-9 * step.tv_nsec;
    return {name, "", counts, 1e-9, granularity, os_clock<id>, make_read<os_clock<id>>};
}

template <std::int64_t (*Read)()>
Reader call(std::string_view name, Counts counts, double unit) {
    return {name, "", counts, unit, unit, Read, make_read<Read>};
}

std::vector<Reader> counters() {
    const std::vector<Source> all = sources();
    return {processor_counter<Tsc>(all[0]), processor_counter<Cntvct>(all[1]),
            processor_counter<RdTime>(all[2])};
}

void add_elapsed(std::vector<Reader>& list) {
    list.push_back(os_timer<CLOCK_REALTIME>("CLOCK_REALTIME"));
    list.push_back(os_timer<CLOCK_MONOTONIC>("CLOCK_MONOTONIC"));
#if defined(__linux__)
    list.push_back(os_timer<CLOCK_MONOTONIC_RAW>("CLOCK_MONOTONIC_RAW"));
    list.push_back(os_timer<CLOCK_MONOTONIC_COARSE>("CLOCK_MONOTONIC_COARSE"));
    list.push_back(os_timer<CLOCK_BOOTTIME>("CLOCK_BOOTTIME"));
#endif
    list.push_back(call<time_of_day>("gettimeofday", Counts::elapsed, 1e-6));
}

void add_processor_time(std::vector<Reader>& list) {
    list.push_back(
        os_timer<CLOCK_THREAD_CPUTIME_ID>("CLOCK_THREAD_CPUTIME_ID", Counts::thread_time));
    list.push_back(
        os_timer<CLOCK_PROCESS_CPUTIME_ID>("CLOCK_PROCESS_CPUTIME_ID", Counts::process_time));
    list.push_back(call<c_clock>("clock", Counts::process_time, 1.0 / CLOCKS_PER_SEC));
    list.push_back(call<resource_usage>("getrusage", Counts::process_time, 1e-6));
    const auto ticks_a_second = static_cast<double>(sysconf(_SC_CLK_TCK));
    list.push_back(call<process_times>("times", Counts::process_time, 1 / ticks_a_second));
}

std::vector<Reader> listed() {
    std::vector<Reader> list = counters();
    add_elapsed(list);
    add_processor_time(list);
    return list;
}

}  // namespace

const std::vector<Reader>& readers() {
    static const std::vector<Reader> list = listed();
    return list;
}

const Reader& reader(std::string_view name) {
    const auto found = std::ranges::find(readers(), name, &Reader::name);
    if (found == readers().end()) {
        std::string names;
        for (const Reader& each : readers())
            names += (names.empty() ? "" : ", ") + std::string(each.name);
        throw std::invalid_argument("There is no timer named \"" + std::string(name) +
                                    "\"; the known ones are " + names + ".");
    }
    if (!found->reason.empty()) throw std::invalid_argument(found->reason);
    return *found;
}

// Where the processor has none that can be used, the OS clock that nothing slews.
const Reader& counter() {
    static const Reader& best =
        reader(default_name() == MonotonicRaw::name ? std::string_view("CLOCK_MONOTONIC_RAW")
                                                    : default_name());
    return best;
}

std::vector<Timer> timers() {
    std::vector<Timer> list;
    for (const Reader& each : readers()) list.push_back({each.name, each.reason});
    return list;
}

std::unique_ptr<Kernel> read(std::string_view timer) {
    const Reader& found = reader(timer);
    return found.kernel(found);
}

}  // namespace stend::clock
