// Ways from one thread to another and back. A channel has two ends, one a thread, a name, and
//   void send(End to, Number number)       puts a number where the thread at that end finds it
//   Number receive(End at, Number last)    waits there for a number other than the last one
// Numbers go up; each is fetched before the next one is sent to the same end.
#pragma once

#include <fcntl.h>
#include <linux/futex.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <sys/eventfd.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

#include "kernel.h"
#include "kernels/threads/patience.h"
#include "kernels/threads/subjects.h"

namespace stend::threads {

using Number = std::uint64_t;
enum class End : unsigned { here, there };

// Where a channel needs a descriptor and there is none.
inline Failed none(const std::string& what, int error) {
    return Failed("No " + what + " could be made: " + std::strerror(error) +
                  "; `ulimit -n` raises the limit of open files.");
}

// A place for a number at either end.
template <typename Slot>
class Ends {
protected:
    Slot& at(End end) { return slots_[static_cast<unsigned>(end)]; }

private:
    struct alignas(alone_in_cache) Alone : Slot {};
    Alone slots_[2];
};

struct NumberSlot {
    std::atomic<Number> number = 0;
};

class SpinChannel : Ends<NumberSlot> {
public:
    static constexpr std::string_view name = "spin";

    void send(End to, Number number) { at(to).number.store(number, std::memory_order_release); }
    Number receive(End me, Number last) {
        Number now;
        spin_until([&] { return (now = at(me).number.load(std::memory_order_acquire)) != last; });
        return now;
    }
};

// Gives the CPU away again and again until the number is there. Counts how often: the scheduler
// may hand it back to who gave it.
class YieldChannel : Ends<NumberSlot> {
public:
    static constexpr std::string_view name = "yield";

    void send(End to, Number number) { at(to).number.store(number, std::memory_order_release); }
    Number receive(End me, Number last) {
        std::uint64_t yields = 0;
        Number now;
        for (; (now = at(me).number.load(std::memory_order_acquire)) == last; ++yields)
            sched_yield();
        yields_.fetch_add(yields, std::memory_order_relaxed);
        return now;
    }
    std::uint64_t yields() const { return yields_.load(std::memory_order_relaxed); }

private:
    std::atomic<std::uint64_t> yields_ = 0;
};

struct FutexSlot {
    std::atomic<std::uint32_t> word = 0;  // the number's lower half
    Number number = 0;
};

class FutexChannel : Ends<FutexSlot> {
public:
    static constexpr std::string_view name = "futex";

    void send(End to, Number number) {
        at(to).number = number;
        at(to).word.store(static_cast<std::uint32_t>(number), std::memory_order_release);
        call(at(to).word, FUTEX_WAKE_PRIVATE, 1);
    }
    Number receive(End me, Number last) {
        const auto old = static_cast<std::uint32_t>(last);
        while (at(me).word.load(std::memory_order_acquire) == old)
            call(at(me).word, FUTEX_WAIT_PRIVATE, old);
        return at(me).number;
    }

private:
    static void call(std::atomic<std::uint32_t>& word, int operation, std::uint32_t value) {
        static_assert(sizeof word == 4 && std::atomic<std::uint32_t>::is_always_lock_free);
        syscall(SYS_futex, &word, operation, value, nullptr, nullptr, 0);
    }
};

class PipeChannel {
public:
    static constexpr std::string_view name = "pipe";

    PipeChannel() {
        for (Pair& pair : pairs_)
            if (pipe2(pair.ends, O_CLOEXEC) != 0) throw none("pipe", errno);
    }

    void send(End to, Number number) {
        while (write(of(to).ends[1], &number, sizeof number) < 0 && errno == EINTR) {
        }
    }
    Number receive(End me, Number /*last*/) {
        Number number = 0;
        while (read(of(me).ends[0], &number, sizeof number) < 0 && errno == EINTR) {
        }
        return number;
    }

private:
    struct Pair {
        int ends[2] = {-1, -1};
        Pair() = default;
        Pair(const Pair&) = delete;
        Pair& operator=(const Pair&) = delete;
        ~Pair() {
            for (const int end : ends)
                if (end >= 0) close(end);
        }
    };
    Pair& of(End end) { return pairs_[static_cast<unsigned>(end)]; }
    Pair pairs_[2];
};

// An eventfd is a counter that a read takes away: written to it, a number is what is read.
class EventChannel {
public:
    static constexpr std::string_view name = "eventfd";

    EventChannel() {
        for (Event& event : events_)
            if (event.descriptor < 0) throw none("eventfd", errno);
    }

    void send(End to, Number number) {
        while (write(of(to), &number, sizeof number) < 0 && errno == EINTR) {
        }
    }
    Number receive(End me, Number /*last*/) {
        Number number = 0;
        while (read(of(me), &number, sizeof number) < 0 && errno == EINTR) {
        }
        return number;
    }

private:
    struct Event {
        int descriptor = eventfd(0, EFD_CLOEXEC);
        Event() = default;
        Event(const Event&) = delete;
        Event& operator=(const Event&) = delete;
        ~Event() {
            if (descriptor >= 0) close(descriptor);
        }
    };
    int of(End end) const { return events_[static_cast<unsigned>(end)].descriptor; }
    Event events_[2];
};

struct ConditionSlot {
    pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
    pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
    Number number = 0;
};

class ConditionChannel : Ends<ConditionSlot> {
public:
    static constexpr std::string_view name = "condition";

    void send(End to, Number number) {
        ConditionSlot& slot = at(to);
        pthread_mutex_lock(&slot.mutex);
        slot.number = number;
        pthread_mutex_unlock(&slot.mutex);
        pthread_cond_signal(&slot.changed);
    }
    Number receive(End me, Number last) {
        ConditionSlot& slot = at(me);
        pthread_mutex_lock(&slot.mutex);
        while (slot.number == last) pthread_cond_wait(&slot.changed, &slot.mutex);
        const Number now = slot.number;
        pthread_mutex_unlock(&slot.mutex);
        return now;
    }
};

struct SemaphoreSlot {
    PosixSemaphore sent;
    Number number = 0;
};

class SemaphoreChannel : Ends<SemaphoreSlot> {
public:
    static constexpr std::string_view name = "semaphore";

    void send(End to, Number number) {
        at(to).number = number;
        at(to).sent.post();
    }
    Number receive(End me, Number /*last*/) {
        while (!at(me).sent.wait()) {
        }
        return at(me).number;
    }
};

}  // namespace stend::threads
