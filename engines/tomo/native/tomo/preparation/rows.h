// Normalisation and zingers of a row, in plain loops that compilers vectorise; to be included after
// the STEND_FOR of a variant's file, in a namespace of its own.

// ln x for normal x > 0. The mantissa is brought to √½ … √2; there ln(1 + f) = f - f²/2 + f³ P(f),
// P as in Moshier's Cephes library (logf, 1992), and the exponent's ln 2 is added in two parts.
STEND_INLINE float natural_log(float x) {
    constexpr std::int32_t root_half = 0x3f3504f3;
    const auto bits = std::bit_cast<std::int32_t>(x);
    const std::int32_t exponent = (bits - root_half) >> 23;
    const float f = std::bit_cast<float>(bits - exponent * (1 << 23)) - 1.0f;
    const float k = static_cast<float>(exponent);
    float p = 7.0376836292e-2f;
    p = p * f - 1.1514610310e-1f;
    p = p * f + 1.1676998740e-1f;
    p = p * f - 1.2420140846e-1f;
    p = p * f + 1.4249322787e-1f;
    p = p * f - 1.6668057665e-1f;
    p = p * f + 2.0000714765e-1f;
    p = p * f - 2.4999993993e-1f;
    p = p * f + 3.3333331174e-1f;
    const float square = f * f;
    const float small = p * f * square - 0.5f * square - 2.12194440e-4f * k;
    return (f + small) + 0.693359375f * k;
}

template <Result result, typename Pixel>
STEND_INLINE Seen normalized(const Pixel* counts, std::size_t count, const Fields& fields,
                             const Limits& limits, float* to) {
    const float* dark = fields.dark;
    const float* gain = fields.gain;
    const float least = limits.least, most = limits.most;
    std::uint32_t limited = 0, not_finite = 0;
    for (std::size_t i = 0; i < count; ++i) {
        const float value = static_cast<float>(counts[i]);
        const float t = (value - dark[i]) * gain[i];
        const float low = t > least ? t : least;  // also for NaN
        const float within = low < most ? low : most;
        limited += !(t > least) | !(t < most);
        if constexpr (std::is_same_v<Pixel, float>)
            not_finite += (std::bit_cast<std::uint32_t>(value) & 0x7f800000U) == 0x7f800000U;
        to[i] = result == Result::transmission ? within : -natural_log(within);
    }
    return {limited, not_finite};
}

template <typename Pixel>
Seen normalize(const Pixel* counts, std::size_t count, const Fields& fields, const Limits& limits,
               Result result, float* to) {
    return result == Result::transmission
               ? normalized<Result::transmission>(counts, count, fields, limits, to)
               : normalized<Result::line_integrals>(counts, count, fields, limits, to);
}

template <typename Pixel>
std::size_t zingers(const Pixel* before, const Pixel* from, const Pixel* after, std::size_t count,
                    float share, Pixel* to) {
    std::uint32_t replaced = 0;
    for (std::size_t i = 0; i < count; ++i) {
        const Pixel brighter = before[i] > after[i] ? before[i] : after[i];
        const bool over =
            static_cast<float>(from[i]) > (1.0f + share) * static_cast<float>(brighter);
        replaced += over;
        to[i] = over ? brighter : from[i];
    }
    return replaced;
}
