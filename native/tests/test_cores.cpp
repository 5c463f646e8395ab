// A hop needs the one before it; rows tell a time for every other CPU; what was left out is found.
#include <thread>

#include "check.h"
#include "kernels/cores/cores.h"
#include "kernels/cores/hops.h"
#include "kernels/cores/partner.h"
#include "team/seat.h"

using namespace stend;
using namespace stend::cores;

namespace {

double observed(Kernel& kernel) {
    return dynamic_cast<Observer&>(kernel).observe();
}

void a_number_goes_to_and_fro() {
    alignas(128) Number line = 0;
    std::thread other([&] { hop(line, 1, 1000); });
    hop(line, 0, 1000);
    other.join();
    CHECK(line == 2000);
}

void a_hop_out_of_turn_waits_for_its_number() {
    alignas(128) Number line = 6;
    std::thread later([&] { hop(line, 8, 1); });
    hop(line, 6, 1);
    hop(line, 7, 1);
    later.join();
    CHECK(line == 9);
}

void a_partner_goes_where_it_is_sent() {
    alignas(128) Number line = 0;
    Partner partner;
    for (const int cpu : usable_cpus()) {
        const Number first = line;
        CHECK(partner.meet({cpu, &line, first + 1, 10}));
        hop(line, first, 10);
        partner.part();
        CHECK(line == first + 20);
    }
    CHECK(partner.hops() == 10 * usable_cpus().size());
    CHECK(!partner.meet({1 << 20, &line, line + 1, 10}));
    CHECK(partner.fault().find("CPU 1048576") != std::string::npos);
}

void a_row_tells_the_way_to_every_other_cpu() {
    const auto cpus = usable_cpus();
    for (const int cpu : {cpus.front(), cpus.back()}) {
        const auto made = row(cpu);
        made->prepare();
        CHECK(made->check() && made->prove().right);
        for (int i = 0; i < 3; ++i) {
            const double median = observed(*made);
            CHECK(made->check() && made->further().size() == cpus.size() - 1);
            double least = 1, most = 0;
            for (const double time : made->further()) {
                least = std::min(least, time);
                most = std::max(most, time);
            }
            CHECK(least > 0 && least <= median && median <= most);
        }
        CHECK(made->prove().right && made->threads() == 2);
        CHECK(made->columns().size() == cpus.size() - 1);
        for (const std::string& name : made->columns())
            CHECK(name != "to CPU " + std::to_string(cpu) + " s");
    }
}

void a_cpu_without_others_is_told_of() {
    const Seat seat = sit(usable_cpus().front());
    std::thread([] {  // this thread may use that CPU alone
        const auto made = row(usable_cpus().front());
        CHECK_THROWS(Unavailable, made->prepare());
    })
        .join();
}

void a_cpu_that_may_not_be_used_is_refused() {
    CHECK_THROWS(std::invalid_argument, row(1 << 20)->prepare());
}

}  // namespace

int main() {
    a_number_goes_to_and_fro();
    a_hop_out_of_turn_waits_for_its_number();
    a_cpu_without_others_is_told_of();
    if (usable_cpus().size() < 2) return 0;
    a_partner_goes_where_it_is_sent();
    a_row_tells_the_way_to_every_other_cpu();
    a_cpu_that_may_not_be_used_is_refused();
}
