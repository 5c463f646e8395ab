// Every variant moves what it must, at odd sizes and on several threads, and an execution that
// was left out is found, whichever it was.
#include <atomic>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "buffers/buffer.h"
#include "check.h"
#include "kernels/bandwidth/bandwidth.h"
#include "seats.h"
#include "told_node.h"

using namespace stend;
using namespace stend::bandwidth;

namespace {

constexpr std::size_t lengths[]{8, 16, 24, 64, 72, 1000, 4096, 8200};

template <typename Function, typename Test>
void on_every(std::span<const Variant<Function>> variants, Test&& test) {
    for (const auto& variant : variants)
        if (isa::why_not(variant.needs).empty()) test(variant);
}

Buffer<Word> numbers(std::size_t words) {
    Buffer<Word> buffer(words);
    for (std::size_t i = 0; i < words; ++i) buffer.data()[i] = i * i + 1;
    return buffer;
}

void every_variant_reads_every_word_in_every_pass() {
    on_every(read_variants(), [](const auto& variant) {
        for (const std::size_t words : lengths) {
            const auto buffer = numbers(words);
            Word all = 0;
            for (const Word word : buffer.span()) all ^= word;
            for (const std::uint64_t passes : {1, 2, 5})
                CHECK(variant.function(buffer.data(), words, passes) == passes * all);
        }
    });
}

void every_variant_writes_what_it_must_and_no_more() {
    on_every(write_variants(), [](const auto& variant) {
        for (const std::size_t words : lengths) {
            const auto buffer = numbers(words + 8);
            variant.function(buffer.data(), words, 100, 3);
            for (std::size_t i = 0; i < words; ++i) CHECK(buffer.data()[i] == 102 + i);
            for (std::size_t i = words; i < words + 8; ++i) CHECK(buffer.data()[i] == i * i + 1);
        }
    });
}

void every_variant_copies_what_it_must_and_no_more() {
    on_every(copy_variants(), [](const auto& variant) {
        for (const std::size_t words : lengths) {
            const auto from = numbers(words);
            const Buffer<Word> to(words + 8);
            variant.function(to.data(), from.data(), words, 2);
            for (std::size_t i = 0; i < words; ++i) CHECK(to.data()[i] == i * i + 1);
            for (std::size_t i = words; i < words + 8; ++i) CHECK(to.data()[i] == 0);
        }
    });
}

template <typename Make, typename Variants>
void is_right(Make make, Variants variants) {
    on_every(variants, [&](const auto& variant) {
        for (const unsigned threads : {1, 2, 3})
            for (const std::size_t bytes : {384, 4096, 99'968, 1 << 21}) {
                const auto made = make(bytes, seats(threads), variant);
                made->prepare();
                CHECK(made->check() && made->prove().right);
                for (const std::uint64_t batch : {1, 2, 3}) {
                    made->repeat(batch);
                    CHECK(made->check());
                }
                CHECK(made->prove().right);
                CHECK(made->threads() == threads && made->variant() == variant.name);
            }
    });
}

// Functions with one fault: a call that does nothing, or a word that is passed over.
std::atomic<int> call = 0;
int skipped_call = -1;
std::size_t skipped_word = SIZE_MAX;

Word faulty_read(const Word* from, std::size_t words, std::uint64_t passes) noexcept {
    if (call++ == skipped_call) return 0;
    Word parity = 0;
    for (std::size_t i = 0; i < words; ++i) parity ^= i == skipped_word ? 0 : from[i];
    return parity * passes;
}

void faulty_write(Word* to, std::size_t words, Word seed, std::uint64_t passes) noexcept {
    if (call++ == skipped_call) return;
    for (std::size_t i = 0; i < words; ++i)
        if (i != skipped_word) to[i] = seed + i + passes - 1;
}

void faulty_copy(Word* to, const Word* from, std::size_t words, std::uint64_t) noexcept {
    if (call++ == skipped_call) return;
    for (std::size_t i = 0; i < words; ++i)
        if (i != skipped_word) to[i] = from[i];
}

struct Outcome {
    bool checked, proved;
};

Outcome outcome_of(const std::unique_ptr<Kernel>& made, std::uint64_t executions) {
    made->prepare();
    call = 0;
    made->repeat(executions);
    return {made->check(), made->prove().right};
}

std::vector<Outcome> outcomes(std::uint64_t executions) {
    constexpr std::size_t bytes = 1 << 20;
    const auto cpu = seats(1);
    std::vector<Outcome> all;
    all.push_back(outcome_of(read(bytes, cpu, {"faulty", {}, faulty_read}), executions));
    all.push_back(outcome_of(write(bytes, cpu, {"faulty", {}, faulty_write}), executions));
    all.push_back(outcome_of(copy(bytes, cpu, {"faulty", {}, faulty_copy}), executions));
    return all;
}

void an_execution_left_out_is_found_whichever_it_is() {
    for (const int executions : {1, 2, 7})
        for (skipped_call = 0; skipped_call < executions; ++skipped_call)
            for (const auto& [checked, proved] : outcomes(std::uint64_t(executions)))
                CHECK(!checked && !proved);
    skipped_call = -1;
    for (const auto& [checked, proved] : outcomes(7)) CHECK(checked && proved);
}

void a_word_passed_over_is_found() {
    for (const std::size_t word : {0, 1, 100, 8191}) {
        skipped_word = word;
        const auto all = outcomes(3);
        CHECK(!all[0].checked && !all[0].proved && !all[1].proved && !all[2].proved);
        if (word == 0) CHECK(!all[1].checked && !all[2].checked);
    }
    skipped_word = SIZE_MAX;
}

// Right but for one bit of what the second thread leaves.
std::thread::id first_thread;
std::size_t spoilt_word = 0;

void spoil(Word* words) {
    if (std::this_thread::get_id() != first_thread) words[spoilt_word] ^= 1;
}

void spoilt_write(Word* to, std::size_t words, Word seed, std::uint64_t passes) noexcept {
    faulty_write(to, words, seed, passes);
    spoil(to);
}

void spoilt_copy(Word* to, const Word* from, std::size_t words, std::uint64_t passes) noexcept {
    faulty_copy(to, from, words, passes);
    spoil(to);
}

void the_first_wrong_word_is_named_with_its_thread() {
    constexpr std::size_t bytes = 1 << 20, words = bytes / 2 / sizeof(Word), half = words / 2;
    first_thread = std::this_thread::get_id();
    const auto said = [](const std::unique_ptr<Kernel>& made) {
        made->prepare();
        made->repeat(1);
        return made->prove().said;
    };
    const auto named = [](std::size_t word) {
        return "Word " + std::to_string(word) + " of thread 1 is wrong after 1 executions of " +
               std::to_string(passes(bytes, 2)) + " passes.";
    };
    for (const std::size_t word :
         {std::size_t{0}, std::size_t{1}, std::size_t{4095}, std::size_t{4096}, half / 2 - 1,
          half / 2, half / 2 + 1, half - 2, half - 1}) {
        spoilt_word = word;
        CHECK(said(write(bytes, seats(2), {"spoilt", {}, spoilt_write})) == named(word));
        CHECK(said(copy(bytes, seats(2), {"spoilt", {}, spoilt_copy})) == named(half + word));
    }
}

void one_execution_moves_enough_for_every_thread() {
    constexpr std::uint64_t mib = 1 << 20;
    CHECK(passes(mib, 1) == 16 && passes(mib, 4) == 64);
    CHECK(passes(16 * mib, 1) == 1 && passes(1000 * mib, 2) == 1);
    CHECK(passes(3 * mib, 1) == 5);
}

void copying_between_nodes_binds_both_halves_and_proves_where_they_lie() {
    on_every(copy_variants(), [](const auto& variant) {
        for (const std::size_t bytes : {std::size_t{128}, std::size_t{99'968}, 3 * huge_page}) {
            const auto from = std::make_shared<ToldNode>(), to = std::make_shared<ToldNode>();
            const auto made = copy_between(bytes, from, to, variant);
            made->prepare();
            for (const std::uint64_t batch : {1, 2, 3}) {
                made->repeat(batch);
                CHECK(made->check());
            }
            const Proof proof = made->prove();
            CHECK(proof.right && proof.said.ends_with("; of the target, all pages lie here."));
            for (const auto& node : {from, to}) {
                CHECK(node->bound.size() == 1 && node->asked.size() == 2);
                CHECK(reinterpret_cast<std::uintptr_t>(node->bound[0].data()) % huge_page == 0);
                for (const auto& pages : node->asked)
                    CHECK(node->was_bound(pages) && pages.size() == bytes / 2);
            }
            CHECK(from->asked[0].data() + bytes / 2 == to->asked[0].data());
            to->right = false;
            CHECK(made->check() && !made->prove().right);
        }
    });
}

void copying_between_nodes_is_not_measured_when_memory_lies_elsewhere() {
    for (const bool source : {true, false}) {
        const auto from = std::make_shared<ToldNode>(), to = std::make_shared<ToldNode>();
        (source ? from : to)->right = false;
        CHECK_THROWS(Unavailable, copy_between(4096, from, to, copy_variants()[0])->prepare());
    }
}

void an_execution_left_out_between_nodes_is_found() {
    for (skipped_call = 0; skipped_call < 3; ++skipped_call) {
        const auto [checked, proved] =
            outcome_of(copy_between(1 << 20, std::make_shared<ToldNode>(),
                                    std::make_shared<ToldNode>(), {"faulty", {}, faulty_copy}),
                       3);
        CHECK(!checked && !proved);
    }
    skipped_call = -1;
}

void what_cannot_be_is_refused() {
    for (const std::size_t bytes : {0, 3, 63, 100}) {
        CHECK_THROWS(std::invalid_argument, read(bytes, seats(1), read_variants()[0]));
        CHECK_THROWS(std::invalid_argument, write(bytes, seats(1), write_variants()[0]));
        CHECK_THROWS(std::invalid_argument, copy(bytes, seats(1), copy_variants()[0]));
    }
    CHECK_THROWS(std::invalid_argument, read(64, seats(2), read_variants()[0]));
    CHECK_THROWS(std::invalid_argument, copy(64, seats(1), copy_variants()[0]));
    CHECK_THROWS(OutOfMemory, read(std::size_t{1} << 50, seats(1), read_variants()[0])->prepare());
}

}  // namespace

int main() {
    every_variant_reads_every_word_in_every_pass();
    every_variant_writes_what_it_must_and_no_more();
    every_variant_copies_what_it_must_and_no_more();
    is_right(bandwidth::read, read_variants());
    is_right(bandwidth::write, write_variants());
    is_right(bandwidth::copy, copy_variants());
    an_execution_left_out_is_found_whichever_it_is();
    a_word_passed_over_is_found();
    the_first_wrong_word_is_named_with_its_thread();
    one_execution_moves_enough_for_every_thread();
    copying_between_nodes_binds_both_halves_and_proves_where_they_lie();
    copying_between_nodes_is_not_measured_when_memory_lies_elsewhere();
    an_execution_left_out_between_nodes_is_found();
    what_cannot_be_is_refused();
}
