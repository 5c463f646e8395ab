// Where ranks sit. Each pins itself by a rule, so that they sit the same way under every launcher
// and whatever that would have done; and it is said where each of them sits.
#pragma once

#include <string>
#include <vector>

namespace stend::mpi {

enum class Place {
    socket,   // two ranks on two cores of one socket
    sockets,  // two ranks of one node, on the first core of each of two sockets
    nodes,    // one rank a node
    cores     // each rank on a CPU of its own, no core shared while one is free
};

// The CPUs of one node by their numbers, ascending, with their cores and sockets.
struct Node {
    std::vector<int> cpus;
    int (*package_of)(int cpu);
    std::vector<int> (*core_of)(int cpu);
};

// The CPU that each of `ranks` ranks of a node takes by the rule; fewer where CPUs lack.
std::vector<int> seats(Place place, const Node& node, std::size_t ranks);

// Pins every rank of MPI_COMM_WORLD. Called by all; each gets what is wrong (empty: nothing), a
// sentence, and on rank 0 `where` becomes a line on all ranks.
std::string take_seats(Place place, std::string& where);

}  // namespace stend::mpi
