// Messages between two ranks. Where one leads and the other answers, they take turns, so that
// each times a round trip of its own; before its turn the leader is told that the other waits.
#include <mpi.h>

#include <algorithm>

#include "mpi/operation.h"
#include "mpi/own_clock.h"

namespace stend::mpi {
namespace {

constexpr int ready_tag = 1, data_tag = 2, answer_tag = 3;

class Pair : public Operation {
public:
    Pair(const Size& size, std::size_t slots)
        : size_(size),
          slots_(slots),
          other_(1 - size.rank),
          count_(static_cast<int>(size.bytes)),
          sent_(memory(slots * size.bytes)),
          received_(memory(slots * size.bytes)) {}

    void fresh(std::uint64_t number, Extent extent) override {
        for (std::size_t i = 0; i < slots_; ++i)
            fill(sent(i), size_.bytes, seed(size_.rank, other_) + (i << 8), number, extent);
    }

    bool arrived(std::uint64_t number, Extent extent) override {
        bool right = complete_;
        complete_ = true;
        for (std::size_t i = 0; i < slots_; ++i)
            right &= holds(received(i), size_.bytes, seed(other_, size_.rank) + (i << 8), number,
                           extent);
        return right;
    }

protected:
    std::byte* sent(std::size_t slot) { return sent_.get() + slot * size_.bytes; }
    std::byte* received(std::size_t slot) { return received_.get() + slot * size_.bytes; }

    // Both lead once, rank 0 first; what this rank's own turn took.
    template <typename Lead, typename Follow>
    std::int64_t take_turns(Lead lead, Follow follow) {
        std::int64_t took = 0;
        for (int leader = 0; leader < 2; ++leader) {
            if (leader == size_.rank)
                took = lead();
            else
                follow();
        }
        return took;
    }

    void tell_ready() { MPI_Send(nullptr, 0, MPI_BYTE, other_, ready_tag, MPI_COMM_WORLD); }
    void await_ready() {
        MPI_Recv(nullptr, 0, MPI_BYTE, other_, ready_tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }

    // A shorter message would leave a part of the old contents, which only sampling might miss.
    void expect_whole(MPI_Status& status) {
        int bytes = 0;
        MPI_Get_count(&status, MPI_BYTE, &bytes);
        complete_ &= bytes == count_;
    }

    const Size size_;
    const std::size_t slots_;
    const int other_, count_;

private:
    Memory sent_, received_;
    bool complete_ = true;
};

// One message there, one back.
class PingPong final : public Pair {
public:
    explicit PingPong(const Size& size) : Pair(size, 1) {}

    std::int64_t run(std::uint64_t) override {
        return take_turns([this] { return lead(); }, [this] { follow(); });
    }

    double value(const std::vector<double>& seconds) const override { return seconds[0]; }
    double share() const override { return 0.5; }

private:
    std::int64_t lead() {
        MPI_Status status;
        await_ready();
        const std::int64_t begin = now();
        MPI_Send(sent(0), count_, MPI_BYTE, other_, data_tag, MPI_COMM_WORLD);
        MPI_Recv(received(0), count_, MPI_BYTE, other_, data_tag, MPI_COMM_WORLD, &status);
        const std::int64_t end = now();
        expect_whole(status);
        return end - begin;
    }

    void follow() {
        MPI_Status status;
        tell_ready();
        MPI_Recv(received(0), count_, MPI_BYTE, other_, data_tag, MPI_COMM_WORLD, &status);
        MPI_Send(sent(0), count_, MPI_BYTE, other_, data_tag, MPI_COMM_WORLD);
        expect_whole(status);
    }
};

// Both send and receive at once.
class Bidirectional final : public Pair {
public:
    explicit Bidirectional(const Size& size) : Pair(size, 1) {}

    std::int64_t run(std::uint64_t) override {
        MPI_Request both[2];
        MPI_Status statuses[2];
        MPI_Barrier(MPI_COMM_WORLD);
        const std::int64_t begin = now();
        MPI_Irecv(received(0), count_, MPI_BYTE, other_, data_tag, MPI_COMM_WORLD, &both[0]);
        MPI_Isend(sent(0), count_, MPI_BYTE, other_, data_tag, MPI_COMM_WORLD, &both[1]);
        MPI_Waitall(2, both, statuses);
        const std::int64_t end = now();
        expect_whole(statuses[0]);
        return end - begin;
    }

    double value(const std::vector<double>& seconds) const override {
        return 2.0 * static_cast<double>(size_.bytes) / std::max(seconds[0], seconds[1]);
    }
};

// A window of messages, which the receiver awaits already, and one answer when all are there.
class MessageRate final : public Pair {
public:
    explicit MessageRate(const Size& size) : Pair(size, size.window), requests_(size.window) {}

    std::int64_t run(std::uint64_t) override {
        return take_turns([this] { return lead(); }, [this] { follow(); });
    }

    double value(const std::vector<double>& seconds) const override {
        return static_cast<double>(slots_) / seconds[0];
    }

private:
    std::int64_t lead() {
        await_ready();
        const std::int64_t begin = now();
        for (std::size_t i = 0; i < slots_; ++i)
            MPI_Isend(sent(i), count_, MPI_BYTE, other_, data_tag, MPI_COMM_WORLD, &requests_[i]);
        wait_for_all();
        MPI_Recv(nullptr, 0, MPI_BYTE, other_, answer_tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        return now() - begin;
    }

    void follow() {
        for (std::size_t i = 0; i < slots_; ++i)
            MPI_Irecv(received(i), count_, MPI_BYTE, other_, data_tag, MPI_COMM_WORLD,
                      &requests_[i]);
        tell_ready();
        wait_for_all();
        MPI_Send(nullptr, 0, MPI_BYTE, other_, answer_tag, MPI_COMM_WORLD);
    }

    void wait_for_all() {
        MPI_Waitall(static_cast<int>(slots_), requests_.data(), MPI_STATUSES_IGNORE);
    }

    std::vector<MPI_Request> requests_;
};

}  // namespace

std::unique_ptr<Operation> pair_of(const std::string& name, const Size& size) {
    if (name == "pingpong") return std::make_unique<PingPong>(size);
    if (name == "bidirectional") return std::make_unique<Bidirectional>(size);
    if (name == "message_rate") return std::make_unique<MessageRate>(size);
    return nullptr;
}

}  // namespace stend::mpi
