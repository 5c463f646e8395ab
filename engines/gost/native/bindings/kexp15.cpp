// _gost.kexp15 and kimp15: keys, protected by two others for transport.
#include "gost.h"

namespace nb = nanobind;
using namespace nb::literals;

namespace stend::bindings::gost {
namespace {

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

void bind_kexp15(nb::module_& module) {
    module.def("kexp15", &kexp15, "mac_key"_a.none(), "cipher_key"_a.none(), "iv"_a.none(),
               "key"_a.none(),
               "KExp15 (R 1323565.1.017-2018): a key of any size, protected by two others.");
    module.def("kimp15", &kimp15, "mac_key"_a.none(), "cipher_key"_a.none(), "iv"_a.none(),
               "exported"_a.none(),
               "KImp15: the key that KExp15 was given; raises InvalidTag when it was changed.");
}

}  // namespace stend::bindings::gost
