// versus LABEL OPERATION BYTES TIMES PAIRS PLACE FIRST: the plain loop and stend's operation, back
// to back in one process on the same CPUs, each first in turn. Each line: LABEL OPERATION BYTES 1,
// the plain loop's seconds and stend's (the median of its repetitions).
#include <mpi.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "mpi/operation.h"
#include "mpi/own_clock.h"
#include "mpi/placement.h"
#include "plain.h"

using namespace stend::mpi;

namespace {

// As conversation.cpp does it: fresh contents, the timing, the comparison.
double ours(Operation& operation, const Size& size, int times, std::uint64_t& number,
            std::int64_t overhead_ns) {
    std::vector<double> values, own(static_cast<std::size_t>(size.ranks));
    for (int i = 0; i < times; ++i) {
        operation.fresh(++number, Extent::words);
        int go_on = 1;
        MPI_Bcast(&go_on, 1, MPI_INT, 0, MPI_COMM_WORLD);
        const double mine =
            1e-9 * operation.share() * static_cast<double>(operation.run(1) - overhead_ns);
        if (!operation.arrived(number, Extent::words)) std::abort();
        MPI_Gather(&mine, 1, MPI_DOUBLE, own.data(), 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
        values.push_back(operation.value(own));
    }
    std::nth_element(values.begin(), values.begin() + values.size() / 2, values.end());
    return values[values.size() / 2];
}

}  // namespace

int main(int count, char** words) {
    MPI_Init(&count, &words);
    const std::string label = words[1], name = words[2], place = words[6];
    Size size{std::strtoull(words[3], nullptr, 10), 64, 0, 2};
    const int times = std::atoi(words[4]), pairs = std::atoi(words[5]);
    MPI_Comm_rank(MPI_COMM_WORLD, &size.rank);
    std::string where;
    const std::string wrong = take_seats(place == "nodes" ? Place::nodes : Place::socket, where);
    if (!wrong.empty()) {
        std::fprintf(stderr, "%s\n", wrong.c_str());
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    if (words[7] == std::string("plain")) plain_prepare(size.bytes);
    const auto operation = name == "pingpong" ? pair_of(name, size) : collective(name, size);
    if (words[7] != std::string("plain")) plain_prepare(size.bytes);
    const auto plain = name == "pingpong"  ? plain_pingpong
                       : name == "barrier" ? plain_barrier
                                           : plain_allreduce;
    const std::int64_t overhead_ns = overhead();
    std::uint64_t number = 0;
    for (int pair = -2; pair < pairs; ++pair) {
        double seconds[2];
        for (const int side : {pair & 1, 1 - (pair & 1)})
            seconds[side] = side == 0 ? plain(size.bytes, times)
                                      : ours(*operation, size, times, number, overhead_ns);
        if (size.rank == 0 && pair >= 0)
            std::printf("%s %s %zu 1 %.9g %.9g\n", label.c_str(), name.c_str(), size.bytes,
                        seconds[0], seconds[1]);
    }
    MPI_Finalize();
}
