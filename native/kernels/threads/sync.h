// The synchronisation of threads. Comes in: conditions (load, affinity) and how many threads; goes
// out: observers, each observation one round of as many operations as last long enough
// (rounds.h), in seconds an operation:
//   mutex          one step of a mutex's life, over an array of mutexes in the first cache
//   lock_unlock    pthread_mutex_lock and _unlock, one mutex for all threads
//   spinlock       pthread_spin_lock and _unlock, one lock for all threads
//   semaphore      sem_post and sem_wait, one semaphore for all threads
//   atomic_add     fetch_add(1), one number for all threads
//   false_sharing  adding to a number of the thread's own, so many bytes from the next thread's
//   barrier        all threads wait for each other
//   relay          a number handed back and forth between two threads; s a hop
// Of several threads each makes every one of a round's operations, and the round lasts until all
// have: the value is what one thread waits for one of its own. All throw std::invalid_argument for
// no threads or more than there are CPUs.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string_view>

#include "kernel.h"
#include "kernels/threads/conditions.h"

namespace stend::threads {

enum class Step { create, lock, unlock, destroy };

// Throws std::invalid_argument for another word.
Step step(std::string_view name);

std::unique_ptr<Kernel> mutex(Step step, const Conditions& conditions);
std::unique_ptr<Kernel> lock_unlock(unsigned threads, const Conditions& conditions);
std::unique_ptr<Kernel> spinlock(unsigned threads, const Conditions& conditions);
std::unique_ptr<Kernel> semaphore(unsigned threads, const Conditions& conditions);
std::unique_ptr<Kernel> atomic_add(unsigned threads, const Conditions& conditions);

// Throws std::invalid_argument also for `apart` that is no multiple of 8 from 8 to 4096.
std::unique_ptr<Kernel> false_sharing(unsigned threads, std::size_t apart,
                                      const Conditions& conditions);

using Barrier = std::unique_ptr<Kernel> (*)(unsigned threads, const Conditions& conditions);
std::span<const Variant<Barrier>> barrier_variants();  // from two threads on

// Where the two threads of a relay are: bound to one CPU, each to its own, wherever the system
// puts them.
enum class Place { same, other, any };

// Throws std::invalid_argument for another word.
Place place(std::string_view name);

// How a number gets from one thread to the other: by what the system offers, or a loop. Throws
// std::invalid_argument for a place that contradicts the affinity.
using Relaying = std::unique_ptr<Kernel> (*)(Place place, const Conditions& conditions);
std::span<const Variant<Relaying>> switch_variants();
std::span<const Variant<Relaying>> ping_pong_variants();

}  // namespace stend::threads
