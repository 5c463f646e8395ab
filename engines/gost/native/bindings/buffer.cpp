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

// Whether a format of the module struct has Python objects in it, as numpy's arrays of them have:
// their bytes are addresses, and to write there would be the interpreter's end.
bool has_objects(const char* format) {
    bool in_name = false;
    for (; format != nullptr && *format != 0; ++format) {
        if (*format == ':') in_name = !in_name;
        if (*format == 'O' && !in_name) return true;
    }
    return false;
}

}  // namespace

void Buffer::take(PyObject* object, const char* what, bool writable) {
    if (!PyObject_CheckBuffer(object))
        throw nb::type_error((std::string(what) + " has to be bytes or another object with the " +
                              "buffer protocol, not " + type_of(object) + ".")
                                 .c_str());
    const int flags = PyBUF_ND | PyBUF_FORMAT | (writable ? PyBUF_WRITABLE : 0);
    if (PyObject_GetBuffer(object, &view_, flags) != 0) {
        view_.obj = nullptr;
        raise("BadBuffer", std::string(what) + " has to be contiguous" +
                               (writable ? " and writable" : "") +
                               " memory; Python says of it: " + taken_error() + ".");
    }
    if (has_objects(view_.format)) {
        PyBuffer_Release(&view_);
        view_.obj = nullptr;
        throw nb::type_error((std::string(what) + " has to be bytes, not the addresses of the " +
                              "Python objects in this " + type_of(object) + ".")
                                 .c_str());
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
    if (in.data != data && share(in.data, in.size, data, written))
        raise("BadBuffer",
              "The data and the output buffer overlap; they have to begin together or lie apart.");
}

void Out::forbid_any_overlap(const Buffer& in, std::size_t written, const char* what) const {
    if (share(in.data, in.size, data, written))
        raise("BadBuffer",
              std::string(what) + " and the output buffer overlap; they have to lie apart.");
}

}  // namespace stend::bindings::gost
