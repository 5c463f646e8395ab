// own_versus NAME PATH[:PATH…] VARIANT THREADS ROUNDS N…: our own LU beside the dgetrf of a
// library, factorisation by factorisation in one process, of the same matrix in the same memory.
// The last PATH is the library, those before it are loaded first, for what it needs; VARIANT may
// be "best". Prints a line a pair: library, variant, threads, n, floating-point operations,
// seconds of the library, seconds of stend. How many threads the library takes, its environment
// variables say (run.sh).
#include <dlfcn.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/linpack/own.h"
#include "team/seat.h"

using namespace stend;

namespace {

using Dgetrf = void (*)(const int* m, const int* n, double* a, const int* lda, int* pivots,
                        int* info);

[[noreturn]] void give_up(const std::string& why) {
    std::fprintf(stderr, "%s\n", why.c_str());
    std::exit(1);
}

// With names of its own where it can: several libraries know a dgetrf.
Dgetrf loaded(std::string paths) {
    for (std::size_t colon; (colon = paths.find(':')) != std::string::npos;
         paths.erase(0, colon + 1))
        if (!dlopen(paths.substr(0, colon).c_str(), RTLD_NOW | RTLD_GLOBAL)) give_up(dlerror());
    void* const library = dlopen(paths.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (!library) give_up(dlerror());
    for (const char* name : {"dgetrf_", "scipy_dgetrf_"})
        if (void* const found = dlsym(library, name)) return reinterpret_cast<Dgetrf>(found);
    give_up(paths + " has no dgetrf.");
}

const auto& variant_for(std::string_view name) {
    const auto variants = linpack::own_variants();
    if (name != "best") return chosen(variants, name);
    const auto here = [](const auto& variant) { return isa::why_not(variant.needs).empty(); };
    return *std::ranges::find_if(variants.rbegin(), variants.rend(), here);
}

struct System {
    explicit System(std::size_t order) : n(order), original(n * n), work(n * n), pivots(n) {
        std::mt19937_64 generator(n);
        std::uniform_real_distribution<double> uniform(-0.5, 0.5);
        for (double& element : original.span()) element = uniform(generator);
        restore();
        original.gather_huge_pages();
        work.gather_huge_pages();
    }

    void restore() { std::ranges::copy(original.span(), work.data()); }

    // ‖A·x − b‖ / (‖A‖·‖x‖·n·ε) for the factors that are there, in the maximum norms; b is all 1.
    double residual() const {
        std::vector<double> x(n, 1.0);
        for (std::size_t i = 0; i < n; ++i) std::swap(x[i], x[std::size_t(pivots[i])]);
        for (std::size_t j = 0; j < n; ++j)
            for (std::size_t i = j + 1; i < n; ++i) x[i] -= work.data()[i + j * n] * x[j];
        for (std::size_t j = n; j-- > 0;) {
            x[j] /= work.data()[j + j * n];
            for (std::size_t i = 0; i < j; ++i) x[i] -= work.data()[i + j * n] * x[j];
        }
        std::vector<long double> rest(n, -1), sums(n, 0);
        double largest = 0;
        for (std::size_t j = 0; j < n; ++j) {
            for (std::size_t i = 0; i < n; ++i) {
                const double a = original.data()[i + j * n];
                rest[i] += static_cast<long double>(a) * x[j];
                sums[i] += std::abs(a);
            }
            largest = std::max(largest, std::abs(x[j]));
        }
        long double error = 0;
        for (const long double r : rest) error = std::max(error, std::abs(r));
        return double(error / *std::ranges::max_element(sums)) / (largest * double(n) * 0x1p-52);
    }

    std::size_t n;
    Buffer<double> original, work;
    std::vector<int> pivots;
};

template <typename Work>
double seconds(Work&& work) {
    const auto begin = std::chrono::steady_clock::now();
    work();
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

void check(const System& system, const char* whose) {
    const double residual = system.residual();
    if (!(residual < 16))  // HPL's bound
        give_up(std::string(whose) + ": the residual is " + std::to_string(residual) + ".");
}

}  // namespace

int main(int count, char** arguments) {
    if (count < 7)
        return std::fprintf(stderr, "own_versus NAME PATH[:PATH…] VARIANT THREADS ROUNDS N…\n"), 2;
    const auto& variant = variant_for(arguments[3]);
    const unsigned threads = unsigned(std::atoi(arguments[4]));
    const int rounds = std::atoi(arguments[5]);
    // A library makes its threads when it is loaded, and they may run where this one may.
    const std::vector<int> cpus = first_cpus(threads);
    const Dgetrf dgetrf = loaded(arguments[2]);
    for (int at = 6; at < count; ++at) {
        System system(std::size_t(std::atoi(arguments[at])));
        const int n = int(system.n);
        for (int round = -1; round < rounds; ++round) {
            double theirs = 0, ours = 0;
            for (int turn = 0; turn < 2; ++turn) {
                system.restore();
                if ((turn ^ round) & 1) {
                    Team team(cpus);
                    linpack::OwnLu lu(system.n, variant, team);
                    ours = seconds(
                        [&] { lu.factor(system.work.data(), system.n, system.pivots.data()); });
                    if (round < 0) check(system, "stend");
                } else {
                    int info = 0;
                    theirs = seconds([&] {
                        dgetrf(&n, &n, system.work.data(), &n, system.pivots.data(), &info);
                    });
                    for (int& pivot : system.pivots) --pivot;
                    if (round < 0) check(system, arguments[1]);
                }
            }
            if (round < 0) continue;  // warm-up
            const double flops = 2.0 / 3 * n * n * n - n * double(n) / 2;
            std::printf("%s %s %u %d %.0f %.9f %.9f\n", arguments[1], variant.name.data(), threads,
                        n, flops, theirs, ours);
        }
        std::fflush(stdout);
    }
}
