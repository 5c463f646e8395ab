// bytes() is what making a reconstruction takes: all that is allocated, by operator new and as
// pages, is counted here. Whoever keeps to a cap of memory asks for it.
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <new>
#include <numbers>
#include <stend/tomo.hpp>
#include <string>

#include "check.h"

namespace {

std::atomic<std::size_t> live = 0, peak = 0;  // threads end while others go on

void take(std::size_t bytes) {
    live += bytes;
    if (live > peak) peak = live.load();
}

constexpr std::size_t before = alignof(std::max_align_t);  // room for what it holds

}  // namespace

void* operator new(std::size_t bytes) {
    auto* const begin = static_cast<std::byte*>(std::malloc(before + bytes));
    if (begin == nullptr) throw std::bad_alloc();
    *reinterpret_cast<std::size_t*>(begin) = bytes;
    take(bytes);
    return begin + before;
}

void operator delete(void* data) noexcept {
    if (data == nullptr) return;
    std::byte* const begin = static_cast<std::byte*>(data) - before;
    live -= *reinterpret_cast<std::size_t*>(begin);
    std::free(begin);
}

void operator delete(void* data, std::size_t) noexcept {
    operator delete(data);
}

extern "C" void* mmap(void* at, std::size_t bytes, int may, int how, int file,
                      off_t offset) noexcept {
    take(bytes);
    return reinterpret_cast<void*>(syscall(SYS_mmap, at, bytes, may, how, file, offset));
}

extern "C" int munmap(void* at, std::size_t bytes) noexcept {
    live -= bytes;
    return static_cast<int>(syscall(SYS_munmap, at, bytes));
}

using namespace stend::tomo;

namespace {

const std::size_t n = 200;

std::vector<double> angles_over(double range, std::size_t count = 150) {
    std::vector<double> angles;
    for (std::size_t i = 0; i < count; ++i)
        angles.push_back(range * static_cast<double>(i) / static_cast<double>(count));
    return angles;
}

// Pages are whole, and of a mapping's first 2 MiB what comes before a border goes back at once.
constexpr std::size_t huge = std::size_t{2} << 20;

template <typename Make>
void takes_what_it_says(const std::string& what, const Make& make) {
    const std::size_t had = live;
    peak = live.load();
    const auto made = make();
    const std::size_t told = made.bytes(), taken = live - had, most = peak - had;
    const bool right = told <= taken + taken / 50 && taken <= told + told / 50 + 65536 &&
                       most <= told + told / 50 + huge;
    if (!right)
        std::printf("%s says %zu, takes %zu, and took %zu\n", what.c_str(), told, taken, most);
    CHECK(right);
}

void reconstructions_take_what_they_say() {
    const ParallelBeam beam{n, angles_over(std::numbers::pi), {}};
    for (const Algorithm algorithm : {Algorithm::fbp, Algorithm::fbp_int16, Algorithm::dfr,
                                      Algorithm::dfr_half, Algorithm::hfbp, Algorithm::hfbp_fine})
        for (const std::string_view variant : variants(algorithm))
            for (const unsigned threads : {1U, 3U})
                takes_what_it_says(
                    "algorithm " + std::to_string(static_cast<int>(algorithm)) + " by " +
                        std::string(variant),
                    [&] {
                        return Reconstruction(
                            beam, {n},
                            {.algorithm = algorithm, .variant = variant, .threads = threads});
                    });
    takes_what_it_says("a view of a far part", [&] {
        return Reconstruction({n, angles_over(3, 15), 390}, {8, 1.0 / 64}, {.variant = "portable"});
    });
    takes_what_it_says("a projector", [&] { return Projector(beam, {n}); });
    for (const Iteration iteration : {Iteration::sirt, Iteration::cgls})
        takes_what_it_says("iteration " + std::to_string(static_cast<int>(iteration)), [&] {
            return IterativeReconstruction(beam, {n}, {.iteration = iteration});
        });
}

void filters_take_what_they_say() {
    for (const std::string_view variant : filtering_variants())
        for (const unsigned threads : {1U, 3U})
            takes_what_it_says("a filter by " + std::string(variant), [&] {
                return Filtering(5 * n, {}, {variant, threads});
            });
}

void other_beams_take_what_they_say() {
    const std::vector<double> turn = angles_over(2 * std::numbers::pi);
    for (const std::string_view variant : rebinning_variants())
        takes_what_it_says("rebinning by " + std::string(variant), [&] {
            return Rebinning({n, turn, 1000, 1500}, {.variant = variant});
        });
    for (const std::string_view variant : cone_variants())
        takes_what_it_says("a cone by " + std::string(variant), [&] {
            return ConeReconstruction({n, 60, turn, 1000, 1500}, {n, 40},
                                      {.how = {.variant = variant}});
        });
}

}  // namespace

int main() {
    reconstructions_take_what_they_say();
    filters_take_what_they_say();
    other_beams_take_what_they_say();
}
