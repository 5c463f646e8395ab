// Whole numbers from Python, how many threads and how long a tag: checked, and told in sentences.
#include <limits>

#include "gost.h"

namespace nb = nanobind;

namespace stend::bindings::gost {
namespace {

// The nearest number of 64 bits.
long long number_of(nb::handle thing, const char* what) {
    if (!PyIndex_Check(thing.ptr()))
        throw nb::type_error(
            (std::string(what) + " is a whole number, not " + type_of(thing.ptr()) + ".").c_str());
    const nb::object whole = nb::steal(PyNumber_Index(thing.ptr()));
    if (!whole.is_valid()) throw nb::python_error();
    int beyond = 0;
    const long long number = PyLong_AsLongLongAndOverflow(whole.ptr(), &beyond);
    using Limits = std::numeric_limits<long long>;
    return beyond == 0 ? number : beyond > 0 ? Limits::max() : Limits::min();
}

std::string shown(long long number) {
    using Limits = std::numeric_limits<long long>;
    if (number == Limits::max() || number == Limits::min()) return "a number of over 64 bits";
    return std::to_string(number);
}

}  // namespace

unsigned checked_threads(nb::handle threads) {
    const long long count = number_of(threads, "How many threads work");
    if (count < 0 || count > 4096)
        raise("BadOption",
              "There can be 1 to 4096 threads, or 0 for one a CPU, not " + shown(count) + ".");
    return static_cast<unsigned>(count);
}

std::size_t checked_tag(nb::handle asked, std::size_t shortest, std::size_t longest, const char* of,
                        stend_gost_cipher cipher) {
    if (asked.is_none()) return longest;
    const long long size = number_of(asked, "The length of a tag");
    if (size < static_cast<long long>(shortest) || size > static_cast<long long>(longest))
        raise("BadTagSize", std::string("A tag of ") + of + spoken(cipher) + " has " +
                                std::to_string(shortest) + " to " + std::to_string(longest) +
                                " bytes, not " + shown(size) + ".");
    return static_cast<std::size_t>(size);
}

}  // namespace stend::bindings::gost
