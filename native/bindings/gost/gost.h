// What the files of the Python module _gost share: errors as exceptions of stend.gost, Python's
// buffers as bytes, and when the interpreter's lock is given away.
#pragma once

#include <nanobind/nanobind.h>

#include <cstddef>
#include <cstdint>
#include <string>

#include "stend/gost.h"

namespace stend::bindings::gost {

// Raises stend.gost's exception of that name.
[[noreturn]] void raise(const char* name, const std::string& sentence);
[[noreturn]] void raise(stend_gost_status status);

inline void check(stend_gost_status status) {
    if (status != STEND_GOST_OK) [[unlikely]]
        raise(status);
}

stend_gost_cipher cipher_named(std::string_view name);

// Raises unless `size` is what a block, a nonce, … of the cipher has.
unsigned checked_threads(nanobind::handle threads);

// The bytes of a Python object while a call lasts. `what` begins a sentence: "The data".
class Buffer {
public:
    std::uint8_t* data;
    std::size_t size;

    Buffer(const Buffer&) = delete;
    Buffer& operator=(const Buffer&) = delete;
    ~Buffer() {
        if (view_.obj != nullptr) PyBuffer_Release(&view_);
    }

protected:
    Buffer() { view_.obj = nullptr; }
    void take(PyObject* object, const char* what, int flags);

private:
    Py_buffer view_;
};

// For reading; None is no bytes.
class In : public Buffer {
public:
    In(nanobind::handle object, const char* what) {
        PyObject* const bytes = object.ptr();
        if (PyBytes_CheckExact(bytes)) [[likely]] {  // saves 20 ns of the buffer protocol
            data = reinterpret_cast<std::uint8_t*>(PyBytes_AS_STRING(bytes));
            size = static_cast<std::size_t>(PyBytes_GET_SIZE(bytes));
        } else {
            take(bytes, what, PyBUF_SIMPLE);
        }
    }
};

class Out : public Buffer {
public:
    explicit Out(nanobind::handle object) {
        take(object.ptr(), "The output buffer", PyBUF_WRITABLE);
    }
    // Raises when fewer bytes fit in.
    void require(std::size_t room) const;
    // Raises when `in` shares bytes with the first `written` ones, but for `in` beginning with
    // them.
    void forbid_overlap(const Buffer& in, std::size_t written) const;
    // Raises when they share any.
    void forbid_any_overlap(const Buffer& in, std::size_t written, const char* what) const;
};

// New bytes of Python, not yet written.
inline nanobind::object new_bytes(std::size_t size) {
    PyObject* made = PyBytes_FromStringAndSize(nullptr, static_cast<Py_ssize_t>(size));
    if (made == nullptr) throw nanobind::python_error();
    return nanobind::steal(made);
}

inline std::uint8_t* bytes_of(const nanobind::object& bytes) {
    return reinterpret_cast<std::uint8_t*>(PyBytes_AS_STRING(bytes.ptr()));
}

// Giving the lock away and taking it back takes 30 ns when nobody wants it, and a switch of
// threads when somebody does, so work of a few microseconds keeps it.
inline constexpr std::size_t unlocked_from = 16384;

class Unlocked {
public:
    explicit Unlocked(std::size_t size)
        : state_(size >= unlocked_from ? PyEval_SaveThread() : nullptr) {}
    ~Unlocked() {
        if (state_ != nullptr) PyEval_RestoreThread(state_);
    }
    Unlocked(const Unlocked&) = delete;
    Unlocked& operator=(const Unlocked&) = delete;

private:
    PyThreadState* state_;
};

// Marks a context as in use: while the lock is given away, another thread could call it as well.
class InUse {
public:
    explicit InUse(bool& busy) : busy_(busy) {
        if (busy)
            raise("ContextInUse",
                  "Another thread is using this context; give each thread a context of its own.");
        busy = true;
    }
    ~InUse() { busy_ = false; }
    InUse(const InUse&) = delete;
    InUse& operator=(const InUse&) = delete;

private:
    bool& busy_;
};

// A cipher with its key. Contexts keep it alive by a reference to its Python object.
struct Key {
    stend_gost_key key;

    Key(std::string_view cipher, nanobind::handle bytes, nanobind::handle variant);
    ~Key() { stend_gost_key_wipe(&key); }
    Key(const Key&) = delete;
    Key& operator=(const Key&) = delete;

    stend_gost_cipher cipher() const { return stend_gost_key_cipher(&key); }
    std::size_t block() const { return stend_gost_block_bytes(cipher()); }
};

// The Key that this object is; raises for another object.
const Key& key_of(nanobind::handle object, const char* what);

// "Kuznyechik", as a sentence says it.
const char* spoken(stend_gost_cipher cipher);

void bind_key(nanobind::module_& module);
void bind_stream(nanobind::module_& module);
void bind_mac(nanobind::module_& module);
void bind_mgm(nanobind::module_& module);

}  // namespace stend::bindings::gost
