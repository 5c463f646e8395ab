// Times our own reconstruction, algorithms and variants in turn: milliseconds a slice, layout
// changes and filter included, tables excluded (they are made once a geometry).
//
//     own DETECTORS ANGLES SIZE THREADS REPETITIONS ALGORITHM[/VARIANT] …
//
// Each repetition is one batch of as many slices as go together, of noise, different in each; the
// least and the median are printed. A variant "all" stands for each that this machine runs but the
// reference, and none for the default.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <numbers>
#include <random>
#include <stdexcept>
#include <stend/tomo.hpp>
#include <string>

using namespace stend::tomo;

namespace {

struct Problem {
    std::size_t detectors, angles, size;
    unsigned threads;
};

constexpr std::pair<std::string_view, Algorithm> algorithms[] = {
    {"fbp", Algorithm::fbp},   {"fbp_int16", Algorithm::fbp_int16},
    {"dfr", Algorithm::dfr},   {"dfr_half", Algorithm::dfr_half},
    {"hfbp", Algorithm::hfbp}, {"hfbp_fine", Algorithm::hfbp_fine},
};

double milliseconds() {
    using namespace std::chrono;
    return duration<double, std::milli>(steady_clock::now().time_since_epoch()).count();
}

ParallelBeam beam_of(const Problem& problem) {
    ParallelBeam beam{problem.detectors, {}, {}};
    for (std::size_t i = 0; i < problem.angles; ++i)
        beam.angles.push_back(std::numbers::pi * static_cast<double>(i) /
                              static_cast<double>(problem.angles));
    return beam;
}

// One algorithm in one variant, its slices, and how long each repetition took.
class Candidate {
public:
    Candidate(const std::string& name, Algorithm algorithm, std::string_view variant,
              const Problem& problem)
        : name_(name), problem_(problem), reconstruction_(made(algorithm, variant)) {
        std::mt19937 random(1);
        from_.resize(reconstruction_.together() * problem.angles * problem.detectors);
        for (float& x : from_) x = static_cast<float>(random()) * 0x1p-32F;
        to_.resize(reconstruction_.together() * problem.size * problem.size);
    }

    void run() {
        const auto d = static_cast<std::ptrdiff_t>(problem_.detectors);
        const auto n = static_cast<std::ptrdiff_t>(problem_.size);
        const double start = milliseconds();
        reconstruction_.run({from_.data(), static_cast<std::ptrdiff_t>(problem_.angles) * d, d},
                            reconstruction_.together(), {to_.data(), n * n, n});
        took_.push_back((milliseconds() - start) / static_cast<double>(reconstruction_.together()));
    }

    void print() {
        std::ranges::sort(took_);
        std::printf("%-22s %8.3f %8.3f %8.1f %8zu\n", name_.c_str(), took_.front(),
                    took_[took_.size() / 2], planned_, reconstruction_.bytes() >> 20);
    }

private:
    Reconstruction made(Algorithm algorithm, std::string_view variant) {
        const double start = milliseconds();
        Reconstruction reconstruction(
            beam_of(problem_), {problem_.size},
            {.algorithm = algorithm, .variant = variant, .threads = problem_.threads});
        planned_ = milliseconds() - start;
        return reconstruction;
    }

    std::string name_;
    Problem problem_;
    double planned_ = 0;
    Reconstruction reconstruction_;
    std::vector<float> from_, to_;
    std::vector<double> took_;
};

void add(std::vector<Candidate>& candidates, const std::string& asked, const Problem& problem) {
    const std::size_t slash = asked.find('/');
    const std::string name = asked.substr(0, slash);
    const auto found = std::ranges::find(algorithms, name, [](const auto& a) { return a.first; });
    if (found == std::end(algorithms))
        throw std::invalid_argument("There is no algorithm \"" + name + "\".");
    std::vector<std::string_view> chosen = variants(found->second);
    if (slash == std::string::npos) chosen = {chosen.back()};
    for (const std::string_view variant : chosen)
        if (slash == std::string::npos || (asked.ends_with("/all") && variant != "reference") ||
            asked.substr(slash + 1) == variant)
            candidates.emplace_back(name + "/" + std::string(variant), found->second, variant,
                                    problem);
}

void compare(const Problem& problem, int repetitions, char** first, char** last) {
    std::vector<Candidate> candidates;
    for (char** asked = first; asked != last; ++asked) add(candidates, *asked, problem);
    for (Candidate& candidate : candidates) candidate.run();  // touches all memory
    for (int i = 0; i < repetitions; ++i)
        for (Candidate& candidate : candidates) candidate.run();
    std::printf("%-22s %8s %8s %8s %8s\n", "ms a slice", "least", "median", "plan ms", "MiB");
    for (Candidate& candidate : candidates) candidate.print();
}

}  // namespace

int main(int count, char** words) {
    if (count < 7) {
        std::fputs("own DETECTORS ANGLES SIZE THREADS REPETITIONS ALGORITHM[/VARIANT] …\n", stderr);
        return 2;
    }
    const auto number = [words](int i) { return std::strtoul(words[i], nullptr, 10); };
    try {
        compare({number(1), number(2), number(3), static_cast<unsigned>(number(4))},
                static_cast<int>(number(5)), words + 6, words + count);
    } catch (const std::exception& wrong) {
        std::fprintf(stderr, "own: %s\n", wrong.what());
        return 1;
    }
}
