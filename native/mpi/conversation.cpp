// Lines of words between tabs: questions on rank 0's standard input, answers on its output.
#include "mpi/conversation.h"

#include <mpi.h>
#include <sched.h>
#include <sys/resource.h>
#include <time.h>

#include <algorithm>
#include <cinttypes>
#include <cstdint>
#include <cstdio>
#include <iostream>
#include <limits>
#include <sstream>
#include <vector>

#include "mpi/own_clock.h"

namespace stend::mpi {
namespace {

constexpr std::int64_t never = std::numeric_limits<std::int64_t>::max();

struct Question {
    enum Kind : std::int64_t { leave, collect, prove } kind = leave;
    std::int64_t batch = 1, count = 1;
    double seconds = 0;
};

Question read() {
    Question asked;
    std::string line, word;
    if (!std::getline(std::cin, line)) return asked;
    std::istringstream words(line);
    words >> word;
    if (word == "prove") asked.kind = Question::prove;
    if (word == "collect" && words >> asked.batch >> asked.count >> asked.seconds)
        asked.kind = Question::collect;
    return asked;
}

// What rank 0 is asked, told to all. The others look for it now and then, so that they leave
// their CPUs to whoever decides what to ask next.
Question next_question(int rank) {
    constexpr timespec pause{0, 100'000};
    Question asked;
    if (rank == 0) asked = read();
    MPI_Request request;
    MPI_Ibcast(&asked, sizeof asked, MPI_BYTE, 0, MPI_COMM_WORLD, &request);
    for (int done = 0;;) {
        MPI_Test(&request, &done, MPI_STATUS_IGNORE);
        if (done) return asked;
        if (rank != 0) nanosleep(&pause, nullptr);
    }
}

// One answer: a line that begins where no other program's line is cut, and that nobody else
// begins so.
void tell(const std::string& words) {
    std::fputs("\nstend\t", stdout);
    std::fputs(words.c_str(), stdout);
    std::fputc('\n', stdout);
}

// A column in lines of a bearable length.
template <typename Value>
void tell_column(const std::string& name, const std::vector<Value>& values) {
    constexpr std::size_t a_line = 200;
    for (std::size_t i = 0; i < values.size(); i += a_line) {
        std::ostringstream line;
        line.precision(12);
        line << "column\t" << name << '\t';
        for (std::size_t k = i; k < std::min(values.size(), i + a_line); ++k)
            line << values[k] << ' ';
        tell(line.str());
    }
}

long interruptions() {
    rusage used;
    getrusage(RUSAGE_SELF, &used);
    return used.ru_nivcsw;
}

// What one rank saw of its repetitions.
struct Seen {
    std::vector<std::int64_t> started, took;
    std::vector<std::int32_t> core;
    std::vector<std::int32_t> preempted;
    std::int64_t first_wrong = never;
};

class Conversation {
public:
    Conversation(Operation& operation, const Size& size, std::int64_t zero)
        : operation_(operation), size_(size), zero_(zero), overhead_(overhead()) {}

    std::int64_t clock_overhead() const { return overhead_; }

    void collect(const Question& asked) {
        Seen seen = repeated(asked);
        std::int64_t first_wrong = never;
        MPI_Allreduce(&seen.first_wrong, &first_wrong, 1, MPI_INT64_T, MPI_MIN, MPI_COMM_WORLD);
        const std::size_t kept =
            std::min<std::size_t>(seen.took.size(), static_cast<std::size_t>(first_wrong) + 1);
        seen.took.resize(kept);
        seen.preempted.resize(kept);
        const std::vector<std::int64_t> all_took = gathered(seen.took);
        MPI_Reduce(size_.rank == 0 ? MPI_IN_PLACE : seen.preempted.data(), seen.preempted.data(),
                   static_cast<int>(kept), MPI_INT32_T, MPI_MAX, 0, MPI_COMM_WORLD);
        if (size_.rank == 0) answer(asked, seen, kept, all_took, first_wrong == never);
    }

    void prove() {
        operation_.fresh(++number_, Extent::whole);
        operation_.run(1);
        int first_wrong = operation_.arrived(number_, Extent::whole) ? size_.ranks : size_.rank;
        MPI_Allreduce(MPI_IN_PLACE, &first_wrong, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
        if (size_.rank == 0)
            tell(first_wrong == size_.ranks ? "proof\tright\t"
                                            : "proof\twrong\t" + std::to_string(first_wrong));
    }

private:
    // All ranks make as many, as rank 0 decides by its own clock.
    Seen repeated(const Question& asked) {
        Seen seen;
        const std::int64_t end = now() + static_cast<std::int64_t>(asked.seconds * 1e9);
        int go_on = 1;
        for (std::int64_t made = 0; made < asked.count; ++made) {
            operation_.fresh(++number_, Extent::words);
            go_on = made == 0 || now() < end;
            MPI_Bcast(&go_on, 1, MPI_INT, 0, MPI_COMM_WORLD);
            if (!go_on) break;
            once(asked, seen);
        }
        return seen;
    }

    void once(const Question& asked, Seen& seen) {
        const long before = interruptions();
        seen.started.push_back(now() - zero_);
        seen.took.push_back(operation_.run(static_cast<std::uint64_t>(asked.batch)));
        seen.preempted.push_back(interruptions() != before);
        seen.core.push_back(sched_getcpu());
        if (!operation_.arrived(number_, Extent::words) && seen.first_wrong == never)
            seen.first_wrong = static_cast<std::int64_t>(seen.took.size()) - 1;
    }

    // On rank 0: rank after rank, each with its clock's overhead taken off unless it is spread
    // over a batch.
    std::vector<std::int64_t> gathered(std::vector<std::int64_t> took) {
        std::vector<std::int64_t> all(size_.rank == 0 ? took.size() * ranks() : 0);
        if (!operation_.batched())
            for (std::int64_t& each : took) each = std::max<std::int64_t>(1, each - overhead_);
        MPI_Gather(took.data(), static_cast<int>(took.size()), MPI_INT64_T, all.data(),
                   static_cast<int>(took.size()), MPI_INT64_T, 0, MPI_COMM_WORLD);
        return all;
    }

    void answer(const Question& asked, const Seen& seen, std::size_t kept,
                const std::vector<std::int64_t>& all_took, bool right) {
        const double scale = 1e-9 * operation_.share() / static_cast<double>(asked.batch);
        std::vector<std::vector<double>> own(ranks(), std::vector<double>(kept));
        std::vector<double> values(kept), repetition(ranks());
        for (std::size_t i = 0; i < kept; ++i) {
            for (std::size_t r = 0; r < ranks(); ++r)
                repetition[r] = own[r][i] = scale * static_cast<double>(all_took[r * kept + i]);
            values[i] = operation_.value(repetition);
        }
        tell_column("started", first(seen.started, kept));
        tell_column("ticks", seen.took);
        tell_column("core", first(seen.core, kept));
        tell_column("preempted", seen.preempted);
        if (!operation_.batched()) tell_column("value", values);
        for (std::size_t r = 0; r < ranks(); ++r)
            tell_column("rank " + std::to_string(r) + " s", own[r]);
        tell(right ? "collected\tright" : "collected\twrong");
    }

    template <typename Value>
    static std::vector<Value> first(const std::vector<Value>& column, std::size_t kept) {
        return {column.begin(), column.begin() + static_cast<std::ptrdiff_t>(kept)};
    }

    std::size_t ranks() const { return static_cast<std::size_t>(size_.ranks); }

    Operation& operation_;
    const Size size_;
    const std::int64_t zero_, overhead_;
    std::uint64_t number_ = 0;
};

std::string library() {
    char version[MPI_MAX_LIBRARY_VERSION_STRING] = "";
    int length = 0;  // Open MPI counts the closing zero
    MPI_Get_library_version(version, &length);
    std::string line(version);
    line = line.substr(0, line.find('\n'));
    std::replace(line.begin(), line.end(), '\t', ' ');
    return line;
}

}  // namespace

void refuse(const std::string& why) {
    tell("refused\t" + why);
    std::fflush(stdout);
}

void converse(Operation& operation, const Size& size, const std::string& where) {
    const std::int64_t zero = now();
    Conversation conversation(operation, size, zero);
    if (size.rank == 0)
        tell("ready\t" + library() + "\t" + where + "\t" +
             std::to_string(conversation.clock_overhead()));
    for (;;) {
        std::fflush(stdout);
        const Question asked = next_question(size.rank);
        if (asked.kind == Question::leave) return;
        if (asked.kind == Question::prove)
            conversation.prove();
        else
            conversation.collect(asked);
    }
}

}  // namespace stend::mpi
