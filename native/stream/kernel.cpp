// The kernel: three arrays in parts of whole cache lines, one a thread, each first touched
// by the thread that works on it.
#include <algorithm>
#include <bit>
#include <optional>
#include <string>

#include "buffers/buffer.h"
#include "stream/reference.h"
#include "team/team.h"

namespace stend::stream {
namespace {

constexpr std::size_t line = 8;  // doubles in a cache line
constexpr Array arrays[]{a, b, c};
constexpr std::string_view array_names = "abc";

struct Part {
    std::size_t begin, end;
};

Part part_of(std::size_t elements, unsigned parts, unsigned number) {
    const std::size_t lines = elements / line + (elements % line != 0);
    const std::size_t share = lines / parts, left = lines % parts;
    const std::size_t begin = number * share + std::min<std::size_t>(number, left);
    const std::size_t end = begin + share + (number < left);
    return {std::min(begin * line, elements), std::min(end * line, elements)};
}

class Stream final : public Kernel {
public:
    Stream(Operation operation, std::size_t elements, std::vector<int> cpus,
           const Variant<Loops>& variant)
        : operation_(operation),
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
    Part part(unsigned member) const { return part_of(elements_, threads(), member); }
    bool right_at(std::size_t element) const;
    std::size_t somewhere(Part part);
    bool all_right(Part part) const;
    std::size_t first_wrong(Part part) const;
    std::string wrong_at(std::size_t element) const;

    Operation operation_;
    std::size_t elements_;
    std::vector<int> cpus_;
    std::string_view name_;
    Loop loop_;
    Simulation simulation_;
    std::uint64_t asked_ = 0;  // repetitions that were asked for
    std::uint64_t done_ = 0;
    std::uint64_t look_ = 0;  // how often check() has looked somewhere
    std::array<Buffer<double>, 3> data_;
    std::optional<Team> team_;
};

void Stream::prepare() {
    for (const Array array : arrays) data_[array] = Buffer<double>(elements_);
    team_.emplace(cpus_);
    team_->run([this](unsigned member) noexcept {
        const auto [begin, end] = part(member);
        for (std::size_t i = begin; i < end; ++i)
            for (const Array array : arrays) data_[array].data()[i] = simulation_[array].at(i);
    });
    for (const Array array : arrays) data_[array].gather_huge_pages();
}

void Stream::repeat(std::uint64_t times) {
    asked_ += times;
    for (; times > 0; --times, ++done_) {
        const Step now = step(operation_, done_);
        team_->run([this, &now](unsigned member) noexcept {
            const auto [begin, end] = part(member);
            loop_(data_[now.out].data() + begin, data_[now.x].data() + begin,
                  data_[now.y].data() + begin, now.scalar, end - begin);
        });
    }
}

bool Stream::right_at(std::size_t element) const {
    return std::ranges::all_of(arrays, [&](Array array) {
        return data_[array].data()[element] == simulation_[array].at(element);
    });
}

// A Weyl sequence over the part: each look is somewhere else, and all parts get their share.
std::size_t Stream::somewhere(Part part) {
    constexpr std::uint64_t golden = 0x9E3779B97F4A7C15;  // 2^64 / golden ratio
    const std::uint64_t fraction = ++look_ * golden >> 32;
    const std::uint64_t length = part.end - part.begin;
    return part.begin + (length >> 32) * fraction + ((length & 0xFFFFFFFF) * fraction >> 32);
}

// Both ends of every part and some places between, about 64 in all, each a cache miss.
bool Stream::check() {
    simulation_.go_on_to(asked_);
    const unsigned looks = std::max(2U, 64 / threads()) - 1;
    for (unsigned member = 0; member < threads(); ++member) {
        const Part mine = part(member);
        if (mine.begin == mine.end) continue;
        if (!right_at(mine.begin) || !right_at(mine.end - 1)) return false;
        for (unsigned look = 0; look < looks; ++look)
            if (!right_at(somewhere(mine))) return false;
    }
    return true;
}

// Bit for bit, without a branch and with one hash for all three arrays, so that the compiler
// makes vectors of it: by single elements the proof took ten times as long as a repetition.
bool Stream::all_right(Part part) const {
    const Simulation expected = simulation_;
    std::array<const double*, 3> data{};
    for (const Array array : arrays) data[array] = data_[array].data() + part.begin;
    const auto first = static_cast<std::uint32_t>(part.begin);
    const auto count = static_cast<std::uint32_t>(part.end - part.begin);
    std::uint64_t differing = 0;
    for (std::uint32_t i = 0; i < count; ++i)
        for (const Array array : arrays)
            differing |= std::bit_cast<std::uint64_t>(data[array][i]) ^
                         std::bit_cast<std::uint64_t>(expected[array].at(first + i));
    return differing == 0;
}

// The first element that is wrong in any array, or where the part ends.
std::size_t Stream::first_wrong(Part part) const {
    constexpr std::size_t chunk = 4096;
    for (std::size_t begin = part.begin; begin < part.end; begin += chunk) {
        const std::size_t end = std::min(begin + chunk, part.end);
        if (all_right({begin, end})) continue;
        for (std::size_t i = begin; i < end; ++i)
            if (!right_at(i)) return i;
        return begin;  // it read wrong before and reads right now: memory that can't be trusted
    }
    return part.end;
}

std::string Stream::wrong_at(std::size_t element) const {
    const auto* const found = std::ranges::find_if(arrays, [&](Array each) {
        return data_[each].data()[element] != simulation_[each].at(element);
    });
    const Array array = found == std::end(arrays) ? a : *found;
    return std::string{array_names[array]} + "[" + std::to_string(element) + "] is " +
           std::to_string(data_[array].data()[element]) + " and not " +
           std::to_string(simulation_[array].at(element)) + ", which the scalar simulation of " +
           std::to_string(asked_) + " repetitions gives.";
}

Proof Stream::prove() {
    simulation_.go_on_to(asked_);
    std::vector<std::size_t> firsts(threads());
    team_->run([&](unsigned member) noexcept { firsts[member] = first_wrong(part(member)); });
    for (unsigned member = 0; member < threads(); ++member)
        if (firsts[member] < part(member).end) return {false, wrong_at(firsts[member])};
    return {true, "Every element of the three arrays equals the scalar simulation of " +
                      std::to_string(asked_) + " repetitions."};
}

}  // namespace

Operation operation(std::string_view name) {
    constexpr std::string_view names[]{"copy", "scale", "add", "triad"};
    const auto* const found = std::ranges::find(names, name);
    if (found != std::end(names)) return static_cast<Operation>(found - std::begin(names));
    throw std::invalid_argument("There is no operation \"" + std::string(name) +
                                "\"; STREAM has copy, scale, add and triad.");
}

std::unique_ptr<Kernel> kernel(Operation operation, std::size_t elements, std::vector<int> cpus,
                               const Variant<Loops>& variant) {
    if (elements == 0)
        throw std::invalid_argument(
            "Arrays of 0 elements leave nothing to measure; "
            "ask for at least 1.");
    return std::make_unique<Stream>(operation, elements, std::move(cpus), variant);
}

}  // namespace stend::stream
