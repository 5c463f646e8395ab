// Starting threads by pthread_create, with what a thread is started with. Comes in: where it is
// to run; goes out: attributes, or a sentence on why no thread could be made.
#pragma once

#include <pthread.h>

#include <cstdint>
#include <string>
#include <vector>

#include "kernel.h"

namespace stend::threads {

// What makes a thread: pthread_create, or what a test plants in its place.
using Create = int (*)(pthread_t* thread, const pthread_attr_t* attributes, void* (*body)(void*),
                       void* argument);

// The system made no more threads; what() says how many there were, and why.
class CannotStart : public Failed {
public:
    CannotStart(std::uint64_t made, int error);
};

// Who sees a thread end: pthread_join, or nobody.
enum class Keep { joined, detached };

// Attributes for each thread of a series: the defaults, but for who sees it end, and bound by them
// to one CPU after the other, round and round.
class Attributes {
public:
    // No CPUs: not bound. Throws std::bad_alloc.
    explicit Attributes(const std::vector<int>& cpus, Keep keep = Keep::joined);
    Attributes(const Attributes&) = delete;
    Attributes& operator=(const Attributes&) = delete;
    ~Attributes();

    // Of the series' member of that number; null: the defaults.
    const pthread_attr_t* of(std::uint64_t number) const {
        return made_.empty() ? nullptr : &made_[number % made_.size()];
    }

private:
    std::vector<pthread_attr_t> made_;
};

// The library of threads and how much stack its default attributes give: "NPTL 2.36, stacks of 8192
// KiB".
std::string library();

}  // namespace stend::threads
