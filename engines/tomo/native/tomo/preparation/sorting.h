// A sinogram's stripes by sorting; to be included after the STEND_FOR of a variant's file, in a
// namespace of its own. L says how wide the lanes are; a lane is a rank.

// Floats as integers of the same order, whatever their sign, with their place beside.
STEND_INLINE std::uint64_t key(float value, std::uint32_t place) {
    const auto bits = std::bit_cast<std::uint32_t>(value);
    const std::uint32_t ordered = bits ^ ((0U - (bits >> 31U)) | 0x80000000U);
    return std::uint64_t{ordered} << 32U | place;
}

STEND_INLINE float value(std::uint64_t key) {
    const auto ordered = static_cast<std::uint32_t>(key >> 32U);
    return std::bit_cast<float>(ordered ^ (((ordered >> 31U) - 1U) | 0x80000000U));
}

// Sorts by the upper half, a byte at a time from the lowest; equal values keep their order. A byte
// that is the same in all is passed over.
inline void sort_keys(std::uint64_t*& keys, std::uint64_t*& other, std::size_t count) {
    std::array<std::array<std::uint32_t, 256>, 4> before{};
    for (std::size_t i = 0; i < count; ++i)
        for (unsigned byte = 0; byte < 4; ++byte) ++before[byte][keys[i] >> (32 + 8 * byte) & 255U];
    for (unsigned byte = 0; byte < 4; ++byte) {
        const unsigned shift = 32 + 8 * byte;
        if (before[byte][keys[0] >> shift & 255U] == count) continue;
        std::uint32_t sum = 0;
        for (std::uint32_t& place : before[byte]) sum += std::exchange(place, sum);
        for (std::size_t i = 0; i < count; ++i)
            other[before[byte][keys[i] >> shift & 255U]++] = keys[i];
        std::swap(keys, other);
    }
}

// A square of `rows` × `columns` at `from` to its transpose at `to`; both at most as many as lanes.
template <typename L>
STEND_INLINE void transpose_square(const float* from, std::ptrdiff_t from_stride, std::size_t rows,
                                   std::size_t columns, float* to, std::ptrdiff_t to_stride) {
    if (rows >= L::count && columns >= L::count) {
        typename L::Float square[L::count];
        for (int i = 0; i < static_cast<int>(L::count); ++i)
            square[i] = load<L>(from + i * from_stride);
        L::transpose(square);
        for (int i = 0; i < static_cast<int>(L::count); ++i)
            store<L>(to + i * to_stride, square[i]);
        return;
    }
    const auto down = static_cast<std::ptrdiff_t>(std::min<std::size_t>(L::count, rows));
    const auto across = static_cast<std::ptrdiff_t>(std::min<std::size_t>(L::count, columns));
    for (std::ptrdiff_t i = 0; i < down; ++i)
        for (std::ptrdiff_t j = 0; j < across; ++j)
            to[j * to_stride + i] = from[i * from_stride + j];
}

// Both ways go along the columns of a few angles: angles lie far apart, each in a page of its own.
template <typename L>
void by_column(const Sinogram& sinogram, float* to, std::size_t ranks) {
    const auto padded = static_cast<std::ptrdiff_t>(ranks);
    for (std::size_t angle = 0; angle < sinogram.angles; angle += L::count)
        for (std::size_t column = 0; column < sinogram.columns; column += L::count)
            transpose_square<L>(
                sinogram.from + static_cast<std::ptrdiff_t>(angle) * sinogram.from_stride + column,
                sinogram.from_stride, sinogram.angles - angle, sinogram.columns - column,
                to + column * ranks + angle, padded);
}

template <typename L>
void by_angle(const float* from, std::size_t ranks, const Sinogram& sinogram) {
    const auto padded = static_cast<std::ptrdiff_t>(ranks);
    for (std::size_t angle = 0; angle < sinogram.angles; angle += L::count)
        for (std::size_t column = 0; column < sinogram.columns; column += L::count)
            transpose_square<L>(
                from + column * ranks + angle, padded, sinogram.columns - column,
                sinogram.angles - angle,
                sinogram.to + static_cast<std::ptrdiff_t>(angle) * sinogram.to_stride + column,
                sinogram.to_stride);
}

inline void sort_columns(const Sinogram& sinogram, Workspace& work) {
    std::uint64_t *keys = work.keys[0].data(), *other = work.keys[1].data();
    for (std::size_t column = 0; column < sinogram.columns; ++column) {
        const float* from = work.smooth.data() + column * work.ranks;
        for (std::uint32_t i = 0; i < sinogram.angles; ++i) keys[i] = key(from[i], i);
        sort_keys(keys, other, sinogram.angles);
        float* sorted = work.sorted.data() + column * work.ranks;
        std::uint32_t* order = work.order.data() + column * work.ranks;
        for (std::size_t i = 0; i < sinogram.angles; ++i) {
            sorted[i] = value(keys[i]);
            order[i] = static_cast<std::uint32_t>(keys[i]);
        }
    }
}

// Takes `gone` out of `size` values in order and `come` in; each lane by itself.
template <typename L>
STEND_INLINE void replace(typename L::Float* window, std::size_t size, typename L::Float gone,
                          typename L::Float come) {
    auto below = window[0] < come ? window[0] : come;
    auto carried = window[0] < come ? come : window[0];
    for (std::size_t i = 1; i < size; ++i) {
        const auto next = window[i] < carried ? window[i] : carried;
        carried = window[i] < carried ? carried : window[i];
        window[i - 1] = below < gone ? below : next;
        below = next;
    }
    window[size - 1] = below < gone ? below : carried;
}

// Where column `i` lies when the columns are mirrored at both ends, the last ones repeated.
inline std::size_t mirrored(std::ptrdiff_t i, std::size_t columns) {
    const auto period = static_cast<std::ptrdiff_t>(2 * columns);
    i = (i % period + period) % period;
    return static_cast<std::size_t>(std::min(i, period - 1 - i));
}

// The medians over `size` columns of the ranks from `rank` on, one a lane.
template <typename L>
void smooth_ranks(std::size_t rank, std::size_t columns, std::size_t size, Workspace& work) {
    using Float = typename L::Float;
    const float* sorted = work.sorted.data() + rank;
    const auto at = [&](std::ptrdiff_t column) {
        return load<L>(sorted + mirrored(column, columns) * work.ranks);
    };
    const auto half = static_cast<std::ptrdiff_t>(size / 2);
    auto* window = reinterpret_cast<Float*>(work.window.data());
    const Float endless = broadcast<L>(std::numeric_limits<float>::infinity());
    for (std::size_t i = 0; i < size; ++i) window[i] = endless;
    for (std::ptrdiff_t column = -half; column <= half; ++column)
        replace<L>(window, size, endless, at(column));
    for (std::size_t column = 0; column < columns; ++column) {
        store<L>(work.smooth.data() + column * work.ranks + rank, window[half]);
        const auto here = static_cast<std::ptrdiff_t>(column);
        replace<L>(window, size, at(here - half), at(here + half + 1));
    }
}

// The smoothed value of each rank to the angle that has it: (column, angle), where `sorted` was.
inline void put_back(const Sinogram& sinogram, Workspace& work) {
    for (std::size_t column = 0; column < sinogram.columns; ++column) {
        const std::size_t first = column * work.ranks;
        const float* smooth = work.smooth.data() + first;
        const std::uint32_t* order = work.order.data() + first;
        float* to = work.sorted.data() + first;
        for (std::size_t i = 0; i < sinogram.angles; ++i) to[order[i]] = smooth[i];
    }
}

template <typename L>
void stripes(const Sinogram& sinogram, std::size_t window, Workspace& work) {
    by_column<L>(sinogram, work.smooth.data(), work.ranks);
    sort_columns(sinogram, work);
    for (std::size_t rank = 0; rank < sinogram.angles; rank += L::count)
        smooth_ranks<L>(rank, sinogram.columns, window, work);
    put_back(sinogram, work);
    by_angle<L>(work.sorted.data(), work.ranks, sinogram);
}
