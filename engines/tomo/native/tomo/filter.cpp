// Tables of the ramp filter: transforms long enough that a row's ends don't meet.
#include "tomo/filter.h"

#include <algorithm>

#include "tomo/bytes.h"
#include "tomo/ramp.h"

namespace stend::tomo {

RampFilter::RampFilter(const Plan& plan)
    : detectors(plan.detectors),
      angles(plan.angles.size()),
      forward(smooth_length(2 * plan.detectors - 1), -1),
      backward(forward.length, +1),
      response(forward.length),
      weights(plan.weights.begin(), plan.weights.end()) {
    weights.resize(weights.size() + weights.size() % 2);
    const std::size_t length = forward.length;
    const std::vector<double> spectrum = ramp(length, plan.filter);
    for (std::size_t k = 0; k < length; ++k)
        response[k] =
            static_cast<float>(spectrum[std::min(k, length - k)] / static_cast<double>(length));
}

RampFilter::~RampFilter() = default;

std::size_t RampFilter::bytes() const {
    return forward.bytes() + backward.bytes() + bytes_of(response) + bytes_of(weights);
}

}  // namespace stend::tomo
