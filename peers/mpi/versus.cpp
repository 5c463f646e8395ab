// versus LABEL OPERATION BYTES TIMES PAIRS PLACE: the plain loop and stend's operation, by turns in
// one process on the same CPUs and, one after the other, in the same memory, each first in turn.
// Each line: LABEL OPERATION BYTES 1, the plain loop's seconds and stend's (the median of its
// repetitions), and stend's 99th and 99.9th percentiles of all of them.
#include <malloc.h>
#include <mpi.h>

#include <algorithm>
#include <array>
#include <climits>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <string>
#include <vector>

#include "mpi/operation.h"
#include "mpi/own_clock.h"
#include "mpi/placement.h"
#include "plain.h"

using namespace stend::mpi;

namespace {

// What has been freed stays on the heap for whoever comes next: pages of other addresses, or
// other pages, would be another draw of places in the caches.
void keep_freed_memory() {
    mallopt(M_MMAP_MAX, 0);
    mallopt(M_TRIM_THRESHOLD, INT_MAX);
    mallopt(M_TOP_PAD, 64 << 20);
}

// The least that so great a share of the values, sorted, does not exceed; none of fewer than ten
// beyond it.
double percentile(const std::vector<double>& sorted, double share) {
    const double beyond = (1 - share) * static_cast<double>(sorted.size());
    if (beyond < 10) return std::nan("");
    return sorted[sorted.size() - 1 - static_cast<std::size_t>(beyond)];
}

double median(std::vector<double> values) {
    std::nth_element(values.begin(), values.begin() + values.size() / 2, values.end());
    return values[values.size() / 2];
}

class Ours {
public:
    explicit Ours(const std::string& name, const Size& size) : name_(name), size_(size) {}

    // As conversation.cpp does it: fresh contents, the timing, the comparison; after one
    // repetition that does not count, as in the plain loops.
    double turn(int times, bool counts) {
        const auto operation =
            name_ == "pingpong" ? pair_of(name_, size_) : collective(name_, size_);
        repetition(*operation);
        std::vector<double> values;
        for (int i = 0; i < times; ++i) values.push_back(repetition(*operation));
        if (counts) all_.insert(all_.end(), values.begin(), values.end());
        return median(values);
    }

    std::vector<double> sorted() {
        std::sort(all_.begin(), all_.end());
        return all_;
    }

private:
    double repetition(Operation& operation) {
        std::vector<double> own(static_cast<std::size_t>(size_.ranks));
        operation.fresh(++number_, Extent::words);
        int go_on = 1;
        MPI_Bcast(&go_on, 1, MPI_INT, 0, MPI_COMM_WORLD);
        const double mine =
            1e-9 * operation.share() * static_cast<double>(operation.run(1) - overhead_ns_);
        if (!operation.arrived(number_, Extent::words)) std::abort();
        MPI_Gather(&mine, 1, MPI_DOUBLE, own.data(), 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
        return operation.value(own);
    }

    const std::string name_;
    const Size size_;
    const std::int64_t overhead_ns_ = overhead();
    std::uint64_t number_ = 0;
    std::vector<double> all_;
};

using Plain = double (*)(std::size_t, int);

const std::map<std::string, Plain> plain_loops{
    {"pingpong", plain_pingpong},   {"pingpong,alone", plain_pingpong_alone},
    {"barrier", plain_barrier},     {"barrier,alone", plain_barrier_alone},
    {"allreduce", plain_allreduce}, {"allreduce,alone", plain_allreduce_alone}};

double theirs(Plain plain, std::size_t bytes, int times) {
    plain_prepare(bytes);
    const double seconds = plain(bytes, times);
    plain_release();
    return seconds;
}

}  // namespace

int main(int count, char** words) {
    keep_freed_memory();
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
    Ours ours(name.substr(0, name.find(',')), size);
    std::vector<std::array<double, 2>> seen;
    for (int pair = -2; pair < pairs; ++pair) {
        std::array<double, 2> seconds{};
        for (const int side : {pair & 1, 1 - (pair & 1)})
            seconds[side] = side == 0 ? theirs(plain_loops.at(name), size.bytes, times)
                                      : ours.turn(times, pair >= 0);
        if (pair >= 0) seen.push_back(seconds);
    }
    const std::vector<double> sorted = ours.sorted();
    for (const auto& [plain, stend] : seen)
        if (size.rank == 0)
            std::printf("%s %s %zu 1 %.9g %.9g %.9g %.9g\n", label.c_str(), name.c_str(),
                        size.bytes, plain, stend, percentile(sorted, 0.99),
                        percentile(sorted, 0.999));
    MPI_Finalize();
}
