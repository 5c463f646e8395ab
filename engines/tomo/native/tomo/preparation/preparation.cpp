// Checks what is asked, chooses the variant, and shares images or detector rows among threads.
#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>
#include <span>
#include <string>

#include "isa/variant.h"
#include "team/team.h"
#include "tomo/checks.h"
#include "tomo/preparation/kernels.h"
#include "tomo/share.h"
#include "tomo/views.h"

namespace stend::tomo {
namespace {

using preparation::Kernels;
using preparation::Workspace;

std::span<const Kernels> all() {
    static const Kernels list[] = {
        preparation::portable,
#if defined(__x86_64__)
        preparation::avx2,
        preparation::avx512,
#endif
    };
    return list;
}

const Kernels& chosen(const OnThreads& how) {
    check_threads(how.threads);
    return stend::chosen(all(), how.variant);
}

// As many threads as have something to do.
unsigned threads_for(std::size_t items, unsigned threads) {
    return static_cast<unsigned>(std::clamp<std::size_t>(items, 1, threads));
}

template <typename Pixel>
RowsAt rows_at(const Stack<Pixel>& stack, const Extent& extent) {
    return {stack.data,     extent.angles,      extent.rows,
            extent.columns, stack.angle_stride, stack.row_stride};
}

bool is_nothing(const Extent& extent) {
    return extent.angles == 0 || extent.rows == 0 || extent.columns == 0;
}

template <typename Pixel>
Pixel* row_of(const Stack<Pixel>& stack, std::size_t angle, std::size_t row) {
    return stack.data + static_cast<std::ptrdiff_t>(angle) * stack.angle_stride +
           static_cast<std::ptrdiff_t>(row) * stack.row_stride;
}

template <typename Pixel>
Seen normalized(preparation::Normalize<Pixel> kernel, const Stack<const Pixel>& counts,
                const Extent& extent, const Fields& fields, const Limits& limits, Result result,
                const Stack<float>& to, unsigned threads) {
    // The logarithm is one of normal numbers.
    constexpr float least_normal = std::numeric_limits<float>::min();
    if (!(limits.least >= least_normal && limits.least < limits.most && std::isfinite(limits.most)))
        refuse("The limits of the transmission are " + in_words(limits.least) + " and " +
               in_words(limits.most) + "; they must be " + in_words(least_normal) +
               " <= least < most.");
    check_read("The counts", rows_at(counts, extent));
    check_written("The transmissions", rows_at(to, extent));
    if (is_nothing(extent)) return {};
    for (const float* field : {fields.dark, fields.gain})
        check_read("The dark field and the gain",
                   {field, 1, 1, extent.rows * extent.columns, 0, 0});
    std::atomic<std::size_t> limited = 0, not_finite = 0;
    Team team(Unbound{}, threads_for(extent.angles, threads));
    share_each(team, extent.angles, [&](std::size_t angle, unsigned) noexcept {
        Seen image;
        for (std::size_t row = 0; row < extent.rows; ++row) {
            const Fields here{fields.dark + row * extent.columns,
                              fields.gain + row * extent.columns};
            const Seen seen = kernel(row_of(counts, angle, row), extent.columns, here, limits,
                                     result, row_of(to, angle, row));
            image.limited += seen.limited;
            image.not_finite += seen.not_finite;
        }
        limited += image.limited;
        not_finite += image.not_finite;
    });
    return {limited, not_finite};
}

template <typename Pixel>
std::size_t without_zingers(preparation::Zingers<Pixel> kernel, const Stack<const Pixel>& from,
                            const Extent& extent, float share_over, const Stack<Pixel>& to,
                            unsigned threads) {
    if (extent.angles < 3)
        refuse("Zingers are found in 3 or more images; there are " + std::to_string(extent.angles) +
               ".");
    if (!(share_over > 0))
        refuse("A zinger is over by the share " + in_words(share_over) + "; it must be above 0.");
    check_read("The projections", rows_at(from, extent));
    check_written("The mended projections", rows_at(to, extent));
    const std::size_t last = extent.angles - 1;
    std::atomic<std::size_t> replaced = 0;
    Team team(Unbound{}, threads_for(extent.angles, threads));
    share_each(team, extent.angles, [&](std::size_t angle, unsigned) noexcept {
        const std::size_t before = angle == 0 ? 2 : angle - 1;
        const std::size_t after = angle == last ? last - 2 : angle + 1;
        std::size_t image = 0;
        for (std::size_t row = 0; row < extent.rows; ++row)
            image += kernel(row_of(from, before, row), row_of(from, angle, row),
                            row_of(from, after, row), extent.columns, share_over,
                            row_of(to, angle, row));
        replaced += image;
    });
    return replaced;
}

// Whole vectors, and an odd number of them: columns then don't all fall into one set of the cache.
std::size_t padded(std::size_t angles) {
    const std::size_t vectors = (angles + 15) / 16;
    return 16 * (vectors | 1);
}

}  // namespace

preparation::Workspace::Workspace(std::size_t angles, std::size_t columns, std::size_t window_size)
    : ranks(padded(angles)),
      sorted(columns * ranks),
      order(columns * ranks),
      smooth(columns * ranks),
      window(16 * window_size),
      keys{Buffer<std::uint64_t>(angles), Buffer<std::uint64_t>(angles)} {}

Seen normalize(const Stack<const std::uint16_t>& counts, const Extent& extent, const Fields& fields,
               const Limits& limits, Result result, const Stack<float>& to, const OnThreads& how) {
    return normalized(chosen(how).normalize_counts, counts, extent, fields, limits, result, to,
                      how.threads);
}

Seen normalize(const Stack<const float>& counts, const Extent& extent, const Fields& fields,
               const Limits& limits, Result result, const Stack<float>& to, const OnThreads& how) {
    return normalized(chosen(how).normalize_floats, counts, extent, fields, limits, result, to,
                      how.threads);
}

std::size_t remove_zingers(const Stack<const std::uint16_t>& from, const Extent& extent,
                           float share, const Stack<std::uint16_t>& to, const OnThreads& how) {
    return without_zingers(chosen(how).zingers_counts, from, extent, share, to, how.threads);
}

std::size_t remove_zingers(const Stack<const float>& from, const Extent& extent, float share,
                           const Stack<float>& to, const OnThreads& how) {
    return without_zingers(chosen(how).zingers_floats, from, extent, share, to, how.threads);
}

void remove_stripes(const Stack<const float>& from, const Extent& extent, std::size_t window,
                    const Stack<float>& to, const OnThreads& how) {
    const Kernels& kernels = chosen(how);
    if (window % 2 == 0 || window < 3 || window > most_pixels)
        refuse("The median's window is " + std::to_string(window) +
               " columns; it must be odd, at least 3 and at most " + std::to_string(most_pixels) +
               ".");
    check_read("The sinograms", rows_at(from, extent));
    check_written("The sinograms without stripes", rows_at(to, extent));
    if (is_nothing(extent)) return;
    check_count("The number of columns", extent.columns);
    std::vector<Workspace> workspaces;
    for (unsigned member = 0; member < threads_for(extent.rows, how.threads); ++member)
        workspaces.emplace_back(extent.angles, extent.columns, window);
    Team team(Unbound{}, threads_for(extent.rows, how.threads));
    share_each(team, extent.rows, [&](std::size_t row, unsigned member) noexcept {
        kernels.stripes({row_of(from, 0, row), from.angle_stride, row_of(to, 0, row),
                         to.angle_stride, extent.angles, extent.columns},
                        window, workspaces[member]);
    });
}

std::vector<std::string_view> preparation_variants() {
    return runnable(all());
}

}  // namespace stend::tomo
