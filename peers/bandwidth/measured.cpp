// measured OPERATION VARIANT BYTES THREADS SECONDS: stend's kernel for so long in this process.
// Prints the bytes it moved and the seconds that took; the result is proved.
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string_view>

#include "kernels/bandwidth/bandwidth.h"
#include "kernels/stream/stream.h"
#include "team/seat.h"

using namespace stend;

namespace {

std::unique_ptr<Kernel> made(std::string_view operation, std::string_view variant,
                             std::size_t bytes, const std::vector<int>& cpus) {
    using namespace bandwidth;
    if (operation == "read") return read(bytes, cpus, chosen(read_variants(), variant));
    if (operation == "write") return write(bytes, cpus, chosen(write_variants(), variant));
    if (operation == "copy") return copy(bytes, cpus, chosen(copy_variants(), variant));
    operation.remove_prefix(std::string_view("stream.").size());
    return stream::kernel(stream::operation(operation), stream::Arrays::shared, bytes / 24, cpus,
                          chosen(stream::variants(), variant));
}

// Of one execution.
std::size_t moved(std::string_view operation, std::size_t bytes, unsigned threads) {
    if (operation == "stream.copy") return bytes / 24 * 16;
    if (operation == "stream.triad") return bytes / 24 * 24;
    return bytes * bandwidth::passes(bytes, threads);
}

double now() {
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch())
        .count();
}

}  // namespace

int main(int count, char** arguments) {
    if (count != 6)
        return std::fprintf(stderr, "measured OPERATION VARIANT BYTES THREADS SECONDS\n"), 2;
    const std::string_view operation = arguments[1];
    const std::size_t bytes = std::strtoull(arguments[3], nullptr, 10);
    const auto threads = unsigned(std::atoi(arguments[4]));
    const auto kernel = made(operation, arguments[2], bytes, first_cpus(threads));
    kernel->prepare();
    kernel->repeat(1);

    std::uint64_t executions = 0;
    const double begin = now(), end = begin + std::atof(arguments[5]);
    for (; now() < end; ++executions) kernel->repeat(1);
    const double took = now() - begin;

    const Proof proof = kernel->prove();
    if (!proof.right) return std::fprintf(stderr, "%s\n", proof.said.c_str()), 1;
    std::printf("%.0f %.9f\n", double(executions) * double(moved(operation, bytes, threads)), took);
}
