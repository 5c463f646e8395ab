// The life of threads, after Golenkov et al. 2015. Comes in: conditions (load, affinity), how
// many; goes out: observers, each observation one event (or one chain), never batched:
//   create       pthread_create; the thread ends at once and is joined untimed
//   create_join  pthread_create and pthread_join of a thread that ends at once
//   chain        so many threads, each of which makes the next; s a thread
// Bound, the maker sits on the first CPU and its threads on the others, by their attributes; of
// a chain, on all. A thread that the system doesn't make ends the observation with CannotStart,
// after all that were made have ended. `make` stands in for pthread_create in tests.
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>

#include "kernel.h"
#include "kernels/threads/conditions.h"
#include "kernels/threads/start.h"

namespace stend::threads {

std::unique_ptr<Kernel> create(const Conditions& conditions, Create make = pthread_create);
std::unique_ptr<Kernel> create_join(const Conditions& conditions, Create make = pthread_create);

// "joined" or "detached"; throws std::invalid_argument for another word.
Keep keep(std::string_view word);

// detached: each thread ends after it has made the next, and the chain's time ends when the last
// one runs. joined: each waits for the end of the one it made, so that all are alive when the last
// one runs, and the time ends when the first one has ended; "until the last runs s" is a thread's
// share of the time until the last one ran. Throws std::invalid_argument for a length of 0.
std::unique_ptr<Kernel> chain(std::uint64_t length, Keep keep, const Conditions& conditions,
                              Create make = pthread_create);

}  // namespace stend::threads
