// Checks what is asked, chooses the variant, and takes images through its steps.
#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <new>
#include <stdexcept>
#include <stend/unet/network.hpp>

#include "buffers/buffer.h"
#include "isa/variant.h"
#include "team/standing.h"
#include "unet/variants.h"

namespace stend::unet {
namespace {

constexpr std::size_t most_pixels = 32768;
constexpr unsigned most_threads = 1U << 14U;  // more than any machine has

[[noreturn]] void refuse(const std::string& sentence) {
    throw std::invalid_argument(sentence);
}

void check_side(const char* what, std::size_t pixels) {
    if (pixels == 0 || pixels > most_pixels)
        refuse("The images' " + std::string(what) + " is " + std::to_string(pixels) +
               "; it must be 1 to " + std::to_string(most_pixels) + ".");
}

std::string why_not(const Maker& maker, const Options& options) {
    if (maker.needs_sgemm && !options.sgemm) return "it needs a BLAS to multiply with";
    return isa::why_not(maker.needs);
}

const Maker& chosen(const Options& options) {
    return stend::chosen(
        makers(options.precision), options.variant,
        [&](const Maker& maker) { return why_not(maker, options); },
        " of the precision " + std::string(name(options.precision)));
}

std::size_t rounded_up(std::size_t number, std::size_t multiple) {
    return (number + multiple - 1) / multiple * multiple;
}

// What the library's own containers are refused has no sentence yet.
std::unique_ptr<Engine> made(const Maker& maker, const Plan& plan) {
    try {
        return maker.make(plan);
    } catch (const OutOfMemory&) {
        throw;
    } catch (const std::bad_alloc&) {
        throw OutOfMemory("The system refused memory for a network of " +
                          std::to_string(plan.height) + "×" + std::to_string(plan.width) +
                          " pixels; ask for smaller images or fewer threads, or raise its limit "
                          "(`ulimit -v`).");
    }
}

// Equal shares, as many for each member; one whose CPU is taken from it meanwhile leaves its shares
// to the others.
void work_on(Step& step, Team& team) {
    const std::size_t items = step.items(), members = team.size();
    if (items == 0) return;
    if (members == 1) return step.work(0, items, 0);
    const std::size_t shares = rounded_up((items - 1) / step.at_once() + 1, members);
    std::atomic<std::size_t> next = 0;
    team.run([&](unsigned member) noexcept {
        for (std::size_t share; (share = next.fetch_add(1, std::memory_order_relaxed)) < shares;) {
            const std::size_t first = items * share / shares, last = items * (share + 1) / shares;
            if (first < last) step.work(first, last, member);
        }
    });
}

}  // namespace

struct Network::State {
    std::string_view variant;
    unsigned threads;
    StandingTeam team;
    std::size_t channels, outputs;
    std::size_t height, width;  // of the caller's images
    std::size_t rows, row;      // as computed
    std::unique_ptr<Engine> engine;
    std::vector<double> seconds;  // of each part

    // Throws before anything is computed of an image with a number that is none: a maximum would
    // drop it silently.
    void take(const float* image) const {
        float* to = engine->input().data();
        for (std::size_t channel = 0; channel < channels; ++channel)
            for (std::size_t y = 0; y < rows; ++y, to += row) {
                const float* from = image + (channel * height + std::min(y, height - 1)) * width;
                std::copy_n(from, width, to);
                std::fill(to + width, to + row, from[width - 1]);
            }
        const std::span<const float> taken = engine->input();
        if (!std::ranges::all_of(taken, [](float value) { return std::isfinite(value); }))
            refuse(
                "The image has values that are no finite numbers (NaN or infinite); a network "
                "computes nothing from them.");
    }

    void give(float* output) const {
        const float* from = engine->output().data();
        for (std::size_t channel = 0; channel < outputs; ++channel)
            for (std::size_t y = 0; y < height; ++y, output += width)
                std::copy_n(from + (channel * rows + y) * row, width, output);
    }

    void compute(const Between& between) {
        using Clock = std::chrono::steady_clock;
        Clock::time_point before = Clock::now();
        for (std::size_t part = 0; part < engine->parts().size(); ++part) {
            for (const auto& step : engine->parts()[part].steps) {
                work_on(*step, team.team());
                if (between) between();  // which may fork
            }
            const Clock::time_point after = Clock::now();
            seconds[part] = std::chrono::duration<double>(after - before).count();
            before = after;
        }
    }
};

Network::Network(const Model& model, std::size_t height, std::size_t width,
                 const Options& options) {
    check(model);
    check_side("height", height);
    check_side("width", width);
    if (options.threads == 0 || options.threads > most_threads)
        refuse(std::to_string(options.threads) + " threads were asked for; give 1 or more.");
    const Maker& maker = chosen(options);
    const std::size_t rows = computed_side(model, height), row = computed_side(model, width);
    state_.reset(new State{
        .variant = maker.name,
        .threads = options.threads,
        .team = StandingTeam(options.threads),
        .channels = model.tensors[0].channels,
        .outputs = model.tensors[model.output].channels,
        .height = height,
        .width = width,
        .rows = rows,
        .row = row,
        .engine = made(maker, {model, rows, row, options.threads, options.sgemm}),
        .seconds = {},
    });
    state_->seconds.resize(state_->engine->parts().size());
}

Network::Network(Network&&) noexcept = default;
Network& Network::operator=(Network&&) noexcept = default;
Network::~Network() = default;

void Network::run(const float* images, std::size_t count, float* outputs, const Between& between) {
    const std::size_t pixels = state_->height * state_->width;
    for (std::size_t image = 0; image < count; ++image) {
        state_->take(images + image * state_->channels * pixels);
        state_->compute(between);
        state_->give(outputs + image * state_->outputs * pixels);
    }
}

std::size_t Network::input_channels() const {
    return state_->channels;
}

std::size_t Network::output_channels() const {
    return state_->outputs;
}

std::size_t Network::height() const {
    return state_->height;
}

std::size_t Network::width() const {
    return state_->width;
}

std::string_view Network::variant() const {
    return state_->variant;
}

unsigned Network::threads() const {
    return state_->threads;
}

std::size_t Network::bytes() const {
    return state_->engine->bytes();
}

std::vector<Timing> Network::timings() const {
    std::vector<Timing> timings;
    for (std::size_t part = 0; part < state_->seconds.size(); ++part) {
        const Part& each = state_->engine->parts()[part];
        timings.push_back({each.layers, each.direct_flops, each.flops, state_->seconds[part]});
    }
    return timings;
}

std::vector<std::string_view> variants(Precision precision) {
    return runnable(makers(precision));
}

}  // namespace stend::unet
