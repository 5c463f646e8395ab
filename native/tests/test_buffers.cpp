// A mapping is aligned, zeroed, moved and not copied; one that can't be is refused in a
// sentence before anything is touched.
#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "buffers/buffer.h"
#include "check.h"

using namespace stend;

namespace {

void memory_is_zeroed_and_aligned() {
    for (const std::size_t count : {1, 511, 4097, 3 << 20}) {
        const Buffer<double> buffer(count);
        CHECK(buffer.span().size() == count);
        CHECK(std::ranges::all_of(buffer.span(), [](double x) { return x == 0; }));
        const std::uintptr_t border = count * sizeof(double) < (2 << 20) ? 4096 : 2 << 20;
        CHECK(reinterpret_cast<std::uintptr_t>(buffer.data()) % border == 0);
    }
}

void a_buffer_of_nothing_is_empty() {
    CHECK(Buffer<int>().span().empty());
    CHECK(Buffer<int>(0).span().empty());
}

void moving_leaves_nothing_behind() {
    Buffer<int> first(5'000'000);
    first.span().back() = 7;
    Buffer<int> second = std::move(first);
    CHECK(second.span().back() == 7);
    second = Buffer<int>(10);
    CHECK(second.span().size() == 10);
}

void a_small_mapping_has_no_huge_page() {
    CHECK(!Buffer<char>(4096).gather_huge_pages());
}

// Whether the kernel keeps to it, tests/native/test_latency.py reads from /proc: an emulator says
// yes to all that is asked.
void small_pages_can_be_asked_for() {
    const Buffer<char> buffer(2 * huge_page);
    CHECK(buffer.forbid_huge_pages());
    std::ranges::fill(buffer.span(), 1);
    CHECK(buffer.span().back() == 1);
}

void too_much_is_refused_in_a_sentence() {
    for (const std::size_t bytes : {std::size_t{1} << 46, SIZE_MAX}) {
        try {
            const Mapping mapping(bytes);
            CHECK(false);
        } catch (const OutOfMemory& error) {
            CHECK(std::string(error.what()).find("does not fit") != std::string::npos);
        }
    }
    CHECK_THROWS(std::bad_alloc, Buffer<double>(SIZE_MAX / 2));
}

// Untouched mappings count: otherwise each would fit and all together would not.
void mappings_are_refused_together() {
    std::vector<Mapping> taken;
    const std::size_t each = std::size_t{1} << 30;
    CHECK_THROWS(OutOfMemory, for (int i = 0; i < 100'000; ++i) taken.emplace_back(each));
    CHECK(!taken.empty());
    taken.clear();
    CHECK(Mapping(each).size() == each);
}

}  // namespace

int main() {
    memory_is_zeroed_and_aligned();
    a_buffer_of_nothing_is_empty();
    moving_leaves_nothing_behind();
    a_small_mapping_has_no_huge_page();
    small_pages_can_be_asked_for();
    too_much_is_refused_in_a_sentence();
    mappings_are_refused_together();
}
