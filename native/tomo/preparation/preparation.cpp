// Checks what is asked, chooses the variant, and shares images or detector rows among threads.
#include <algorithm>
#include <atomic>
#include <cmath>
#include <span>
#include <stdexcept>
#include <string>

#include "team/team.h"
#include "tomo/preparation/kernels.h"

namespace stend::tomo {
namespace {

using preparation::Kernels;
using preparation::Workspace;

std::span<const Kernels* const> all() {
    static const Kernels* const list[] = {
        &preparation::portable,
#if defined(__x86_64__)
        &preparation::avx2,
        &preparation::avx512,
#endif
    };
    return list;
}

const Kernels& chosen(const Means& means) {
    if (means.threads == 0)
        throw std::invalid_argument("The number of threads is 0; it must be at least 1.");
    const Kernels* best = nullptr;
    std::string names;
    for (const Kernels* kernels : all()) {
        const std::string why = isa::why_not(kernels->needs);
        if (kernels->name == means.variant && !why.empty())
            throw std::invalid_argument("The variant " + std::string(means.variant) +
                                        " can't run: " + why + ".");
        if (why.empty() && (means.variant.empty() || kernels->name == means.variant))
            best = kernels;
        names += (names.empty() ? "" : ", ") + std::string(kernels->name);
    }
    if (best == nullptr)
        throw std::invalid_argument("There is no variant \"" + std::string(means.variant) +
                                    "\"; there are " + names + ".");
    return *best;
}

// Calls work(item, member) for every item, on threads.
template <typename Work>
void share(std::size_t items, unsigned threads, const Work& work) {
    Team team(Unbound{}, static_cast<unsigned>(std::clamp<std::size_t>(items, 1, threads)));
    std::atomic<std::size_t> next = 0;
    team.run([&](unsigned member) noexcept {
        for (;;) {
            const std::size_t item = next.fetch_add(1, std::memory_order_relaxed);
            if (item >= items) return;
            work(item, member);
        }
    });
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
    if (!(limits.least > 0 && limits.least < limits.most && std::isfinite(limits.most)))
        throw std::invalid_argument(
            "The limits of the transmission are " + std::to_string(limits.least) + " and " +
            std::to_string(limits.most) + "; they must be 0 < least < most.");
    std::atomic<std::size_t> limited = 0, not_finite = 0;
    share(extent.angles, threads, [&](std::size_t angle, unsigned) noexcept {
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
        throw std::invalid_argument("Zingers are found in 3 or more images; there are " +
                                    std::to_string(extent.angles) + ".");
    if (!(share_over > 0))
        throw std::invalid_argument("A zinger is over by the share " + std::to_string(share_over) +
                                    "; it must be above 0.");
    const std::size_t last = extent.angles - 1;
    std::atomic<std::size_t> replaced = 0;
    share(extent.angles, threads, [&](std::size_t angle, unsigned) noexcept {
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
      window(16 * (window_size + 1)),
      keys{std::vector<std::uint64_t>(angles), std::vector<std::uint64_t>(angles)} {}

Seen normalize(const Stack<const std::uint16_t>& counts, const Extent& extent, const Fields& fields,
               const Limits& limits, Result result, const Stack<float>& to, const Means& means) {
    return normalized(chosen(means).normalize_counts, counts, extent, fields, limits, result, to,
                      means.threads);
}

Seen normalize(const Stack<const float>& counts, const Extent& extent, const Fields& fields,
               const Limits& limits, Result result, const Stack<float>& to, const Means& means) {
    return normalized(chosen(means).normalize_floats, counts, extent, fields, limits, result, to,
                      means.threads);
}

std::size_t remove_zingers(const Stack<const std::uint16_t>& from, const Extent& extent,
                           float share, const Stack<std::uint16_t>& to, const Means& means) {
    return without_zingers(chosen(means).zingers_counts, from, extent, share, to, means.threads);
}

std::size_t remove_zingers(const Stack<const float>& from, const Extent& extent, float share,
                           const Stack<float>& to, const Means& means) {
    return without_zingers(chosen(means).zingers_floats, from, extent, share, to, means.threads);
}

void remove_stripes(const Stack<const float>& from, const Extent& extent, std::size_t window,
                    const Stack<float>& to, const Means& means) {
    const Kernels& kernels = chosen(means);
    if (window % 2 == 0 || window < 3)
        throw std::invalid_argument("The median's window is " + std::to_string(window) +
                                    " columns; it must be odd and at least 3.");
    if (extent.angles == 0 || extent.columns == 0) return;
    const std::size_t threads = std::clamp<std::size_t>(extent.rows, 1, means.threads);
    std::vector<Workspace> workspaces;
    for (std::size_t member = 0; member < threads; ++member)
        workspaces.emplace_back(extent.angles, extent.columns, window);
    share(extent.rows, means.threads, [&](std::size_t row, unsigned member) noexcept {
        kernels.stripes({row_of(from, 0, row), from.angle_stride, row_of(to, 0, row),
                         to.angle_stride, extent.angles, extent.columns},
                        window, workspaces[member]);
    });
}

std::vector<std::string_view> preparation_variants() {
    std::vector<std::string_view> names;
    for (const Kernels* kernels : all())
        if (isa::why_not(kernels->needs).empty()) names.push_back(kernels->name);
    return names;
}

}  // namespace stend::tomo
