// Every variant gives what the scalar simulation gives, for odd sizes and several threads;
// and work that was not done, or done wrongly, is found.
#include <atomic>
#include <limits>

#include "buffers/buffer.h"
#include "check.h"
#include "kernels/stream/stream.h"
#include "seats.h"

using namespace stend;
using namespace stend::stream;

namespace {

constexpr Operation operations[]{Operation::copy, Operation::scale, Operation::add,
                                 Operation::triad};

constexpr Arrays both[]{Arrays::shared, Arrays::own};

void equals_the_simulation(Operation operation, Arrays arrays, std::size_t elements,
                           unsigned threads, const Variant<Loops>& variant) {
    const auto made = kernel(operation, arrays, elements, seats(threads), variant);
    made->prepare();
    for (const std::uint64_t batch : {1, 1, 2, 3}) {
        made->repeat(batch);
        CHECK(made->check());
    }
    CHECK(made->prove().right);
    CHECK(made->threads() == threads);
    CHECK(made->variant() == variant.name);
}

// More than one part of every thread's, of a size that an emulator bears.
#if defined(STEND_EMULATED)
constexpr int many = 100003;
#else
constexpr int many = 1000003;
#endif

void every_variant_equals_the_simulation() {
    for (const auto& variant : variants()) {
        if (!isa::why_not(variant.needs).empty()) continue;
        for (const Operation operation : operations)
            for (const Arrays arrays : both)
                for (const std::size_t elements : {1, 7, 63, 64, 65, many})
                    for (unsigned threads = 1; threads <= 4; ++threads)
                        equals_the_simulation(operation, arrays, elements, threads, variant);
    }
}

// Loops that do the work as `plain` does, but for one fault.
std::atomic<int> calls = 0;
int skipped_call = -1;
std::size_t skipped_element = std::numeric_limits<std::size_t>::max();

template <std::size_t operation>
void faulty(double* out, const double* x, const double* y, double scalar,
            std::size_t count) noexcept {
    const Loop right = variants()[0].function[operation];
    if (calls++ == skipped_call) return;
    const double kept = skipped_element < count ? out[skipped_element] : 0;
    right(out, x, y, scalar, count);
    if (skipped_element < count) out[skipped_element] = kept;
}

const Variant<Loops> faulty_variant{"faulty", {}, {faulty<0>, faulty<1>, faulty<2>, faulty<3>}};

struct Outcome {
    bool checked, proved;
};

Outcome outcome_of(Operation operation, Arrays arrays, std::size_t elements, unsigned threads,
                   std::uint64_t repetitions) {
    const auto made = kernel(operation, arrays, elements, seats(threads), faulty_variant);
    made->prepare();
    calls = 0;
    made->repeat(repetitions);
    return {made->check(), made->prove().right};
}

void a_repetition_left_out_is_found_whichever_it_is() {
    for (const Operation operation : operations)
        for (std::uint64_t repetitions = 1; repetitions <= 40; ++repetitions)
            for (skipped_call = 0; skipped_call < int(repetitions); ++skipped_call) {
                const Outcome outcome = outcome_of(operation, Arrays::shared, 1000, 1, repetitions);
                CHECK(!outcome.checked && !outcome.proved);
            }
    skipped_call = -1;
}

// Two members make two calls a repetition; whichever is left out is one member's part.
void a_part_left_out_is_found() {
    for (const Operation operation : operations)
        for (const Arrays arrays : both)
            for (skipped_call = 0; skipped_call < 14; ++skipped_call) {
                const Outcome outcome = outcome_of(operation, arrays, 1000, 2, 7);
                CHECK(!outcome.checked && !outcome.proved);
            }
    skipped_call = -1;
}

void an_element_never_written_is_found() {
    for (const Operation operation : operations)
        for (const std::uint64_t repetitions : {1, 2, 3, 6, 12, 1009})
            for (const std::size_t element : {0, 1, 500, 998, 999}) {
                skipped_element = element;
                const Outcome outcome = outcome_of(operation, Arrays::shared, 1000, 1, repetitions);
                CHECK(!outcome.proved);
                if (element == 0 || element == 999) CHECK(!outcome.checked);
            }
    skipped_element = std::numeric_limits<std::size_t>::max();
}

void a_loop_without_a_fault_passes() {
    for (const Operation operation : operations)
        for (const Arrays arrays : both) {
            const Outcome outcome = outcome_of(operation, arrays, 1000, 2, 2500);
            CHECK(outcome.checked && outcome.proved);
        }
}

// One operation in place of another: add instead of triad, copy instead of scale, …
void another_operation_is_found() {
    const Loops& plain = variants()[0].function;
    for (const Operation wanted : operations)
        for (std::size_t done = 0; done < 4; ++done) {
            if (done == std::size_t(wanted)) continue;
            const Variant<Loops> other{
                "other", {}, {plain[done], plain[done], plain[done], plain[done]}};
            const auto made = kernel(wanted, Arrays::shared, 1000, seats(1), other);
            made->prepare();
            made->repeat(2);
            CHECK(!made->check() && !made->prove().right);
        }
}

// Each copy has values of its own, so that one that reads another's arrays is found.
std::atomic<const double*> one_x = nullptr;

void reads_one_x(double* out, const double*, const double* y, double scalar,
                 std::size_t count) noexcept {
    variants()[0].function[std::size_t(Operation::triad)](out, one_x, y, scalar, count);
}

void notes_its_x(double*, const double* x, const double*, double, std::size_t) noexcept {
    one_x = x;
}

void a_copy_that_reads_anothers_array_is_found() {
    const Variant<Loops> noting{"noting", {}, {nullptr, nullptr, nullptr, notes_its_x}};
    const Variant<Loops> crossed{"crossed", {}, {nullptr, nullptr, nullptr, reads_one_x}};
    const auto other = kernel(Operation::triad, Arrays::own, 1000, seats(2), noting);
    other->prepare();
    other->repeat(1);
    const auto made = kernel(Operation::triad, Arrays::own, 1000, seats(2), crossed);
    made->prepare();
    made->repeat(1);
    CHECK(!made->check() && !made->prove().right);
}

void what_cannot_be_is_refused() {
    CHECK_THROWS(std::invalid_argument, operation("tetrad"));
    CHECK(operation("triad") == Operation::triad);
    CHECK_THROWS(std::invalid_argument, chosen(variants(), "nontemporal-mmx"));
    for (const Arrays arrays : both) {
        CHECK_THROWS(std::invalid_argument,
                     kernel(Operation::add, arrays, 0, seats(1), variants()[0]));
        for (const std::size_t elements : {std::size_t{1} << 45, std::size_t{1} << 62})
            CHECK_THROWS(
                OutOfMemory,
                kernel(Operation::add, arrays, elements, seats(1), variants()[0])->prepare());
    }
}

}  // namespace

int main() {
    every_variant_equals_the_simulation();
    a_loop_without_a_fault_passes();
    a_repetition_left_out_is_found_whichever_it_is();
    a_part_left_out_is_found();
    an_element_never_written_is_found();
    another_operation_is_found();
    a_copy_that_reads_anothers_array_is_found();
    what_cannot_be_is_refused();
}
