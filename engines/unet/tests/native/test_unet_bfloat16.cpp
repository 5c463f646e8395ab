// The variants on bfloat16 against the reference. Where the processor has no tiles, their
// instructions are emulated, so that the very code of these variants runs; where it has not even
// bfloat16 in its vector registers, there is nothing to run.
#include <algorithm>
#include <cstdio>
#include <cstring>
#include <optional>
#include <stend/unet.hpp>
#include <vector>

#include "check.h"
#include "isa/isa.h"
#include "models.h"
#include "team/team.h"
#include "tiles.h"
#include "unet/bfloat16/tiles.h"
#include "unet/variants.h"

using namespace stend;
using namespace models;

namespace {

using Make = std::unique_ptr<unet::Engine> (*)(const unet::Plan&);

const bool has_tiles = isa::why_not({isa::amx_tile, isa::amx_bf16}).empty();

struct Problem {
    unet::Model model;
    std::size_t height, width;
};

std::vector<float> computed(Make make, const Problem& problem, unsigned threads) {
    const unet::Sgemm none;
    const auto engine = make({problem.model, problem.height, problem.width, threads, none});
    std::ranges::copy(image(engine->input().size()), engine->input().begin());
    Team team(Unbound{}, threads);
    for (const unet::Part& part : engine->parts())
        for (const auto& step : part.steps)
            team.run([&](unsigned member) noexcept {
                const std::size_t first = step->items() * member / threads,
                                  last = step->items() * (member + 1) / threads;
                if (first < last) step->work(first, last, member);
            });
    return {engine->output().begin(), engine->output().end()};
}

struct Variant {
    const char* name;
    Make make;
    unet::Precision precision;
};

constexpr Variant variants[] = {
    {"avx512-bf16", unet::bfloat16::make_avx512, unet::Precision::bf16},
    {"amx-bf16", unet::bfloat16::on_tiles, unet::Precision::bf16},
    {"amx-bf16x3", unet::bfloat16::on_tiles_x3, unet::Precision::bf16x3},
};

void all_agree_with_the_reference(const char* which, const Problem& problem) {
    const std::vector<float> exact = computed(unet::reference::make, problem, 1);
    for (const Variant& variant : variants) {
        const std::vector<float> found = computed(variant.make, problem, 1);
        const double allowed = unet::tolerance(problem.model, variant.precision, variant.name);
        std::printf("%s, %s: %.1e, allowed are %.1e\n", which, variant.name, apart(found, exact),
                    allowed);
        CHECK(apart(found, exact) < allowed);
        const std::vector<float> shared = computed(variant.make, problem, 3);
        CHECK(std::memcmp(shared.data(), found.data(), found.size() * sizeof(float)) == 0);
    }
}

void the_aims_of_the_classic_network_are_kept() {
    const auto model = unet::classic({});
    CHECK(unet::tolerance(model, unet::Precision::bf16, "amx-bf16") < 1.5e-2);
    CHECK(unet::tolerance(model, unet::Precision::bf16, "avx512-bf16") < 3e-2);
}

void the_classic_network() {
    all_agree_with_the_reference("classic", {unet::classic({.channels = 32, .depth = 1}), 16, 32});
}

// Planes that are not full, tiles that reach beyond rows, inputs and outputs in planes.
void channels_and_sides_of_any_number() {
    all_agree_with_the_reference(
        "uneven",
        {unet::classic({.inputs = 5, .outputs = 7, .channels = 12, .depth = 1, .seed = 3}), 18,
         22});
}

// Pooling on its own, after a transposed convolution; 1×1 kernels at both ends and within; three
// tensors joined; one row of pixels at the deepest level.
unet::Model unusual() {
    Builder build(3);
    const auto a = build.convolve({0}, 40, 1), b = build.pool(a),
               c = build.enlarge({b}, 8, unet::Activation::relu), d = build.pool(c),
               e = build.convolve({b, d}, 20), f = build.enlarge({e, b, d}, 33);
    return build.finished(build.convolve({a, f, c}, 2, 1));
}

// Small images are one block, whose phases threads share; here they take blocks of their own.
void many_blocks_on_several_threads() {
    const Problem problem{unet::classic({.channels = 8, .depth = 1}), 96, 96};
    const std::vector<float> exact = computed(unet::reference::make, problem, 1);
    const std::vector<float> one = computed(unet::bfloat16::make_avx512, problem, 1);
    const std::vector<float> two = computed(unet::bfloat16::make_avx512, problem, 2);
    CHECK(apart(one, exact) < unet::tolerance(problem.model, unet::Precision::bf16, "avx512-bf16"));
    CHECK(std::memcmp(one.data(), two.data(), one.size() * sizeof(float)) == 0);
}

void tiles_are_configured_in_each_step_and_released_after_it() {
    if (has_tiles) return;  // what the processor does with its own can't be seen
    const Problem problem{unet::classic({.channels = 32, .depth = 1}), 4, 32};
    tiles::Tiles& mine = tiles::of_this_thread();
    const std::uint64_t products = mine.products, configurations = mine.configurations;
    computed(unet::bfloat16::on_tiles, problem, 1);
    CHECK(mine.products > products);
    // Two pairs of convolutions on one level, one on the other; the first is none of tiles.
    CHECK(mine.configurations - configurations == 1 + 2 + 1 + 2);
    CHECK(!mine.configured);
}

}  // namespace

int main() {
    if (const std::string why = isa::why_not({isa::avx512, isa::avx512bf16}); !why.empty()) {
        std::printf("skipped: %s\n", why.c_str());
        return 0;
    }
    std::optional<tiles::Emulator> emulator;
    if (has_tiles)
        CHECK(isa::allow_tiles().empty());
    else
        emulator.emplace();
    the_aims_of_the_classic_network_are_kept();
    the_classic_network();
    channels_and_sides_of_any_number();
    all_agree_with_the_reference("unusual", {unusual(), 2, 18});
    many_blocks_on_several_threads();
    tiles_are_configured_in_each_step_and_released_after_it();
    return 0;
}
