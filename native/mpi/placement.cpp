// Ranks of one node agree on the CPUs that any of them may use, and each takes its own of them.
#include "mpi/placement.h"

#include <mpi.h>
#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstddef>
#include <cstdio>
#include <cstring>
#include <map>
#include <utility>

#include "isa/cores.h"

namespace stend::mpi {
namespace {

// No mask of a kernel today is larger.
constexpr std::size_t most_cpus = 8192;
using Mask = std::array<unsigned char, most_cpus / 8>;

struct Seat {
    char host[64];
    int cpu, package;
    int node;   // the least rank of its node
    int there;  // CPUs that the node's ranks may use
    int error;  // of sched_setaffinity
};

class Comm {
public:
    explicit Comm(int rank) {
        MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, rank, MPI_INFO_NULL, &comm_);
    }
    ~Comm() { MPI_Comm_free(&comm_); }
    Comm(const Comm&) = delete;
    Comm& operator=(const Comm&) = delete;

    operator MPI_Comm() const { return comm_; }

private:
    MPI_Comm comm_ = MPI_COMM_NULL;
};

Mask allowed() {
    Mask mask{};
    sched_getaffinity(0, mask.size(), reinterpret_cast<cpu_set_t*>(mask.data()));
    return mask;
}

// Those that any rank of the node was given: a launcher may have bound each to a part.
std::vector<int> cpus_of(MPI_Comm node) {
    Mask mask = allowed();
    MPI_Allreduce(MPI_IN_PLACE, mask.data(), static_cast<int>(mask.size()), MPI_UNSIGNED_CHAR,
                  MPI_BOR, node);
    std::vector<int> cpus;
    for (std::size_t cpu = 0; cpu < most_cpus; ++cpu)
        if (mask[cpu / 8] >> (cpu % 8) & 1) cpus.push_back(static_cast<int>(cpu));
    return cpus;
}

int pin(int cpu) {
    Mask mask{};
    mask[static_cast<std::size_t>(cpu) / 8] = static_cast<unsigned char>(1U << (cpu % 8));
    const int failed =
        sched_setaffinity(0, mask.size(), reinterpret_cast<const cpu_set_t*>(mask.data()));
    if (failed) return errno;
    sched_yield();
    return sched_getcpu() == cpu ? 0 : EBUSY;
}

// The first of each core, then the second ones, and so on.
std::vector<int> one_a_core_first(const Node& node) {
    std::map<int, std::ptrdiff_t> turn;
    for (const int cpu : node.cpus) {
        const std::vector<int> core = node.core_of(cpu);
        turn[cpu] = std::count_if(core.begin(), core.end(), [&](int sibling) {
            return sibling < cpu && std::binary_search(node.cpus.begin(), node.cpus.end(), sibling);
        });
    }
    std::vector<int> ordered = node.cpus;
    std::stable_sort(ordered.begin(), ordered.end(),
                     [&](int a, int b) { return turn[a] < turn[b]; });
    return ordered;
}

// Of each socket, its CPUs in that order.
std::map<int, std::vector<int>> by_package(const Node& node) {
    std::map<int, std::vector<int>> packages;
    for (const int cpu : one_a_core_first(node)) packages[node.package_of(cpu)].push_back(cpu);
    return packages;
}

std::string text(const Seat& seat) {
    std::string socket = seat.package < 0 ? "" : " socket " + std::to_string(seat.package);
    return std::string(seat.host) + " CPU " + std::to_string(seat.cpu) + socket;
}

std::string lacking(Place place, const Seat& seat, int rank) {
    const std::string host(seat.host);
    if (seat.error)
        return "rank " + std::to_string(rank) + " can't sit on CPU " + std::to_string(seat.cpu) +
               " of " + host + ": " + std::strerror(seat.error) + ".";
    if (seat.cpu >= 0) return {};
    if (place == Place::socket) return "no socket of " + host + " has two CPUs for the ranks.";
    if (place == Place::sockets)
        return "the ranks may use CPUs of one socket of " + host +
               " only, and place=sockets needs "
               "two.";
    return "there are " + std::to_string(seat.there) + " CPUs for the ranks on " + host +
           ", too few to give each one of its own; use fewer ranks.";
}

std::string misplaced(Place place, const std::vector<Seat>& seats) {
    for (std::size_t i = 0; i < seats.size(); ++i)
        if (std::string why = lacking(place, seats[i], static_cast<int>(i)); !why.empty())
            return why;
    if (place == Place::cores) return {};
    const Seat &a = seats.front(), &b = seats.back();
    const std::string both = "the ranks sit on " + text(a) + " and " + text(b);
    const bool same_node = a.node == b.node, same_socket = same_node && a.package == b.package;
    if (place == Place::nodes && same_node)
        return both + ", which MPI takes for one node; place=nodes needs two.";
    if (place == Place::sockets && same_socket) return both + ", and not on two sockets.";
    if (place != Place::nodes && !same_node) return both + ", and not on one node.";
    return {};
}

}  // namespace

std::vector<int> seats(Place place, const Node& node, std::size_t ranks) {
    if (place == Place::cores || place == Place::nodes) {
        std::vector<int> taken = one_a_core_first(node);
        taken.resize(std::min(taken.size(), ranks));
        return taken;
    }
    std::vector<int> taken;
    for (const auto& [package, cpus] : by_package(node)) {
        if (place == Place::socket && cpus.size() >= 2) return {cpus[0], cpus[1]};
        if (place == Place::sockets && taken.size() < 2) taken.push_back(cpus[0]);
    }
    return taken.size() == 2 ? taken : std::vector<int>{};
}

std::string take_seats(Place place, std::string& where) {
    int rank = 0, ranks = 0, local = 0, locals = 0, node_of = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    const Comm node(rank);
    MPI_Comm_rank(node, &local);
    MPI_Comm_size(node, &locals);
    MPI_Allreduce(&rank, &node_of, 1, MPI_INT, MPI_MIN, node);

    const std::vector<int> cpus = cpus_of(node);
    const std::vector<int> taken =
        seats(place, {cpus, isa::package_of, isa::core_of}, static_cast<std::size_t>(locals));
    Seat own{};
    gethostname(own.host, sizeof own.host - 1);
    own.node = node_of;
    own.there = static_cast<int>(cpus.size());
    const auto mine = static_cast<std::size_t>(local);
    own.cpu = mine < taken.size() ? taken[mine] : -1;
    own.error = own.cpu < 0 ? 0 : pin(own.cpu);
    own.package = own.cpu < 0 ? -1 : isa::package_of(own.cpu);

    std::vector<Seat> all(static_cast<std::size_t>(ranks));
    MPI_Allgather(&own, sizeof own, MPI_BYTE, all.data(), sizeof own, MPI_BYTE, MPI_COMM_WORLD);
    for (std::size_t i = 0; i < all.size(); ++i)
        where += (i ? ", rank " : "rank ") + std::to_string(i) + " on " + text(all[i]);
    return misplaced(place, all);
}

}  // namespace stend::mpi
