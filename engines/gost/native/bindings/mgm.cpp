// _gost.Mgm: whole messages, encrypted with authentication.
#include <nanobind/stl/string_view.h>

#include "gost.h"

namespace nb = nanobind;
using namespace nb::literals;

namespace stend::bindings::gost {
namespace {

struct Mgm {
    Key key;
    std::size_t tag;
    unsigned threads;

    Mgm(std::string_view cipher, nb::handle key_bytes, nb::handle tag_length, nb::handle variant,
        nb::handle sharing);

    nb::object encrypt(nb::handle nonce, nb::handle data, nb::handle associated) const;
    nb::object decrypt(nb::handle nonce, nb::handle data, nb::handle associated) const;
    std::size_t encrypt_into(nb::handle nonce, nb::handle data, nb::handle associated,
                             nb::handle buffer) const;
    std::size_t decrypt_into(nb::handle nonce, nb::handle data, nb::handle associated,
                             nb::handle buffer) const;

private:
    std::size_t plain_size(const In& data) const;
    stend_gost_status seal(const In& nonce, const In& associated, const In& data,
                           std::uint8_t* out) const;
    stend_gost_status open(const In& nonce, const In& associated, const In& data,
                           std::uint8_t* out) const;
};

Mgm::Mgm(std::string_view cipher, nb::handle key_bytes, nb::handle tag_length, nb::handle variant,
         nb::handle sharing)
    : key(cipher, key_bytes, variant),
      tag(mgm_tag(tag_length, key)),
      threads(checked_threads(sharing)) {}

std::size_t Mgm::plain_size(const In& data) const {
    if (data.size < tag) [[unlikely]]
        raise("InvalidTag", "The data have " + std::to_string(data.size) +
                                " bytes, fewer than the tag of " + std::to_string(tag) + ".");
    return data.size - tag;
}

stend_gost_status Mgm::seal(const In& nonce, const In& associated, const In& data,
                            std::uint8_t* out) const {
    const Unlocked unlocked(data.size + associated.size);
    return stend_gost_mgm_seal(&key.key, nonce.data, nonce.size, associated.data, associated.size,
                               data.data, data.size, out, out + data.size, tag, threads);
}

stend_gost_status Mgm::open(const In& nonce, const In& associated, const In& data,
                            std::uint8_t* out) const {
    const std::size_t size = data.size - tag;
    return mgm_open(key, nonce.span(), associated.span(), {data.data, size},
                    {data.data + size, tag}, threads, out);
}

nb::object Mgm::encrypt(nb::handle nonce, nb::handle data, nb::handle associated) const {
    const In starts(nonce, "A nonce"), in(data, "The data");
    const Associated beside(associated);
    check_nonce(starts, key);
    nb::object out = new_bytes(in.size + tag);
    check(seal(starts, beside, in, bytes_of(out)));
    return out;
}

nb::object Mgm::decrypt(nb::handle nonce, nb::handle data, nb::handle associated) const {
    const In starts(nonce, "A nonce"), in(data, "The data");
    const Associated beside(associated);
    check_nonce(starts, key);
    nb::object out = new_bytes(plain_size(in));
    check(open(starts, beside, in, bytes_of(out)));
    return out;
}

std::size_t Mgm::encrypt_into(nb::handle nonce, nb::handle data, nb::handle associated,
                              nb::handle buffer) const {
    const In starts(nonce, "A nonce"), in(data, "The data");
    const Associated beside(associated);
    const Out out(buffer);
    check_nonce(starts, key);
    const std::size_t written = in.size + tag;
    out.require(written);
    out.forbid_overlap(in, written);
    out.forbid_any_overlap(starts, written, "The nonce");
    out.forbid_any_overlap(beside, written, "The associated data");
    check(seal(starts, beside, in, out.data));
    return written;
}

std::size_t Mgm::decrypt_into(nb::handle nonce, nb::handle data, nb::handle associated,
                              nb::handle buffer) const {
    const In starts(nonce, "A nonce"), in(data, "The data");
    const Associated beside(associated);
    const Out out(buffer);
    check_nonce(starts, key);
    const std::size_t written = plain_size(in);
    out.require(written);
    out.forbid_overlap(in, written);
    out.forbid_any_overlap(starts, written, "The nonce");
    out.forbid_any_overlap(beside, written, "The associated data");
    check(open(starts, beside, in, out.data));
    return written;
}

}  // namespace

void check_nonce(const In& nonce, const Key& key) {
    if (nonce.size != key.block()) [[unlikely]]
        raise("BadNonce", std::string("A nonce of MGM with ") + spoken(key.cipher()) + " has " +
                              std::to_string(key.block()) + " bytes, not " +
                              std::to_string(nonce.size) + ".");
    if (nonce.data[0] >= 0x80) [[unlikely]]
        raise("BadNonce",
              "The first bit of a nonce of MGM has to be 0; the first byte of this one " +
                  ("is " + std::to_string(nonce.data[0])) + ", at most 127.");
}

std::size_t mgm_tag(nb::handle asked, const Key& key) {
    return checked_tag(asked, 4, key.block(), "MGM with ", key.cipher());
}

stend_gost_status mgm_open(const Key& key, Span nonce, Span associated, Span data, Span tag,
                           unsigned threads, std::uint8_t* out) {
    const Unlocked unlocked(data.size + associated.size);
    const stend_gost_status status =
        stend_gost_mgm_open(&key.key, nonce.data, nonce.size, associated.data, associated.size,
                            data.data, data.size, out, tag.data, tag.size, threads);
    // Nobody has sealed nothing at all, so this was forged.
    return status == STEND_GOST_EMPTY ? STEND_GOST_FORGED : status;
}

void bind_mgm(nb::module_& module) {
    nb::class_<Mgm>(module, "Mgm")
        .def(nb::init<std::string_view, nb::handle, nb::handle, nb::handle, nb::handle>(),
             "cipher"_a, "key"_a.none(), "tag_length"_a.none(), "variant"_a.none(),
             "threads"_a.none())
        .def_ro("tag_length", &Mgm::tag)
        .def_prop_ro("variant", [](const Mgm& mgm) { return stend_gost_key_variant(&mgm.key.key); })
        .def("encrypt", &Mgm::encrypt, "nonce"_a.none(), "data"_a.none(),
             "associated_data"_a.none() = nb::none(), "Give the ciphertext with the tag behind it.")
        .def("decrypt", &Mgm::decrypt, "nonce"_a.none(), "data"_a.none(),
             "associated_data"_a.none() = nb::none(),
             "Give the message of a ciphertext with its tag; raise InvalidTag, and give nothing.")
        .def(
            "encrypt_into", &Mgm::encrypt_into, "nonce"_a.none(), "data"_a.none(),
            "associated_data"_a.none(), "buffer"_a.none(),
            "Write ciphertext and tag into a buffer, which may begin with the data; give how many.")
        .def("decrypt_into", &Mgm::decrypt_into, "nonce"_a.none(), "data"_a.none(),
             "associated_data"_a.none(), "buffer"_a.none(),
             "Write the message into a buffer, zeros if the tag is wrong; give how many bytes.");
}

}  // namespace stend::bindings::gost
