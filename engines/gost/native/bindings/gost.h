// What the files of the Python module _gost share: errors as exceptions of stend_gost, Python's
// buffers as bytes, and when the interpreter's lock is given away.
#pragma once

#include <nanobind/nanobind.h>
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "stend/gost.h"

namespace stend::bindings::gost {

// Raises stend_gost's exception of that name.
[[noreturn]] void raise(const char* name, const std::string& sentence);
[[noreturn]] void raise(stend_gost_status status);
// AlreadyUpdated: associated data after the message began.
[[noreturn]] void raise_updated();

inline void check(stend_gost_status status) {
    if (status != STEND_GOST_OK) [[unlikely]]
        raise(status);
}

stend_gost_cipher cipher_named(std::string_view name);

// How many threads shall work; 0: one a CPU. Raises when it is no such number.
unsigned checked_threads(nanobind::handle threads);

// A tag's size in bytes; None is the longest. Raises for another, with "A tag of " + `of` +
// `cipher` in the sentence.
std::size_t checked_tag(nanobind::handle asked, std::size_t shortest, std::size_t longest,
                        const char* of, stend_gost_cipher cipher);

// The name of an object's type, for a sentence; the stable ABI has no tp_name.
std::string type_of(PyObject* object);

// Some bytes in memory.
struct Span {
    const std::uint8_t* data;
    std::size_t size;
};

// The bytes of a Python object while a call lasts. `what` begins a sentence: "The data".
class Buffer {
public:
    std::uint8_t* data = nullptr;
    std::size_t size = 0;

    Buffer(const Buffer&) = delete;
    Buffer& operator=(const Buffer&) = delete;
    Span span() const { return {data, size}; }
    ~Buffer() {
        if (view_.obj != nullptr) PyBuffer_Release(&view_);
    }

protected:
    Buffer() { view_.obj = nullptr; }
    void take(PyObject* object, const char* what, bool writable);

private:
    Py_buffer view_;
};

// For reading.
class In : public Buffer {
public:
    In(nanobind::handle object, const char* what) { read(object.ptr(), what); }

protected:
    In() = default;
    void read(PyObject* object, const char* what) {
        if (PyBytes_CheckExact(object)) [[likely]] {  // saves 20 ns of the buffer protocol
            data = reinterpret_cast<std::uint8_t*>(PyBytes_AsString(object));
            size = static_cast<std::size_t>(PyBytes_Size(object));
        } else {
            take(object, what, false);
        }
    }
};

// Associated data, for reading; None is none.
class Associated : public In {
public:
    explicit Associated(nanobind::handle object) {
        if (!object.is_none()) read(object.ptr(), "Associated data");
    }
};

class Out : public Buffer {
public:
    explicit Out(nanobind::handle object) { take(object.ptr(), "The output buffer", true); }
    // Raises when fewer bytes fit in.
    void require(std::size_t room) const;
    // Raises when `in` shares bytes with the first `written` ones, but for `in` beginning with
    // them.
    void forbid_overlap(const Buffer& in, std::size_t written) const;
    // Raises when `in` shares any of them.
    void forbid_any_overlap(const Buffer& in, std::size_t written, const char* what) const;
};

// New bytes of Python, not yet written.
inline nanobind::object new_bytes(std::size_t size) {
    PyObject* made = PyBytes_FromStringAndSize(nullptr, static_cast<Py_ssize_t>(size));
    if (made == nullptr) throw nanobind::python_error();
    return nanobind::steal(made);
}

inline std::uint8_t* bytes_of(const nanobind::object& bytes) {
    return reinterpret_cast<std::uint8_t*>(PyBytes_AsString(bytes.ptr()));
}

// Giving the lock away and taking it back takes 30 ns when nobody wants it, and a switch of
// threads when somebody does, so work of a few microseconds keeps it.
inline constexpr std::size_t unlocked_from = 16384;

class Unlocked {
public:
    explicit Unlocked(std::size_t size)
        : state_(size >= unlocked_from ? PyEval_SaveThread() : nullptr) {}
    // When the interpreter has ended meanwhile, CPython before 3.14 ends the thread here by
    // unwinding its stack. As 3.14 does, it waits for the process to end instead: in a destructor,
    // as libc++ shows such an end to no handler, of a function that lets exceptions pass, for else
    // clang ends the process at once.
    ~Unlocked() noexcept(false) {
        if (state_ == nullptr) return;
        Waiting unless;
        PyEval_RestoreThread(state_);
        unless.back = true;
    }
    Unlocked(const Unlocked&) = delete;
    Unlocked& operator=(const Unlocked&) = delete;

private:
    struct Waiting {
        bool back = false;
        ~Waiting() {
            while (!back) pause();
        }
    };
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

// MGM: raises unless it takes this nonce with the key, or a tag of this size.
void check_nonce(const In& nonce, const Key& key);
std::size_t mgm_tag(nanobind::handle asked, const Key& key);

// Decrypts a whole message; `out` is filled with zeros when the tag is wrong.
stend_gost_status mgm_open(const Key& key, Span nonce, Span associated, Span data, Span tag,
                           unsigned threads, std::uint8_t* out);

void bind_key(nanobind::module_& module);
void bind_stream(nanobind::module_& module);
void bind_mac(nanobind::module_& module);
void bind_mgm(nanobind::module_& module);
void bind_mgm_encryption(nanobind::module_& module);
void bind_mgm_decryption(nanobind::module_& module);
void bind_kexp15(nanobind::module_& module);

}  // namespace stend::bindings::gost
