// pthread attributes, with CPU masks of any length.
#include "kernels/threads/start.h"

#include <sched.h>
#include <unistd.h>

#include <new>
#include <string>
#include <system_error>

namespace stend::threads {
namespace {

std::string sentence(std::uint64_t made, int error) {
    return "No thread could be made after " + std::to_string(made) +
           " had been: " + std::generic_category().message(error) +
           ". A limit was reached that had room when the run began; `stend machine` says which "
           "limits there are now.";
}

void bind(pthread_attr_t& attributes, int cpu) {
    const int count = cpu + 1;
    cpu_set_t* const set = CPU_ALLOC(count);
    if (!set) throw std::bad_alloc();
    CPU_ZERO_S(CPU_ALLOC_SIZE(count), set);
    CPU_SET_S(cpu, CPU_ALLOC_SIZE(count), set);
    const int error = pthread_attr_setaffinity_np(&attributes, CPU_ALLOC_SIZE(count), set);
    CPU_FREE(set);
    if (error != 0) throw std::bad_alloc();  // glibc keeps a copy of the set
}

std::size_t stack_bytes() {
    pthread_attr_t attributes;
    std::size_t bytes = 0;
    if (pthread_attr_init(&attributes) != 0) return 0;
    pthread_attr_getstacksize(&attributes, &bytes);
    pthread_attr_destroy(&attributes);
    return bytes;
}

}  // namespace

CannotStart::CannotStart(std::uint64_t made, int error) : Failed(sentence(made, error)) {}

Attributes::Attributes(const std::vector<int>& cpus, Keep keep)
    : made_(cpus.empty() && keep == Keep::detached ? 1 : cpus.size()) {
    for (pthread_attr_t& attributes : made_) {
        pthread_attr_init(&attributes);
        if (keep == Keep::detached)
            pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
    }
    for (std::size_t i = 0; i < cpus.size(); ++i) bind(made_[i], cpus[i]);
}

Attributes::~Attributes() {
    for (pthread_attr_t& attributes : made_) pthread_attr_destroy(&attributes);
}

std::string library() {
    char name[64] = "";
    confstr(_CS_GNU_LIBPTHREAD_VERSION, name, sizeof name);
    return std::string(name) + ", stacks of " + std::to_string(stack_bytes() >> 10) + " KiB";
}

}  // namespace stend::threads
