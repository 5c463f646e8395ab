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
#include "threads/conditions.h"
#include "threads/start.h"

namespace stend::threads {

std::unique_ptr<Kernel> create(const Conditions& conditions, Create make = pthread_create);
std::unique_ptr<Kernel> create_join(const Conditions& conditions, Create make = pthread_create);

}  // namespace stend::threads
