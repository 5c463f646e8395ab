// stend-mpi OPERATION BYTES WINDOW PLACE: ranks that communicate, time it, and answer what rank 0
// is asked (README.md). Built against the site's own MPI on first use.
#include <mpi.h>
#include <signal.h>
#include <sys/prctl.h>

#include <cstdlib>
#include <memory>
#include <new>
#include <stdexcept>
#include <string>
#include <utility>

#include "mpi/conversation.h"
#include "mpi/operation.h"
#include "mpi/placement.h"

using namespace stend::mpi;

namespace {

struct Words {
    std::string operation, place;
    Size size;
};

bool understood(int count, char** words, Words& said, Place& place) {
    if (count != 5) return false;
    said.operation = words[1];
    said.size.bytes = std::strtoull(words[2], nullptr, 10);
    said.size.window = std::strtoull(words[3], nullptr, 10);
    said.place = words[4];
    const std::pair<const char*, Place> places[] = {{"socket", Place::socket},
                                                    {"sockets", Place::sockets},
                                                    {"nodes", Place::nodes},
                                                    {"cores", Place::cores}};
    for (const auto& [name, means] : places) {
        place = means;
        if (said.place == name) return true;
    }
    return false;
}

std::unique_ptr<Operation> made(const std::string& name, const Size& size) {
    if (auto found = pair_of(name, size)) return found;
    if (auto found = one_sided(name, size)) return found;
    return collective(name, size);
}

// What the ranks do between MPI_Init and MPI_Finalize; the sentence of why they can't.
std::string work(Words said, Place place) {
    MPI_Comm_rank(MPI_COMM_WORLD, &said.size.rank);
    MPI_Comm_size(MPI_COMM_WORLD, &said.size.ranks);
    std::string where;
    std::string wrong = take_seats(place, where);
    if (wrong.empty() && place != Place::cores && said.size.ranks != 2)
        wrong = "two ranks were to be started and " + std::to_string(said.size.ranks) + " were.";
    if (!wrong.empty()) return wrong;
    const std::unique_ptr<Operation> operation = made(said.operation, said.size);
    if (!operation) return "there is no operation " + said.operation + ".";
    converse(*operation, said.size, where);
    return {};
}

}  // namespace

int main(int count, char** words) {
    // When the launcher's part on this host is gone, so is the rank, wherever it hangs.
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    Words said;
    Place place{};
    if (!understood(count, words, said, place)) return 2;
    MPI_Init(&count, &words);
    int rank = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    try {
        const std::string wrong = work(said, place);
        if (rank == 0 && !wrong.empty()) refuse(wrong);
    } catch (const std::runtime_error& lacking) {  // on all ranks
        if (rank == 0) refuse(lacking.what());
    } catch (const std::bad_alloc&) {
        refuse("rank " + std::to_string(rank) + " found no memory for messages of " +
               std::to_string(said.size.bytes) + " bytes.");
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    MPI_Finalize();
    return 0;
}
