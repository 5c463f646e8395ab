// Blocks are written in order, round and round, and whole; what was left out is found.
#include <algorithm>
#include <atomic>
#include <utility>

#include "buffers/buffer.h"
#include "check.h"
#include "kernels/memory/parallel.h"
#include "team/seat.h"

using namespace stend;
using namespace stend::memory;

namespace {

void every_variant_writes_what_it_must() {
    for (const auto& variant : write_variants()) {
        if (!isa::why_not(variant.needs).empty()) continue;
        for (const std::size_t block : {64, 128, 192, 4096, 4160, 1 << 20})
            for (const std::size_t region : {block, block + 8, 3 * block, 7 * block + 4000}) {
                const auto made = write(block, region, variant);
                made->prepare();
                for (const std::uint64_t batch : {1, 2, 5, 1, 9}) {
                    made->repeat(batch);
                    CHECK(made->check());
                }
                CHECK(made->prove().right);
                CHECK(made->variant() == variant.name);
            }
    }
}

// A fill with one fault: a call that does nothing, or a word that is never written.
std::atomic<int> call = 0;
int skipped_call = -1;
std::size_t skipped_word = SIZE_MAX;

void faulty(std::span<std::uint64_t> block, std::uint64_t seed) noexcept {
    if (call++ == skipped_call) return;
    for (std::size_t i = 0; i < block.size(); ++i)
        if (i != skipped_word) block[i] = seed + i;
}

constexpr Variant<Fill> faulty_variant{"faulty", {}, faulty};

struct Outcome {
    bool checked, proved;
};

Outcome outcome_of(std::uint64_t repetitions) {
    const auto made = write(4096, 10 * 4096, faulty_variant);
    made->prepare();
    call = 0;
    made->repeat(repetitions);
    return {made->check(), made->prove().right};
}

// As long as no later round wrote the block again: writing hides what was there before.
void a_block_left_out_is_found() {
    for (std::uint64_t repetitions = 1; repetitions <= 35; ++repetitions)
        for (int back = 1; back <= 10 && back <= int(repetitions); ++back) {
            skipped_call = int(repetitions) - back;
            const Outcome outcome = outcome_of(repetitions);
            CHECK(!outcome.checked && !outcome.proved);
        }
    skipped_call = -1;
}

void a_word_never_written_is_found() {
    for (const std::size_t word : {0, 1, 100, 511}) {
        skipped_word = word;
        const Outcome outcome = outcome_of(20);
        CHECK(!outcome.proved);
        if (word == 0 || word == 511) CHECK(!outcome.checked);
    }
    skipped_word = SIZE_MAX;
}

void a_fill_without_a_fault_passes() {
    const Outcome outcome = outcome_of(1234);
    CHECK(outcome.checked && outcome.proved);
}

constexpr Affinity affinities[]{Affinity::none, Affinity::scatter, Affinity::compact};

// At most as many threads as this machine has CPUs, and three at most.
unsigned most_threads() {
    return unsigned(std::min<std::size_t>(3, usable_cpus().size()));
}

void every_variant_writes_every_threads_block() {
    for (const auto& variant : write_variants()) {
        if (!isa::why_not(variant.needs).empty()) continue;
        for (const Affinity affinity : affinities)
            for (const std::size_t block : {64, 4160, 1 << 20})
                for (unsigned threads = 1; threads <= most_threads(); ++threads) {
                    const auto made = write_parallel(block, threads, affinity, variant);
                    made->prepare();
                    CHECK(made->check());
                    for (const std::uint64_t batch : {1, 2, 5}) {
                        made->repeat(batch);
                        CHECK(made->check());
                    }
                    CHECK(made->prove().right);
                    CHECK(made->threads() == threads);
                }
    }
}

// The first calls are those of prepare(). A batch hides nothing: the one after would begin
// from what was left out.
void a_thread_that_leaves_out_one_block_is_found() {
    const unsigned threads = most_threads();
    for (const Affinity affinity : affinities)
        for (int left_out = 0; left_out < 5 * int(threads); ++left_out) {
            const auto made = write_parallel(4096, threads, affinity, faulty_variant);
            made->prepare();
            call = 0;
            skipped_call = left_out;
            made->repeat(5);
            CHECK(!made->check() && !made->prove().right);
            skipped_call = -1;
            made->repeat(3);
            CHECK(!made->check() && !made->prove().right);
        }
}

void a_word_no_thread_writes_is_found() {
    for (const std::size_t word : {0, 1, 100, 511}) {
        const auto made = write_parallel(4096, 1, Affinity::none, faulty_variant);
        made->prepare();
        skipped_word = word;
        made->repeat(4);
        skipped_word = SIZE_MAX;
        CHECK(!made->prove().right);
    }
}

void what_threads_cannot_do_is_refused() {
    const auto& plain = write_variants()[0];
    const unsigned cpus = unsigned(usable_cpus().size());
    for (const Affinity affinity : affinities) {
        CHECK_THROWS(std::invalid_argument, write_parallel(4096, 0, affinity, plain));
        CHECK_THROWS(std::invalid_argument, write_parallel(4096, cpus + 1, affinity, plain));
        CHECK_THROWS(std::invalid_argument, write_parallel(0, 1, affinity, plain));
        CHECK_THROWS(std::invalid_argument, write_parallel(100, 1, affinity, plain));
        CHECK_THROWS(OutOfMemory,
                     write_parallel(std::size_t{1} << 50, 1, affinity, plain)->prepare());
    }
    CHECK(affinity("compact") == Affinity::compact);
    CHECK_THROWS(std::invalid_argument, affinity("spread"));
}

void what_cannot_be_is_refused() {
    const auto& plain = write_variants()[0];
    for (const auto& [block, region] :
         {std::pair{4096, 4095}, {0, 4096}, {100, 4096}, {64, 0}, {65, 4096}})
        CHECK_THROWS(std::invalid_argument, write(block, region, plain));
    CHECK_THROWS(OutOfMemory, write(4096, std::size_t{1} << 50, plain)->prepare());
    CHECK_THROWS(std::invalid_argument, chosen(write_variants(), "memset"));
}

}  // namespace

int main() {
    every_variant_writes_what_it_must();
    a_fill_without_a_fault_passes();
    a_block_left_out_is_found();
    a_word_never_written_is_found();
    what_cannot_be_is_refused();
    every_variant_writes_every_threads_block();
    a_thread_that_leaves_out_one_block_is_found();
    a_word_no_thread_writes_is_found();
    what_threads_cannot_do_is_refused();
}
