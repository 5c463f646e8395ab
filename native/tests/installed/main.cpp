// Measures a function with the installed header; prints the median.
#include <cstdio>
#include <stend/measure.hpp>

int main() {
    unsigned long x = 1;
    const stend::Measured made = stend::measure([&] { return x *= 3; }, 0.02);
    std::printf("%zu repetitions of %lu calls, median %g s\n", made.seconds.size(),
                static_cast<unsigned long>(made.batch), made.median);
    return made.median > 0 ? 0 : 1;
}
