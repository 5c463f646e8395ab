// _gost.Key, a cipher with its key and variant; _gost.variants.
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/vector.h>

#include <array>
#include <vector>

#include "gost.h"

namespace nb = nanobind;
using namespace nb::literals;

namespace stend::bindings::gost {
namespace {

struct Name {
    const char* name;
    const char* spoken;
};

// In the order of stend_gost_cipher.
constexpr std::array<Name, 7> names = {{
    {"kuznyechik", "Kuznyechik"},
    {"magma", "Magma"},
    {"gost28147-tc26-z", "GOST 28147-89"},
    {"gost28147-cryptopro-a", "GOST 28147-89"},
    {"gost28147-cryptopro-b", "GOST 28147-89"},
    {"gost28147-cryptopro-c", "GOST 28147-89"},
    {"gost28147-cryptopro-d", "GOST 28147-89"},
}};

struct Variant {
    const char* name;
    std::string reason;
    bool constant_time;

    bool available() const { return reason.empty(); }
};

std::vector<Variant> variants(std::string_view cipher_name) {
    const stend_gost_cipher cipher = cipher_named(cipher_name);
    std::vector<Variant> found;
    for (std::size_t i = 0; const char* name = stend_gost_variant(cipher, i); ++i) {
        const char* lacks = stend_gost_variant_lacks(cipher, name);
        found.push_back({name, lacks != nullptr ? lacks : "",
                         stend_gost_variant_constant_time(cipher, name) == 1});
    }
    return found;
}

std::string listed_variants(stend_gost_cipher cipher) {
    std::string list;
    for (std::size_t i = 0; const char* name = stend_gost_variant(cipher, i); ++i)
        list += (i > 0 ? ", " : "") + std::string(name);
    return list;
}

bool is_listed(stend_gost_cipher cipher, std::string_view variant) {
    for (std::size_t i = 0; const char* name = stend_gost_variant(cipher, i); ++i)
        if (variant == name) return true;
    return false;
}

// The variant's name, NULL for the default; raises unless it is one and runs here.
const char* checked_variant(stend_gost_cipher cipher, nb::handle variant) {
    if (variant.is_none()) return nullptr;
    if (!PyUnicode_Check(variant.ptr()))
        throw nb::type_error((std::string("A variant is named by a str, or None for the fastest, "
                                          "not ") +
                              type_of(variant.ptr()) + ".")
                                 .c_str());
    Py_ssize_t size = 0;
    const char* const name = PyUnicode_AsUTF8AndSize(variant.ptr(), &size);
    if (name == nullptr) PyErr_Clear();  // half a surrogate pair, which no name has
    if (name == nullptr || !is_listed(cipher, {name, static_cast<std::size_t>(size)}))
        raise("BadVariant", std::string(spoken(cipher)) + " has no variant " +
                                nb::repr(variant).c_str() + "; it has " + listed_variants(cipher) +
                                ".");
    if (const char* lacks = stend_gost_variant_lacks(cipher, name))
        raise("BadVariant", "The variant '" + std::string(name) + "' can't run here: " + lacks);
    return name;
}

}  // namespace

stend_gost_cipher cipher_named(std::string_view name) {
    for (std::size_t i = 0; i < names.size(); ++i)
        if (names[i].name == name) return static_cast<stend_gost_cipher>(i);
    raise("BadOption", "There is no cipher '" + std::string(name) + "'.");
}

const char* spoken(stend_gost_cipher cipher) {
    return names[cipher].spoken;
}

Key::Key(std::string_view cipher_name, nb::handle bytes, nb::handle variant) {
    const stend_gost_cipher cipher = cipher_named(cipher_name);
    const In in(bytes, "A key");
    if (in.size != STEND_GOST_KEY_BYTES)
        raise("BadKey", std::string("A key of ") + spoken(cipher) + " has 32 bytes, not " +
                            std::to_string(in.size) + ".");
    check(stend_gost_key_init(&key, cipher, in.data, checked_variant(cipher, variant)));
}

const Key& key_of(nb::handle object, const char* what) {
    if (!nb::isinstance<Key>(object) || !nb::inst_ready(object))
        throw nb::type_error((std::string(what) + " has to be Kuznyechik(key), Magma(key) or " +
                              "GOST28147(key), not " + type_of(object.ptr()) + ".")
                                 .c_str());
    return *nb::inst_ptr<Key>(object);
}

void bind_key(nb::module_& module) {
    nb::class_<Variant>(module, "Variant")
        .def_ro("name", &Variant::name)
        .def_ro("reason", &Variant::reason)
        .def_ro("constant_time", &Variant::constant_time)
        .def_prop_ro("available", &Variant::available)
        .def("__repr__", [](const Variant& variant) {
            return nb::str("<Variant '{}'{}{}>")
                .format(variant.name, variant.constant_time ? "" : ", not constant time",
                        variant.available() ? "" : ", can't run here");
        });
    module.def("variants", &variants, "cipher"_a);
    module.def("checked_threads", &checked_threads, "threads"_a.none());
    nb::class_<Key>(module, "Key")
        .def(nb::init<std::string_view, nb::handle, nb::handle>(), "cipher"_a, "key"_a.none(),
             "variant"_a.none())
        .def_prop_ro("variant", [](const Key& key) { return stend_gost_key_variant(&key.key); })
        .def_prop_ro("block_size", &Key::block);
}

}  // namespace stend::bindings::gost
