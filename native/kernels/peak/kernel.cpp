// The kernel: every thread walks its own chains, as often as it is told, and then they meet; after
// each batch they walk once more in company, which tells the frequency.
#include <algorithm>
#include <array>
#include <string>

#include "kernels/peak/company.h"
#include "kernels/peak/walkers.h"

namespace stend::peak {
namespace {

template <typename T>
class Peak final : public Kernel {
public:
    Peak(const Chains<T>& chains, std::vector<int> cpus, std::string_view name, std::uint64_t steps)
        : walkers_(chains, std::move(cpus), steps), company_(chains), name_(name) {}

    void prepare() override {
        walkers_.prepare();
        company_.prepare(threads());
    }

    void repeat(std::uint64_t times) override {
        asked_ += times;
        walkers_.run([this, times](unsigned member) noexcept {
            for (std::uint64_t made = 0; made < times; ++made) walkers_.walk(member);
        });
    }

    // The frequency first, before the cores rest.
    bool check() override {
        walkers_.run(
            [this](unsigned member) noexcept { company_.observe(member, walkers_.from()); });
        frequency_ = {company_.hz()};
        for (unsigned member = 0; member < threads(); ++member)
            if (!walkers_.right(member, asked_) || !company_.right(member)) return false;
        return true;
    }

    std::vector<std::string> columns() const override { return {"frequency Hz"}; }
    std::span<const double> further() const override { return frequency_; }

    Proof prove() override {
        for (unsigned member = 0; member < threads(); ++member)
            if (!company_.right(member) || !company_.complete(member))
                return {false, "The chains of thread " + std::to_string(member) +
                                   " that were walked in company, or their company, did not end "
                                   "where they had to."};
        for (unsigned member = 0; member < threads(); ++member)
            if (!walkers_.right(member, asked_))
                return {false, "The lanes of thread " + std::to_string(member) +
                                   " are not where the scalar recurrence of " +
                                   std::to_string(asked_) + " repetitions ends."};
        return {true, "All " + std::to_string(walkers_.lanes()) + " lanes of " +
                          std::to_string(threads()) +
                          " threads ended bit for bit where the scalar recurrence of " +
                          std::to_string(walkers_.steps()) + " steps does, in each of " +
                          std::to_string(asked_) + " repetitions."};
    }

    std::string_view variant() const override { return name_; }
    unsigned threads() const override { return walkers_.count(); }

private:
    Walkers<T> walkers_;
    Company<T> company_;
    std::array<double, 1> frequency_{};
    std::string_view name_;
    std::uint64_t asked_ = 0;
};

// Calls function(chains) with the chains of that type.
template <typename Function>
auto with_type(Type type, const Loops& loops, Function function) {
    if (type == Type::float64) return function(loops.float64);
    if (type == Type::float32) return function(loops.float32);
    return function(loops.int32);
}

}  // namespace

Type type(std::string_view name) {
    constexpr std::string_view names[]{"float64", "float32", "int32"};
    const auto* const found = std::ranges::find(names, name);
    if (found != std::end(names)) return static_cast<Type>(found - std::begin(names));
    throw std::invalid_argument("There is no peak of \"" + std::string(name) +
                                "\"; there are those of float64, float32 and int32.");
}

std::uint64_t operations(Type type, const Variant<Loops>& variant, std::uint64_t steps) {
    return with_type(type, variant.function, [steps](const auto& chains) {
        const auto each = [](Step step) {
            return step == Step::fused || step == Step::accumulate ? 2 : 1;
        };
        return steps * chains.lanes() / 2 * (each(chains.first) + each(chains.second));
    });
}

std::unique_ptr<Kernel> kernel(Type type, std::vector<int> cpus, const Variant<Loops>& variant,
                               std::uint64_t steps) {
    return with_type(type, variant.function,
                     [&]<typename T>(const Chains<T>& chains) -> std::unique_ptr<Kernel> {
                         return std::make_unique<Peak<T>>(chains, std::move(cpus), variant.name,
                                                          steps);
                     });
}

}  // namespace stend::peak
