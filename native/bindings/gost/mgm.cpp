// _gost.Mgm: whole messages encrypted with authentication; _gost.kexp15 and kimp15.
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
    void check_nonce(const In& nonce) const;
    std::size_t plain_size(const In& data) const;
    stend_gost_status seal(const In& nonce, const In& associated, const In& data,
                           std::uint8_t* out) const;
    stend_gost_status open(const In& nonce, const In& associated, const In& data,
                           std::uint8_t* out) const;
};

std::size_t checked_tag(nb::handle asked, const Key& key) {
    const auto longest = static_cast<long>(key.block());
    const long size = asked.is_none() ? longest : PyLong_AsLong(asked.ptr());
    if (size == -1 && PyErr_Occurred() != nullptr) throw nb::python_error();
    if (size < 4 || size > longest)
        raise("BadTagSize", std::string("A tag of MGM with ") + spoken(key.cipher()) +
                                " has 4 to " + std::to_string(longest) + " bytes, not " +
                                std::to_string(size) + ".");
    return static_cast<std::size_t>(size);
}

Mgm::Mgm(std::string_view cipher, nb::handle key_bytes, nb::handle tag_length, nb::handle variant,
         nb::handle sharing)
    : key(cipher, key_bytes, variant),
      tag(checked_tag(tag_length, key)),
      threads(checked_threads(sharing)) {}

void Mgm::check_nonce(const In& nonce) const {
    if (nonce.size != key.block()) [[unlikely]]
        raise("BadNonce", std::string("A nonce of MGM with ") + spoken(key.cipher()) + " has " +
                              std::to_string(key.block()) + " bytes, not " +
                              std::to_string(nonce.size) + ".");
    if (nonce.data[0] >= 0x80) [[unlikely]]
        raise("BadNonce",
              "The first bit of a nonce of MGM has to be 0; the first byte of this one " +
                  ("is " + std::to_string(nonce.data[0])) + ", at most 127.");
}

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
    const Unlocked unlocked(data.size + associated.size);
    const std::size_t size = data.size - tag;
    const stend_gost_status status =
        stend_gost_mgm_open(&key.key, nonce.data, nonce.size, associated.data, associated.size,
                            data.data, size, out, data.data + size, tag, threads);
    // Nobody has sealed nothing at all, so this was forged.
    return status == STEND_GOST_EMPTY ? STEND_GOST_FORGED : status;
}

nb::object Mgm::encrypt(nb::handle nonce, nb::handle data, nb::handle associated) const {
    const In starts(nonce, "A nonce"), in(data, "The data"), beside(associated, "Associated data");
    check_nonce(starts);
    nb::object out = new_bytes(in.size + tag);
    check(seal(starts, beside, in, bytes_of(out)));
    return out;
}

nb::object Mgm::decrypt(nb::handle nonce, nb::handle data, nb::handle associated) const {
    const In starts(nonce, "A nonce"), in(data, "The data"), beside(associated, "Associated data");
    check_nonce(starts);
    nb::object out = new_bytes(plain_size(in));
    check(open(starts, beside, in, bytes_of(out)));
    return out;
}

std::size_t Mgm::encrypt_into(nb::handle nonce, nb::handle data, nb::handle associated,
                              nb::handle buffer) const {
    const In starts(nonce, "A nonce"), in(data, "The data"), beside(associated, "Associated data");
    const Out out(buffer);
    check_nonce(starts);
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
    const In starts(nonce, "A nonce"), in(data, "The data"), beside(associated, "Associated data");
    const Out out(buffer);
    check_nonce(starts);
    const std::size_t written = plain_size(in);
    out.require(written);
    out.forbid_overlap(in, written);
    out.forbid_any_overlap(starts, written, "The nonce");
    out.forbid_any_overlap(beside, written, "The associated data");
    check(open(starts, beside, in, out.data));
    return written;
}

// Both keys and the vector of key export; raises when they do not fit.
struct Export {
    const Key& mac;
    const Key& cipher;
    In iv;

    Export(nb::handle mac_key, nb::handle cipher_key, nb::handle vector)
        : mac(key_of(mac_key, "The MAC key")),
          cipher(key_of(cipher_key, "The cipher key")),
          iv(vector, "An initialisation vector") {
        if (mac.cipher() != cipher.cipher())
            raise("BadOption", std::string("The keys are of two ciphers, ") + spoken(mac.cipher()) +
                                   " and " + spoken(cipher.cipher()) + "; give two of one.");
        if (iv.size != mac.block() / 2)
            raise("BadNonce", std::string("An initialisation vector of key export with ") +
                                  spoken(mac.cipher()) + " has " + std::to_string(mac.block() / 2) +
                                  " bytes, not " + std::to_string(iv.size) + ".");
    }
};

nb::object kexp15(nb::handle mac_key, nb::handle cipher_key, nb::handle iv, nb::handle key) {
    const Export with(mac_key, cipher_key, iv);
    const In in(key, "A key");
    nb::object out = new_bytes(in.size + with.mac.block());
    check(stend_gost_kexp15(&with.mac.key, &with.cipher.key, with.iv.data, with.iv.size, in.data,
                            in.size, bytes_of(out)));
    return out;
}

nb::object kimp15(nb::handle mac_key, nb::handle cipher_key, nb::handle iv, nb::handle exported) {
    const Export with(mac_key, cipher_key, iv);
    const In in(exported, "An exported key");
    if (in.size < with.mac.block())
        raise("InvalidTag", "An exported key of " + std::to_string(in.size) +
                                " bytes is shorter than its tag of " +
                                std::to_string(with.mac.block()) + ".");
    nb::object out = new_bytes(in.size - with.mac.block());
    check(stend_gost_kimp15(&with.mac.key, &with.cipher.key, with.iv.data, with.iv.size, in.data,
                            in.size, bytes_of(out)));
    return out;
}

}  // namespace

void bind_mgm(nb::module_& module) {
    nb::class_<Mgm>(module, "Mgm")
        .def(nb::init<std::string_view, nb::handle, nb::handle, nb::handle, nb::handle>(),
             "cipher"_a, "key"_a, "tag_length"_a.none(), "variant"_a.none(), "threads"_a)
        .def_ro("tag_length", &Mgm::tag)
        .def_prop_ro("variant", [](const Mgm& mgm) { return stend_gost_key_variant(&mgm.key.key); })
        .def("encrypt", &Mgm::encrypt, "nonce"_a, "data"_a, "associated_data"_a.none() = nb::none(),
             "Give the ciphertext with the tag behind it.")
        .def("decrypt", &Mgm::decrypt, "nonce"_a, "data"_a, "associated_data"_a.none() = nb::none(),
             "Give the message of a ciphertext with its tag; raise InvalidTag, and give nothing.")
        .def(
            "encrypt_into", &Mgm::encrypt_into, "nonce"_a, "data"_a, "associated_data"_a.none(),
            "buffer"_a,
            "Write ciphertext and tag into a buffer, which may begin with the data; give how many.")
        .def("decrypt_into", &Mgm::decrypt_into, "nonce"_a, "data"_a, "associated_data"_a.none(),
             "buffer"_a,
             "Write the message into a buffer, zeros if the tag is wrong; give how many bytes.");
    module.def("kexp15", &kexp15, "mac_key"_a, "cipher_key"_a, "iv"_a, "key"_a,
               "KExp15 (R 1323565.1.017-2018): a key of any size, protected by two others.");
    module.def("kimp15", &kimp15, "mac_key"_a, "cipher_key"_a, "iv"_a, "exported"_a,
               "KImp15: the key that KExp15 was given; raises InvalidTag when it was changed.");
}

}  // namespace stend::bindings::gost
