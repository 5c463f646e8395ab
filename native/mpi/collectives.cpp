// Operations of all ranks. A barrier, untimed, comes before each; what it leaves of a difference
// between the ranks is part of their own durations. The value is the slowest rank's.
#include <mpi.h>
#include <time.h>

#include <algorithm>

#include "mpi/operation.h"
#include "mpi/own_clock.h"

namespace stend::mpi {
namespace {

class Collective : public Operation {
public:
    explicit Collective(const Size& size) : size_(size), count_(static_cast<int>(size.bytes)) {}

    std::int64_t run(std::uint64_t) override {
        MPI_Barrier(MPI_COMM_WORLD);
        const std::int64_t begin = now();
        together();
        return now() - begin;
    }

    double value(const std::vector<double>& seconds) const override {
        return *std::max_element(seconds.begin(), seconds.end());
    }

protected:
    virtual void together() = 0;

    const Size size_;
    const int count_;
};

// Carries nothing. That nobody leaves before everybody came is proved by letting each come late:
// who has left says so, and nobody may have said so to a rank that is still to come. So a rank that
// the scheduler held up proves nothing against the barrier.
class Barrier final : public Collective {
public:
    using Collective::Collective;

    void fresh(std::uint64_t, Extent) override {}

    bool arrived(std::uint64_t, Extent extent) override {
        bool right = true;
        const int latecomers = extent == Extent::whole ? std::min(size_.ranks, most_latecomers) : 0;
        for (int late = 0; late < latecomers; ++late) right &= waits_for(late);
        return right;
    }

private:
    static constexpr int most_latecomers = 4;
    static constexpr std::int64_t lateness = 20'000'000;  // ns; many times what leaving takes
    static constexpr int left = 7;                        // the tag of those that have left

    void together() override { MPI_Barrier(MPI_COMM_WORLD); }

    bool waits_for(int late) {
        const bool right = size_.rank != late || nobody_leaves();
        MPI_Barrier(MPI_COMM_WORLD);
        if (size_.rank != late)
            MPI_Send(nullptr, 0, MPI_BYTE, late, left, MPI_COMM_WORLD);
        else
            for (int others = 1; others < size_.ranks; ++others)
                MPI_Recv(nullptr, 0, MPI_BYTE, MPI_ANY_SOURCE, left, MPI_COMM_WORLD,
                         MPI_STATUS_IGNORE);
        return right;
    }

    // While this rank does not come.
    static bool nobody_leaves() {
        const timespec pause{0, 100'000};
        int said = 0;
        for (const std::int64_t begin = now(); !said && now() - begin < lateness;) {
            MPI_Iprobe(MPI_ANY_SOURCE, left, MPI_COMM_WORLD, &said, MPI_STATUS_IGNORE);
            nanosleep(&pause, nullptr);
        }
        return !said;
    }
};

// Rank 0's message to all.
class Bcast final : public Collective {
public:
    explicit Bcast(const Size& size) : Collective(size), message_(memory(size.bytes)) {}

    void fresh(std::uint64_t number, Extent extent) override {
        if (size_.rank == 0) fill(message_.get(), size_.bytes, seed(0, 0), number, extent);
    }
    bool arrived(std::uint64_t number, Extent extent) override {
        return holds(message_.get(), size_.bytes, seed(0, 0), number, extent);
    }

private:
    void together() override { MPI_Bcast(message_.get(), count_, MPI_BYTE, 0, MPI_COMM_WORLD); }

    Memory message_;
};

// The sum of every rank's numbers: whole ones, so that it is exact in any order.
class Allreduce final : public Collective {
public:
    explicit Allreduce(const Size& size)
        : Collective(size),
          own_(size.bytes / sizeof(double), 1.0),
          sums_(size.bytes / sizeof(double)) {}

    void fresh(std::uint64_t number, Extent extent) override {
        at(number, extent, [&](std::size_t i) { own_[i] = (size_.rank + 1) * term(i, number); });
    }

    bool arrived(std::uint64_t number, Extent extent) override {
        const double shares = 0.5 * size_.ranks * (size_.ranks + 1);
        bool right = true;
        at(number, extent, [&](std::size_t i) { right &= sums_[i] == shares * term(i, number); });
        return right;
    }

private:
    static double term(std::size_t i, std::uint64_t number) {
        return static_cast<double>((i + number) % 8191 + 1);
    }

    // As in payload.h: all, or a few that change places.
    template <typename Each>
    void at(std::uint64_t number, Extent extent, Each each) const {
        const std::size_t n = own_.size(), few = extent == Extent::whole || n <= 8 ? n : 4;
        for (std::size_t i = 0; i < few; ++i)
            each(few == n ? i : (i * (n - 1) / 3 + (i % 3 ? number : 0)) % n);
    }

    void together() override {
        MPI_Allreduce(own_.data(), sums_.data(), static_cast<int>(own_.size()), MPI_DOUBLE, MPI_SUM,
                      MPI_COMM_WORLD);
    }

    std::vector<double> own_, sums_;
};

// A block to or from each rank.
class Blocks : public Collective {
public:
    Blocks(const Size& size, int sent, int received)
        : Collective(size),
          sent_blocks_(sent),
          received_blocks_(received),
          sent_(memory(blocks(sent) * size.bytes)),
          received_(memory(blocks(received) * size.bytes)) {}

    void fresh(std::uint64_t number, Extent extent) override {
        for (int to = 0; to < sent_blocks_; ++to)
            fill(sent_.get() + blocks(to) * size_.bytes, size_.bytes, seed(size_.rank, to), number,
                 extent);
    }

    bool arrived(std::uint64_t number, Extent extent) override {
        bool right = true;
        for (int from = 0; from < received_blocks_; ++from)
            right &= holds(received_.get() + blocks(from) * size_.bytes, size_.bytes,
                           seed(from, sent_blocks_ > 1 ? size_.rank : 0), number, extent);
        return right;
    }

protected:
    const std::byte* sent() const { return sent_.get(); }
    std::byte* received() { return received_.get(); }

private:
    static std::size_t blocks(int count) { return static_cast<std::size_t>(count); }

    const int sent_blocks_, received_blocks_;
    Memory sent_, received_;
};

class Alltoall final : public Blocks {
public:
    explicit Alltoall(const Size& size) : Blocks(size, size.ranks, size.ranks) {}

private:
    void together() override {
        MPI_Alltoall(sent(), count_, MPI_BYTE, received(), count_, MPI_BYTE, MPI_COMM_WORLD);
    }
};

// Every rank's block to rank 0.
class Gather final : public Blocks {
public:
    explicit Gather(const Size& size) : Blocks(size, 1, size.rank == 0 ? size.ranks : 0) {}

private:
    void together() override {
        MPI_Gather(sent(), count_, MPI_BYTE, received(), count_, MPI_BYTE, 0, MPI_COMM_WORLD);
    }
};

}  // namespace

std::unique_ptr<Operation> collective(const std::string& name, const Size& size) {
    if (name == "barrier") return std::make_unique<Barrier>(size);
    if (name == "bcast") return std::make_unique<Bcast>(size);
    if (name == "allreduce") return std::make_unique<Allreduce>(size);
    if (name == "alltoall") return std::make_unique<Alltoall>(size);
    if (name == "gather") return std::make_unique<Gather>(size);
    return nullptr;
}

}  // namespace stend::mpi
