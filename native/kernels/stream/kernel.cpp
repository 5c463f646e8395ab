// The kernel: three arrays in parts of whole cache lines, one a thread, or three arrays a
// thread; each part is first touched by the thread that works on it.
#include <algorithm>
#include <bit>
#include <optional>
#include <string>

#include "buffers/buffer.h"
#include "kernels/stream/reference.h"
#include "team/team.h"

namespace stend::stream {
namespace {

constexpr std::size_t line = 8;  // doubles in a cache line
constexpr Array arrays[]{a, b, c};
constexpr std::string_view array_names = "abc";

// The elements that one member works on: `count` of each array, the first of them number
// `first` of all that there are, which decides their values.
struct Part {
    std::array<double*, 3> data;
    std::size_t first, count;
};

// Where member `number` begins when lines are dealt among `parts`.
std::size_t share_begins(std::size_t elements, unsigned parts, unsigned number) {
    const std::size_t lines = elements / line + (elements % line != 0);
    const std::size_t share = lines / parts, left = lines % parts;
    return std::min((number * share + std::min<std::size_t>(number, left)) * line, elements);
}

class Stream final : public Kernel {
public:
    Stream(Operation operation, Arrays arrays, std::size_t elements, std::vector<int> cpus,
           const Variant<Loops>& variant)
        : operation_(operation),
          arrays_(arrays),
          elements_(elements),
          cpus_(std::move(cpus)),
          name_(variant.name),
          loop_(variant.function[static_cast<std::size_t>(operation)]),
          simulation_(operation) {}

    void prepare() override;
    void repeat(std::uint64_t times) override;
    bool check() override;
    Proof prove() override;
    std::string_view variant() const override { return name_; }
    unsigned threads() const override { return static_cast<unsigned>(cpus_.size()); }

private:
    using Set = std::array<Buffer<double>, 3>;

    Part part_of(const Set& set, unsigned member) const;
    void work(const Step& now, const Part& part) const;
    bool right_at(const Part& part, std::size_t i) const;
    std::size_t somewhere(std::size_t count);
    bool all_right(const Part& part, std::size_t begin, std::size_t end) const;
    std::size_t first_wrong(const Part& part) const;
    std::string wrong_at(unsigned member, std::size_t i) const;

    Operation operation_;
    Arrays arrays_;
    std::size_t elements_;
    std::vector<int> cpus_;
    std::string_view name_;
    Loop loop_;
    Simulation simulation_;
    std::uint64_t asked_ = 0;  // repetitions that were asked for
    std::uint64_t done_ = 0;
    std::uint64_t look_ = 0;  // how often check() has looked somewhere
    std::vector<Set> sets_;
    std::vector<Part> parts_;  // by member
    std::optional<Team> team_;
};

Part Stream::part_of(const Set& set, unsigned member) const {
    const bool own = arrays_ == Arrays::own;
    const std::size_t begin = own ? 0 : share_begins(elements_, threads(), member);
    const std::size_t end = own ? elements_ : share_begins(elements_, threads(), member + 1);
    Part part{{}, own ? member * elements_ : begin, end - begin};
    for (const Array array : arrays) part.data[array] = set[array].data() + begin;
    return part;
}

void Stream::prepare() {
    for (unsigned set = 0; set < (arrays_ == Arrays::own ? threads() : 1); ++set)
        sets_.push_back(
            {Buffer<double>(elements_), Buffer<double>(elements_), Buffer<double>(elements_)});
    for (unsigned member = 0; member < threads(); ++member)
        parts_.push_back(part_of(sets_[member % sets_.size()], member));
    team_.emplace(cpus_);
    team_->run([this](unsigned member) noexcept {
        const Part& mine = parts_[member];
        for (std::size_t i = 0; i < mine.count; ++i)
            for (const Array array : arrays)
                mine.data[array][i] = simulation_[array].at(mine.first + i);
    });
    for (const Set& set : sets_)
        for (const Buffer<double>& buffer : set) buffer.gather_huge_pages();
}

void Stream::work(const Step& now, const Part& part) const {
    loop_(part.data[now.out], part.data[now.x], part.data[now.y], now.scalar, part.count);
}

void Stream::repeat(std::uint64_t times) {
    asked_ += times;
    if (arrays_ == Arrays::own) {
        team_->run([this](unsigned member) noexcept {
            for (std::uint64_t each = done_; each < asked_; ++each)
                work(step(operation_, each), parts_[member]);
        });
        done_ = asked_;
    }
    for (; done_ < asked_; ++done_) {
        const Step now = step(operation_, done_);
        team_->run([this, &now](unsigned member) noexcept { work(now, parts_[member]); });
    }
}

bool Stream::right_at(const Part& part, std::size_t i) const {
    return std::ranges::all_of(arrays, [&](Array array) {
        return part.data[array][i] == simulation_[array].at(part.first + i);
    });
}

// A Weyl sequence over the part: each look is somewhere else, and all parts get their share.
std::size_t Stream::somewhere(std::size_t count) {
    constexpr std::uint64_t golden = 0x9E3779B97F4A7C15;  // 2^64 / golden ratio
    const std::uint64_t fraction = ++look_ * golden >> 32;
    return (count >> 32) * fraction + ((count & 0xFFFFFFFF) * fraction >> 32);
}

// Both ends of every part and some places between, about 64 in all, each a cache miss.
bool Stream::check() {
    simulation_.go_on_to(asked_);
    const unsigned looks = std::max(2U, 64 / threads()) - 1;
    for (const Part& part : parts_) {
        if (part.count == 0) continue;
        if (!right_at(part, 0) || !right_at(part, part.count - 1)) return false;
        for (unsigned look = 0; look < looks; ++look)
            if (!right_at(part, somewhere(part.count))) return false;
    }
    return true;
}

// Bit for bit, without a branch and with one hash for all three arrays, so that the compiler
// makes vectors of it: by single elements the proof took ten times as long as a repetition.
bool Stream::all_right(const Part& part, std::size_t begin, std::size_t end) const {
    const Simulation expected = simulation_;
    std::array<const double*, 3> data{};
    for (const Array array : arrays) data[array] = part.data[array] + begin;
    const auto first = static_cast<std::uint32_t>(part.first + begin);
    const auto count = static_cast<std::uint32_t>(end - begin);
    std::uint64_t differing = 0;
    for (std::uint32_t i = 0; i < count; ++i)
        for (const Array array : arrays)
            differing |= std::bit_cast<std::uint64_t>(data[array][i]) ^
                         std::bit_cast<std::uint64_t>(expected[array].at(first + i));
    return differing == 0;
}

// The first element that is wrong in any array, or where the part ends.
std::size_t Stream::first_wrong(const Part& part) const {
    constexpr std::size_t chunk = 4096;
    for (std::size_t begin = 0; begin < part.count; begin += chunk) {
        const std::size_t end = std::min(begin + chunk, part.count);
        if (all_right(part, begin, end)) continue;
        for (std::size_t i = begin; i < end; ++i)
            if (!right_at(part, i)) return i;
        return begin;  // it read wrong before and reads right now: memory that can't be trusted
    }
    return part.count;
}

std::string Stream::wrong_at(unsigned member, std::size_t i) const {
    const auto& [data, first, count] = parts_[member];
    const auto* const found = std::ranges::find_if(
        arrays, [&](Array each) { return data[each][i] != simulation_[each].at(first + i); });
    const Array array = found == std::end(arrays) ? a : *found;
    const bool own = arrays_ == Arrays::own;
    const std::string copy = own ? " of copy " + std::to_string(member) : "";
    return std::string{array_names[array]} + "[" + std::to_string(own ? i : first + i) + "]" +
           copy + " is " + std::to_string(data[array][i]) + " and not " +
           std::to_string(simulation_[array].at(first + i)) + ", which the scalar simulation of " +
           std::to_string(asked_) + " repetitions gives.";
}

Proof Stream::prove() {
    simulation_.go_on_to(asked_);
    std::vector<std::size_t> firsts(threads());
    team_->run([&](unsigned member) noexcept { firsts[member] = first_wrong(parts_[member]); });
    for (unsigned member = 0; member < threads(); ++member)
        if (firsts[member] < parts_[member].count) return {false, wrong_at(member, firsts[member])};
    const std::string copies =
        arrays_ == Arrays::own ? " of each of " + std::to_string(threads()) + " copies" : "";
    return {true, "Every element of the three arrays" + copies +
                      " equals the scalar simulation of " + std::to_string(asked_) +
                      " repetitions."};
}

}  // namespace

Operation operation(std::string_view name) {
    constexpr std::string_view names[]{"copy", "scale", "add", "triad"};
    const auto* const found = std::ranges::find(names, name);
    if (found != std::end(names)) return static_cast<Operation>(found - std::begin(names));
    throw std::invalid_argument("There is no operation \"" + std::string(name) +
                                "\"; STREAM has copy, scale, add and triad.");
}

std::unique_ptr<Kernel> kernel(Operation operation, Arrays arrays, std::size_t elements,
                               std::vector<int> cpus, const Variant<Loops>& variant) {
    if (elements == 0)
        throw std::invalid_argument(
            "Arrays of 0 elements leave nothing to measure; "
            "ask for at least 1.");
    return std::make_unique<Stream>(operation, arrays, elements, std::move(cpus), variant);
}

}  // namespace stend::stream
