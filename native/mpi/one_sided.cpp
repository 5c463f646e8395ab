// One rank writes or reads the other's memory (MPI-3 passive target: put or get, then flush). The
// ranks take turns; the one whose memory it is waits in MPI, so that MPI can make progress.
#include <mpi.h>

#include <algorithm>
#include <cstring>
#include <stdexcept>
#include <string>

#include "mpi/operation.h"
#include "mpi/own_clock.h"

namespace stend::mpi {
namespace {

constexpr int ready_tag = 1, done_tag = 2;

// Memory that the other rank may access, from the beginning to the end of its life.
class Window {
public:
    explicit Window(std::size_t bytes) {
        const auto size = static_cast<MPI_Aint>(std::max(bytes, smallest));
        MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
        const int failed =
            MPI_Win_allocate(size, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &memory_, &window_);
        MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
        if (failed) throw std::runtime_error(why(failed));
        std::memset(memory_, 0, bytes);
        MPI_Win_lock_all(MPI_MODE_NOCHECK, window_);
        MPI_Barrier(MPI_COMM_WORLD);
    }
    ~Window() {
        MPI_Win_unlock_all(window_);
        MPI_Win_free(&window_);
    }
    Window(const Window&) = delete;
    Window& operator=(const Window&) = delete;

    operator MPI_Win() const { return window_; }
    std::byte* memory() const { return memory_; }

private:
    static std::string why(int error) {
        char said[MPI_MAX_ERROR_STRING] = "";
        int length = 0;
        MPI_Error_string(error, said, &length);
        return "MPI_Win_allocate failed (" + std::string(said) +
               "). Open MPI 4.1 can't make windows over TCP by its osc/rdma; OMPI_MCA_osc=^rdma "
               "has it take another way.";
    }

    // MPICH 4.0.2 over UCX loses what is put into, and gets nothing from, windows of 8 bytes
    // (github.com/pmodels/mpich/pull/6140); those of 64 are right.
    static constexpr std::size_t smallest = 4096;

    std::byte* memory_ = nullptr;
    MPI_Win window_ = MPI_WIN_NULL;
};

class OneSided : public Operation {
public:
    explicit OneSided(const Size& size)
        : size_(size),
          other_(1 - size.rank),
          count_(static_cast<int>(size.bytes)),
          first_word_(std::min(size.bytes, sizeof(std::uint64_t))),
          local_(memory(size.bytes)),
          window_(size.bytes) {}

    std::int64_t run(std::uint64_t times) override {
        std::int64_t took = 0;
        for (int leader = 0; leader < 2; ++leader) {
            if (leader == size_.rank)
                took = lead(times);
            else
                follow();
        }
        return took;
    }

    double value(const std::vector<double>& seconds) const override { return seconds[0]; }
    bool batched() const override { return true; }

protected:
    virtual void access(std::uint64_t times) = 0;

    const Size size_;
    const int other_, count_;
    const std::size_t first_word_;  // bytes that each access of a batch changes
    Memory local_;
    Window window_;

private:
    std::int64_t lead(std::uint64_t times) {
        MPI_Recv(nullptr, 0, MPI_BYTE, other_, ready_tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        const std::int64_t begin = now();
        access(times);
        const std::int64_t took = now() - begin;
        MPI_Send(nullptr, 0, MPI_BYTE, other_, done_tag, MPI_COMM_WORLD);
        return took;
    }

    void follow() {
        MPI_Win_sync(window_);
        MPI_Send(nullptr, 0, MPI_BYTE, other_, ready_tag, MPI_COMM_WORLD);
        MPI_Recv(nullptr, 0, MPI_BYTE, other_, done_tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Win_sync(window_);
    }
};

// The first word counts down to the contents' own, so that no two puts carry the same and the
// last of the batch leaves what is expected.
class Put final : public OneSided {
public:
    using OneSided::OneSided;

    void fresh(std::uint64_t number, Extent extent) override {
        fill(local_.get(), size_.bytes, seed(size_.rank, other_), number, extent);
    }

    bool arrived(std::uint64_t number, Extent extent) override {
        return holds(window_.memory(), size_.bytes, seed(other_, size_.rank), number, extent);
    }

private:
    void access(std::uint64_t times) override {
        std::uint64_t own = 0;
        std::memcpy(&own, local_.get(), first_word_);
        while (times-- > 0) {
            const std::uint64_t numbered = own + times;
            std::memcpy(local_.get(), &numbered, first_word_);
            MPI_Put(local_.get(), count_, MPI_BYTE, other_, 0, count_, MPI_BYTE, window_);
            MPI_Win_flush(other_, window_);
        }
    }
};

// The first word is spoilt before each get, which has to bring it back.
class Get final : public OneSided {
public:
    using OneSided::OneSided;

    void fresh(std::uint64_t number, Extent extent) override {
        fill(window_.memory(), size_.bytes, seed(size_.rank, other_), number, extent);
        fill(reinterpret_cast<std::byte*>(&expected_), first_word_, seed(other_, size_.rank),
             number, extent);
    }

    bool arrived(std::uint64_t number, Extent extent) override {
        const bool brought = brought_;
        brought_ = true;
        return brought &&
               holds(local_.get(), size_.bytes, seed(other_, size_.rank), number, extent);
    }

private:
    void access(std::uint64_t times) override {
        const std::uint64_t spoilt = ~expected_;
        while (times-- > 0) {
            std::memcpy(local_.get(), &spoilt, first_word_);
            MPI_Get(local_.get(), count_, MPI_BYTE, other_, 0, count_, MPI_BYTE, window_);
            MPI_Win_flush(other_, window_);
            brought_ &= std::memcmp(local_.get(), &expected_, first_word_) == 0;
        }
    }

    std::uint64_t expected_ = 0;
    bool brought_ = true;
};

}  // namespace

std::unique_ptr<Operation> one_sided(const std::string& name, const Size& size) {
    if (name == "put") return std::make_unique<Put>(size);
    if (name == "get") return std::make_unique<Get>(size);
    return nullptr;
}

}  // namespace stend::mpi
