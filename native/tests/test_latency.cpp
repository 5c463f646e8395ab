// The cycle leads through every line once, each load goes one line on, readers read what they
// count; and work that was left out is found.
#include <set>
#include <utility>

#include "check.h"
#include "kernels/latency/chain.h"
#include "kernels/latency/hops.h"
#include "kernels/latency/latency.h"
#include "seats.h"
#include "told_node.h"

using namespace stend;
using namespace stend::latency;

namespace {

// Followed here hop by hop, which the room's own proof avoids.
void one_cycle_leads_through_every_line() {
    for (const std::size_t lines : {2, 3, 16, 17, 1000, 65536}) {
        const Chain chain(lines, Pages::normal);
        std::set<const Line*> met;
        const Line* at = chain.after(0);
        for (std::size_t i = 0; i < lines; ++i) {
            CHECK(at == chain.after(i));
            met.insert(at);
            at = at->next;
        }
        CHECK(at == chain.after(0) && met.size() == lines);
        CHECK(*met.rbegin() - *met.begin() == std::ptrdiff_t(lines) - 1);
        CHECK(chain.fault().empty());
    }
}

// Otherwise the processor would fetch what comes next before it is asked for.
void neighbours_seldom_follow_each_other() {
    const std::size_t lines = 10'000;
    const Chain chain(lines, Pages::normal);
    std::size_t near = 0;
    for (std::size_t i = 0; i < lines; ++i)
        near += std::abs(chain.after(i + 1) - chain.after(i)) <= 4;
    CHECK(near < 30);  // 8 are to be expected
}

void a_link_that_leads_elsewhere_is_found() {
    const Chain chain(100, Pages::normal);
    auto* const line = const_cast<Line*>(chain.after(42));
    line->next = line;
    CHECK(!chain.fault().empty());
}

void any_number_of_hops_ends_where_it_must() {
    const Chain chain(37, Pages::normal);
    for (const std::uint64_t hops : {0, 1, 15, 16, 17, 31, 36, 37, 38, 1000})
        CHECK(hopped(chain.after(5), hops) == chain.after(5 + hops));
}

void a_chase_is_right_and_proved() {
    for (const std::size_t bytes : {192, 4096, 4160, 1 << 20}) {
        const auto made = chase(bytes, Pages::normal);
        made->prepare();
        for (const std::uint64_t batch : {1, 2, 63, 64, 1000}) {
            made->repeat(batch);
            CHECK(made->check());
        }
        CHECK(made->prove().right && made->threads() == 1);
    }
}

void huge_pages_are_given_or_said_to_be_missing() {
    try {
        const auto made = chase(1 << 14, Pages::huge);
        made->prepare();
        made->repeat(100);
        CHECK(made->check() && made->prove().right);
    } catch (const Unavailable& error) {
        CHECK(std::string(error.what()).find("huge pages") != std::string::npos);
    }
}

void a_loaded_chase_is_right_and_tells_what_was_injected() {
    for (const unsigned threads : {2, 3})
        for (const std::uint64_t delay : {0, 1000}) {
            const auto made = loaded(1 << 18, delay, seats(threads));
            auto& observer = dynamic_cast<Observer&>(*made);
            try {
                made->prepare();
            } catch (const Unavailable&) {
                return;
            }
            CHECK(observer.columns() == std::vector<std::string>{"injected B/s"});
            for (int i = 0; i < 3; ++i) {
                CHECK(took_time(observer.observe()));
                CHECK(observer.further().size() == 1 && observer.further()[0] >= 0);
                CHECK(made->check());
            }
            CHECK(made->prove().right && made->threads() == threads);
        }
}

void a_chase_on_a_node_binds_its_lines_and_proves_where_they_lie() {
    for (const std::size_t bytes : {std::size_t{4096}, 2 * huge_page}) {
        const auto thread = std::make_shared<ToldNode>(), memory = std::make_shared<ToldNode>();
        const auto made = chase_on(bytes, thread, memory);
        made->prepare();
        made->repeat(1000);
        const Proof proof = made->prove();
        CHECK(made->check() && proof.right &&
              proof.said.ends_with("Of the cycle, all pages lie here."));
        CHECK(thread->bound.empty() && memory->bound.size() == 1 && memory->asked.size() == 2);
        for (const auto& pages : memory->asked)
            CHECK(memory->was_bound(pages) && pages.size() + 64 >= bytes);
        CHECK(made->about().find("pages") != std::string::npos);
        memory->right = false;
        CHECK(made->check() && !made->prove().right);
    }
}

void a_chase_whose_lines_lie_elsewhere_is_not_measured() {
    const auto thread = std::make_shared<ToldNode>(), memory = std::make_shared<ToldNode>();
    memory->right = false;
    CHECK_THROWS(Unavailable, chase_on(4096, thread, memory)->prepare());
}

void what_cannot_be_is_refused() {
    for (const std::size_t bytes : {std::size_t{0}, std::size_t{64}, std::size_t{100},
                                    std::size_t{4097}, (std::size_t{1} << 38) + 64})
        CHECK_THROWS(std::invalid_argument, chase(bytes, Pages::normal));
    CHECK_THROWS(std::invalid_argument, pages("large"));
    CHECK(pages("huge") == Pages::huge);
    CHECK_THROWS(std::invalid_argument, loaded(1 << 20, 0, seats(1)));
    for (const std::size_t bytes : {512, 1023, 1100})
        CHECK_THROWS(std::invalid_argument, loaded(bytes, 0, seats(2)));
}

}  // namespace

int main() {
    one_cycle_leads_through_every_line();
    neighbours_seldom_follow_each_other();
    a_link_that_leads_elsewhere_is_found();
    any_number_of_hops_ends_where_it_must();
    a_chase_is_right_and_proved();
    huge_pages_are_given_or_said_to_be_missing();
    a_loaded_chase_is_right_and_tells_what_was_injected();
    a_chase_on_a_node_binds_its_lines_and_proves_where_they_lie();
    a_chase_whose_lines_lie_elsewhere_is_not_measured();
    what_cannot_be_is_refused();
}
