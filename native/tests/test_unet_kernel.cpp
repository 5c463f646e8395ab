// Inference as measured work: its outputs are held against answers computed apart, and what
// can't be measured is refused.
#include <algorithm>
#include <array>
#include <cmath>
#include <set>
#include <stend/unet/model.hpp>
#include <vector>

#include "check.h"
#include "kernels/unet/turns.h"
#include "kernels/unet/unet.h"

using namespace stend;
using namespace stend::inference;

namespace {

constexpr auto float32 = unet::Precision::float32;

constexpr std::size_t side = 32;

using Outputs = std::array<std::vector<float>, images>;

Outputs computed(const unet::Model& model) {
    unet::Network network(model, side, side);
    const Turns turns(side, 0);
    Outputs right;
    for (std::size_t which = 0; which < images; ++which) {
        right[which].resize(turns.output(which).size());
        network.run(turns.image(which).data(), 1, right[which].data());
    }
    return right;
}

// Whether so many repetitions are taken for right when each writes what `made` gives of its turn.
bool taken_for_right(std::uint64_t repetitions, double allowed, const auto& made) {
    Turns turns(side, allowed);
    for (std::uint64_t i = 0; i < repetitions; ++i) {
        const std::size_t which = turns.turn();
        turns.begin();
        const std::vector<float> output = made(which, i);
        std::ranges::copy(output, turns.output(which).begin());
        turns.end();
    }
    return turns.right();
}

void a_result_of_the_image_before_is_refused() {
    const unet::Model model = measured_model();
    const Outputs right = computed(model);
    const double allowed = unet::tolerance(model, float32);
    const auto each = [&](std::size_t which, std::uint64_t) { return right[which]; };
    const auto stale = [&](std::size_t, std::uint64_t) { return right[0]; };
    const auto late = [&](std::size_t which, std::uint64_t repetition) {
        return right[repetition < 2 ? which : 1 - which];
    };
    const auto nothing = [](std::size_t, std::uint64_t) { return std::vector<float>(); };
    const auto drifting = [&](std::size_t which, std::uint64_t repetition) {
        std::vector<float> output = right[which];
        if (repetition == 4) output.back() = std::nextafter(output.back(), 9.0F);
        return output;
    };
    CHECK(taken_for_right(1, allowed, each) && taken_for_right(5, allowed, each));
    CHECK(taken_for_right(1, allowed, stale) && !taken_for_right(2, allowed, stale));
    CHECK(taken_for_right(2, allowed, late) && !taken_for_right(3, allowed, late));
    CHECK(taken_for_right(4, allowed, drifting) && !taken_for_right(5, allowed, drifting));
    CHECK(!taken_for_right(0, allowed, each) && !taken_for_right(1, allowed, nothing));
    CHECK(!taken_for_right(2, 1e-9, each));
}

void every_variant_and_number_of_threads_is_proved() {
    for (const std::string_view variant : unet::variants(float32)) {
        if (variant == "blas") continue;  // which library is the caller's to say
        const auto work = kernel(float32, side, 2, variant);
        work->prepare();
        CHECK(!work->check());  // nothing was made yet
        work->repeat(2);
        CHECK(work->check());
        const Proof proof = work->prove();
        CHECK(proof.right);
        CHECK(proof.said.find("of each of 2 images in turn") != std::string::npos);
        CHECK(proof.said.find("2 of 2 repetitions wrote the output, of each image always the same "
                              "bits") != std::string::npos);
        CHECK(work->variant() == variant && work->threads() == 2);
    }
}

void each_part_tells_its_time_and_its_work() {
    const auto work = kernel(float32, 16, 1, "reference");
    work->prepare();
    work->repeat(1);
    CHECK(work->check());
    const std::vector<std::string> names = work->columns();
    const std::span<const double> told = work->further();
    CHECK(std::set<std::string>(names.begin(), names.end()).size() == names.size());
    CHECK(names.size() == told.size() && names[0] == "input s");
    double flops = 0;
    for (std::size_t i = 0; i + 2 < told.size(); ++i) {
        CHECK(told[i] >= 0 && std::isfinite(told[i]));
        if (names[i].ends_with(" FLOP")) flops += told[i];
    }
    CHECK(flops == unet::direct_flops(unet::classic({}), 16, 16));
    CHECK(names[names.size() - 2] == "multiplied FLOP" && names.back() == "memory B");
    CHECK(told.back() > 31030658 * 4.0);
    CHECK(work->about().find(" MiB of memory") != std::string::npos);
}

// A layer's weights by [output][input][tap].
struct Taps {
    unet::Layer& layer;
    std::size_t outputs = layer.bias.size(), inputs = layer.weights.size() / outputs / 9;

    float* of(std::size_t output, std::size_t input) const {
        return &layer.weights[(output * inputs + input) * 9];
    }
};

void exchange_taps_of_a_channel(unet::Layer& layer) {
    const Taps taps{layer};
    for (std::size_t in = 0; in < taps.inputs; ++in)
        std::swap(taps.of(0, in)[3], taps.of(0, in)[5]);
}

void exchange_a_pair_of_channels(unet::Layer& layer) {
    const Taps taps{layer};
    for (std::size_t out = 0; out < taps.outputs; ++out)
        std::swap_ranges(taps.of(out, 0), taps.of(out, 1), taps.of(out, 1));
}

void shift_a_plane_by_a_pixel(unet::Layer& layer) {
    const Taps taps{layer};
    for (std::size_t out = 0; out < taps.outputs; ++out)
        for (std::size_t in = 0; in < 32; ++in)
            for (float* row = taps.of(out, in); row < taps.of(out, in) + 9; row += 3)
                std::shift_left(row, row + 3, 1), row[2] = 0;
}

void move_a_mean(unet::Layer& layer) {
    layer.bias[0] += 0.06F;
}

// In every precision; of the deepest layers bf16 tells a plane, not a channel.
void planted_faults_are_refused() {
    struct Fault {
        const char* layer;
        void (*plant)(unet::Layer& layer);
    };
    constexpr Fault faults[] = {
        {"up0.conv2", exchange_taps_of_a_channel},
        {"up2.conv2", exchange_a_pair_of_channels},
        {"down4.conv1", shift_a_plane_by_a_pixel},
        {"output", move_a_mean},
    };
    unet::Model model = measured_model();
    std::vector<double> allowed;
    for (const auto precision :
         {unet::Precision::float32, unet::Precision::bf16x3, unet::Precision::bf16})
        allowed.push_back(unet::tolerance(model, precision));
    const auto right = [&](const Outputs& outputs, double tolerance) {
        return taken_for_right(images, tolerance,
                               [&](std::size_t which, std::uint64_t) { return outputs[which]; });
    };
    CHECK(right(computed(model), allowed[0]));
    for (const auto& [name, plant] : faults) {
        const auto layer = std::ranges::find(model.layers, name, &unet::Layer::name);
        const unet::Layer kept = *layer;
        plant(*layer);
        const Outputs wrong = computed(model);
        for (const double tolerance : allowed) CHECK(!right(wrong, tolerance));
        *layer = kept;
    }
}

void what_there_is_not_is_refused() {
    CHECK_THROWS(std::invalid_argument, kernel(float32, 17, 1, "reference"));
    CHECK_THROWS(std::invalid_argument, kernel(float32, 16, 0, "reference"));
    CHECK_THROWS(std::invalid_argument, kernel(float32, 16, 1, "nosuch"));
}

}  // namespace

int main(int count, char**) {
    if (count == 1) {  // else under an emulator: 31 million weights take it long
        a_result_of_the_image_before_is_refused();
        every_variant_and_number_of_threads_is_proved();
        each_part_tells_its_time_and_its_work();
        planted_faults_are_refused();
    }
    what_there_is_not_is_refused();
}
