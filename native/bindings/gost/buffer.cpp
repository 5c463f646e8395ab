// Python's buffers as bytes, and which of them may share memory.
#include <functional>

#include "gost.h"

namespace nb = nanobind;

namespace stend::bindings::gost {
namespace {

bool share(const std::uint8_t* a, std::size_t a_size, const std::uint8_t* b, std::size_t b_size) {
    const std::less<> before;
    return a_size > 0 && b_size > 0 && before(a, b + b_size) && before(b, a + a_size);
}

// The sentence of the error that Python has just set, without its type; clears it.
std::string taken_error() {
    PyObject *kind, *value, *trace;
    PyErr_Fetch(&kind, &value, &trace);
    const nb::object held[] = {nb::steal(kind), nb::steal(value), nb::steal(trace)};
    std::string sentence = nb::str(held[1]).c_str();
    while (sentence.ends_with('.')) sentence.pop_back();
    return sentence;
}

}  // namespace

void Buffer::take(PyObject* object, const char* what, int flags) {
    if (object == Py_None && flags == PyBUF_SIMPLE) {
        data = nullptr;
        size = 0;
        return;
    }
    if (!PyObject_CheckBuffer(object))
        throw nb::type_error((std::string(what) + " has to be bytes or another object with the " +
                              "buffer protocol, not " + Py_TYPE(object)->tp_name + ".")
                                 .c_str());
    if (PyObject_GetBuffer(object, &view_, flags) != 0) {
        view_.obj = nullptr;
        raise("BadBuffer", std::string(what) + " has to be contiguous" +
                               (flags == PyBUF_SIMPLE ? "" : " and writable") +
                               " memory; Python says of it: " + taken_error() + ".");
    }
    data = static_cast<std::uint8_t*>(view_.buf);
    size = static_cast<std::size_t>(view_.len);
}

void Out::require(std::size_t room) const {
    if (size < room)
        raise("BadBuffer", "The output buffer has " + std::to_string(size) + " bytes; " +
                               std::to_string(room) + " are written to it.");
}

void Out::forbid_overlap(const Buffer& in, std::size_t written) const {
    if (in.data != data) forbid_any_overlap(in, written, "The data");
}

void Out::forbid_any_overlap(const Buffer& in, std::size_t written, const char* what) const {
    if (share(in.data, in.size, data, written))
        raise("BadBuffer",
              std::string(what) +
                  " and the output buffer overlap; they have to begin together or lie apart.");
}

}  // namespace stend::bindings::gost
