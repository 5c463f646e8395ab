// Which times the observers take.
#pragma once

#include <stdexcept>
#include <string>

namespace stend::noise {

inline void require_duration(double seconds) {
    if (!(seconds > 0 && seconds <= 60))
        throw std::invalid_argument(
            "Noise is observed for more than 0 and at most 60 s at a time, not " +
            std::to_string(seconds) + " s.");
}

}  // namespace stend::noise
