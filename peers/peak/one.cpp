// one: prints the variants that can run here. one TYPE VARIANT: prints operations a second of the
// median repetition of some 0.2 s on this thread's first CPU, then the core's frequency under them,
// Hz.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <vector>

#include "kernels/peak/peak.h"
#include "team/seat.h"

using namespace stend;

namespace {

double median(std::vector<double> values) {
    const auto middle = values.begin() + std::ptrdiff_t(values.size() / 2);
    std::nth_element(values.begin(), middle, values.end());
    return *middle;
}

double seconds(Kernel& kernel) {
    const auto begin = std::chrono::steady_clock::now();
    kernel.repeat(1);
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

struct Found {
    double operations, hz;
};

Found found(peak::Type type, const Variant<peak::Loops>& variant) {
    const auto kernel = peak::kernel(type, first_cpus(1), variant);
    kernel->prepare();
    kernel->repeat(500);
    std::vector<double> times, observed;
    for (int i = 0; i < 2000; ++i) {
        times.push_back(seconds(*kernel));
        kernel->check();
        if (const double hz = kernel->further()[0]; !std::isnan(hz)) observed.push_back(hz);
    }
    if (!kernel->prove().right) throw std::runtime_error(kernel->prove().said);
    const double hz = observed.empty() ? std::nan("") : median(observed);
    return {double(peak::operations(type, variant)) / median(times), hz};
}

}  // namespace

int main(int count, char** arguments) {
    if (count == 3) {
        const auto& variant = chosen(peak::variants(), arguments[2]);
        const auto [operations, hz] = found(peak::type(arguments[1]), variant);
        return std::printf("%.6g %.6g\n", operations, hz), 0;
    }
    for (const auto& variant : peak::variants())
        if (isa::why_not(variant.needs).empty()) std::printf("%s\n", variant.name.data());
}
