// The scalar recurrence.
#include "kernels/peak/reference.h"

#include <cmath>

namespace stend::peak {
namespace {

template <typename T>
T stepped(T x, Step step) {
    if (step == Step::fused) return std::fma(x, m<T>, b<T>);
    if (step == Step::accumulate) return std::fma(m<T>, b<T>, x);
    return step == Step::multiply ? x * m<T> : x + b<T>;
}

}  // namespace

template <typename T>
T walked(T x, Step step, std::uint64_t steps) {
    for (; steps > 0; --steps) x = stepped(x, step);
    return x;
}

template double walked(double, Step, std::uint64_t);
template float walked(float, Step, std::uint64_t);

// The closed form.
template <>
std::uint32_t walked(std::uint32_t x, Step, std::uint64_t steps) {
    return x + static_cast<std::uint32_t>(steps) * b<std::uint32_t>;
}

}  // namespace stend::peak
