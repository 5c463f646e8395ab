// The kernels of one thread or several that do the same at the same time, and of a mutex's steps.
#include <algorithm>
#include <array>
#include <stdexcept>
#include <string>

#include "kernels/threads/mutex_steps.h"
#include "kernels/threads/subjects.h"
#include "kernels/threads/sync.h"
#include "kernels/threads/together.h"

namespace stend::threads {

Step step(std::string_view name) {
    constexpr std::array<std::string_view, 4> names{"create", "lock", "unlock", "destroy"};
    const auto found = std::ranges::find(names, name);
    if (found != names.end()) return static_cast<Step>(found - names.begin());
    throw std::invalid_argument("There is no step \"" + std::string(name) +
                                "\" of a mutex; there are create, lock, unlock and destroy.");
}

std::unique_ptr<Kernel> mutex(Step step, const Conditions& conditions) {
    return std::make_unique<MutexSteps<PthreadMutexes>>(step, conditions);
}

std::unique_ptr<Kernel> lock_unlock(unsigned threads, const Conditions& conditions) {
    return std::make_unique<Together<Exclusion<Mutex>>>(conditions, threads, "plain");
}

std::unique_ptr<Kernel> spinlock(unsigned threads, const Conditions& conditions) {
    return std::make_unique<Together<Exclusion<Spinlock>>>(conditions, threads, "plain");
}

std::unique_ptr<Kernel> semaphore(unsigned threads, const Conditions& conditions) {
    return std::make_unique<Together<Tokens<PosixSemaphore>>>(conditions, threads, "plain");
}

std::unique_ptr<Kernel> atomic_add(unsigned threads, const Conditions& conditions) {
    return std::make_unique<Together<Additions<AtomicNumber>>>(conditions, threads, "plain");
}

std::unique_ptr<Kernel> false_sharing(unsigned threads, std::size_t apart,
                                      const Conditions& conditions) {
    if (apart < 8 || apart > 4096 || apart % 8 != 0)
        throw std::invalid_argument("Numbers are a multiple of 8 and 8 to 4096 bytes apart, not " +
                                    std::to_string(apart) + ".");
    return std::make_unique<Together<Neighbours<AtomicIncrement>>>(conditions, threads, "plain",
                                                                   apart);
}

}  // namespace stend::threads
