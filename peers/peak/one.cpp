// one: prints the variants that can run here. one TYPE VARIANT: prints operations a second of the
// median repetition of some 0.2 s on this thread's first CPU, then the core's frequency under that
// variant, Hz.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <vector>

#include "peak/peak.h"
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

double rate(peak::Type type, const Variant<peak::Loops>& variant) {
    const auto kernel = peak::kernel(type, first_cpus(1), variant);
    kernel->prepare();
    kernel->repeat(500);
    std::vector<double> times;
    for (int i = 0; i < 2000; ++i) times.push_back(seconds(*kernel));
    if (!kernel->prove().right) throw std::runtime_error(kernel->prove().said);
    return double(peak::operations(type, variant)) / median(times);
}

double frequency(const Variant<peak::Loops>& variant) {
    const auto kernel = peak::frequency(first_cpus(1), variant);
    kernel->prepare();
    std::vector<double> observed;
    for (int i = 0; i < 20; ++i) observed.push_back(dynamic_cast<Observer&>(*kernel).observe());
    return median(observed);
}

}  // namespace

int main(int count, char** arguments) {
    if (count == 3) {
        const auto& variant = chosen(peak::variants(), arguments[2]);
        const double operations = rate(peak::type(arguments[1]), variant);
        return std::printf("%.6g %.6g\n", operations, frequency(variant)), 0;
    }
    for (const auto& variant : peak::variants())
        if (isa::why_not(variant.needs).empty()) std::printf("%s\n", variant.name.data());
}
