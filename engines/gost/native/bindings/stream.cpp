// _gost.Stream: one message through a mode of encryption, in pieces.
#include <nanobind/stl/string_view.h>

#include <algorithm>
#include <cstring>

#include "gost.h"
#include "gost/wipe.h"

namespace nb = nanobind;
using namespace nb::literals;

namespace stend::bindings::gost {
namespace {

struct Stream {
    nb::object key;  // the context points into it
    bool busy = false;
    stend_gost_stream context;

    Stream(nb::object algorithm, int mode, bool decrypts, nb::handle iv, int padding,
           std::size_t section, nb::handle threads);
    ~Stream() { stend_gost_stream_wipe(&context); }
    Stream(const Stream&) = delete;
    Stream& operator=(const Stream&) = delete;

    nb::object update(nb::handle data);
    std::size_t update_into(nb::handle data, nb::handle buffer);
    nb::object finalize();
};

Stream::Stream(nb::object algorithm, int mode, bool decrypts, nb::handle iv, int padding,
               std::size_t section, nb::handle threads)
    : key(std::move(algorithm)) {
    const Key& made = key_of(key, "An algorithm");
    const unsigned sharing = checked_threads(threads);
    const In in(iv, "An initialisation vector");
    check(stend_gost_stream_init(&context, &made.key, static_cast<stend_gost_mode>(mode),
                                 decrypts ? STEND_GOST_DECRYPT : STEND_GOST_ENCRYPT, in.data,
                                 in.size));
    if (padding != STEND_GOST_PADDING_NONE)
        check(stend_gost_stream_padding(&context, static_cast<stend_gost_padding>(padding)));
    if (section != 0) check(stend_gost_stream_sections(&context, section));
    if (sharing != 1) check(stend_gost_stream_threads(&context, sharing));
}

// A block at most, which may be of the plaintext.
struct Block {
    std::uint8_t bytes[16];
    ~Block() { stend::gost::wipe(bytes, sizeof bytes); }
};

nb::object Stream::update(nb::handle data) {
    const InUse in_use(busy);
    const In in(data, "The data");
    const std::size_t size = stend_gost_stream_update_size(&context, in.size);
    nb::object out = new_bytes(size);
    stend_gost_status status;
    {
        const Unlocked unlocked(in.size);
        status = stend_gost_stream_update(&context, in.data, in.size, bytes_of(out), size, nullptr);
    }
    check(status);
    return out;
}

std::size_t Stream::update_into(nb::handle data, nb::handle buffer) {
    const InUse in_use(busy);
    const In in(data, "The data");
    const Out out(buffer);
    out.forbid_overlap(in, std::min(out.size, stend_gost_stream_room(&context, in.size)));
    std::size_t written = 0;
    stend_gost_status status;
    {
        const Unlocked unlocked(in.size);
        status = stend_gost_stream_update(&context, in.data, in.size, out.data, out.size, &written);
    }
    if (status == STEND_GOST_NO_ROOM)
        raise("BadBuffer", "The output buffer has " + std::to_string(out.size) +
                               " bytes, too few for the result of " + std::to_string(in.size) +
                               "; a block more than the data is enough for any.");
    check(status);
    return written;
}

nb::object Stream::finalize() {
    const InUse in_use(busy);
    Block rest;
    std::size_t written = 0;
    check(stend_gost_stream_finish(&context, rest.bytes, sizeof rest.bytes, &written));
    nb::object out = new_bytes(written);
    std::memcpy(bytes_of(out), rest.bytes, written);
    return out;
}

}  // namespace

void bind_stream(nb::module_& module) {
    nb::class_<Stream>(module, "Stream")
        .def(nb::init<nb::object, int, bool, nb::handle, int, std::size_t, nb::handle>(),
             "algorithm"_a.none(), "mode"_a, "decrypts"_a, "iv"_a.none(), "padding"_a, "section"_a,
             "threads"_a)
        .def("update", &Stream::update, "data"_a.none(),
             "Take in all of the data; give what can be given of the result.")
        .def("update_into", &Stream::update_into, "data"_a.none(), "buffer"_a.none(),
             "Write the result into a buffer, which may be the data's; give how many bytes.")
        .def("finalize", &Stream::finalize, "End the message; give the rest of the result.");
}

}  // namespace stend::bindings::gost
