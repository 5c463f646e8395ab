// The row of one CPU: to each other in turn, as often as the clock needs, over the lines of a page
// by turns. To which part of the last cache a line belongs depends on its address, and that part
// may lie near or far: one line alone would be one draw.
#include <algorithm>
#include <cmath>
#include <optional>
#include <vector>

#include "buffers/buffer.h"
#include "clock/dispatch.h"
#include "kernels/cores/cores.h"
#include "kernels/cores/partner.h"
#include "team/seat.h"

namespace stend::cores {
namespace {

// Lines of 128 bytes (Apple, POWER), and pairs of 64 bytes that are fetched together, stay apart.
struct alignas(128) Line {
    Number number;
};
constexpr std::size_t lines = 4096 / sizeof(Line);
constexpr std::uint64_t fewest = 64;  // trips
constexpr double shortest = 50e-6;    // s, and at least so many steps of the clock:
constexpr double steps = 1000;

double median(std::vector<double> values) {
    std::ranges::sort(values);
    const std::size_t n = values.size();
    return (values[(n - 1) / 2] + values[n / 2]) / 2;
}

template <typename Clock>
class Row final : public Observer {
public:
    explicit Row(int cpu) : cpu_(cpu) {
        for (const int other : usable_cpus())
            if (other != cpu) others_.push_back({other, fewest});
        further_.resize(others_.size());
    }

    void prepare() override;
    double observe() override;
    bool check() override;
    Proof prove() override;
    std::vector<std::string> columns() const override;
    std::span<const double> further() const override { return further_; }
    std::string_view variant() const override { return "plain"; }
    unsigned threads() const override { return 2; }

private:
    struct Other {
        int cpu;
        std::uint64_t trips;
    };

    double seconds(const Other& other);
    void settle(Other& other);
    bool lines_are_right() const;

    int cpu_;
    std::vector<Other> others_;
    std::vector<double> further_;
    const clock::Calibration& calibration_ = clock::remembered(Clock::name);
    std::uint64_t turn_ = 0;       // which line
    std::uint64_t trips_ = 0;      // round trips of all that were asked for
    std::vector<Number> numbers_;  // what each line has to hold
    Seat seat_;
    Buffer<Line> lines_;
    std::optional<Partner> partner_;
};

template <typename Clock>
void Row<Clock>::prepare() {
    if (others_.empty())
        throw Unavailable(
            "A cache line travels between two CPUs, and this process may use one; give it more.");
    seat_ = sit(cpu_);
    numbers_.assign(lines, 0);
    lines_ = Buffer<Line>(lines);
    std::ranges::fill(lines_.span(), Line{0});
    partner_.emplace();
    for (Other& other : others_) settle(other);
}

// Doubles the trips until the shorter of two measurements, for one may be interrupted, is long
// enough.
template <typename Clock>
void Row<Clock>::settle(Other& other) {
    const double least = std::max(shortest, steps * calibration_.resolution);
    while (std::min(seconds(other), seconds(other)) < least) other.trips *= 2;
}

// Of the trips, after a quarter as many that bring the line there and wake the other core.
template <typename Clock>
double Row<Clock>::seconds(const Other& other) {
    const std::size_t which = turn_ % lines;
    const std::uint64_t warm = other.trips / 4, trips = warm + other.trips;
    Number& line = lines_.data()[which].number;
    const Number first = numbers_[which];
    trips_ += trips;
    numbers_[which] += 2 * trips;
    if (!partner_->meet({other.cpu, &line, first + 1, trips})) return std::nan("");
    hop(line, first, warm);
    const std::uint64_t began = Clock::begin();
    hop(line, first + 2 * warm, other.trips);
    const std::uint64_t ended = Clock::end().ticks;
    partner_->part();
    return static_cast<double>(ended - began) / calibration_.hz;
}

template <typename Clock>
double Row<Clock>::observe() {
    for (std::size_t i = 0; i < others_.size(); ++i)
        further_[i] = seconds(others_[i]) / (2 * static_cast<double>(others_[i].trips));
    ++turn_;
    return median(further_);
}

template <typename Clock>
bool Row<Clock>::lines_are_right() const {
    for (std::size_t i = 0; i < lines; ++i)
        if (lines_.data()[i].number != numbers_[i]) return false;
    return true;
}

// The clock must have gone forwards, and the partner made its half of the hops.
template <typename Clock>
bool Row<Clock>::check() {
    return lines_are_right() && partner_->hops() == trips_ &&
           std::ranges::all_of(further_, [](double time) { return time >= 0 && time < 1; });
}

template <typename Clock>
Proof Row<Clock>::prove() {
    if (!partner_->fault().empty()) return {false, partner_->fault()};
    const std::string hops = std::to_string(2 * trips_) + " hops between CPU " +
                             std::to_string(cpu_) + " and " + std::to_string(others_.size()) +
                             " others ";
    return {check(), hops +
                         (check() ? "each carried the number after the one before it, on "
                                  : "are not what the numbers tell that are left on ") +
                         std::to_string(lines) + " cache lines."};
}

template <typename Clock>
std::vector<std::string> Row<Clock>::columns() const {
    std::vector<std::string> names;
    for (const Other& other : others_)
        names.push_back("to CPU " + std::to_string(other.cpu) + " s");
    return names;
}

}  // namespace

std::unique_ptr<Kernel> row(int cpu) {
    return clock::with_clock(clock::default_name(),
                             [&]<typename Clock>(Clock) -> std::unique_ptr<Kernel> {
                                 return std::make_unique<Row<Clock>>(cpu);
                             });
}

}  // namespace stend::cores
