// _gost.MgmEncryption: one message in pieces, encrypted with authentication.
#include "gost.h"

namespace nb = nanobind;
using namespace nb::literals;

namespace stend::bindings::gost {
namespace {

struct MgmEncryption {
    nb::object key;  // the context points into it
    std::size_t tag_bytes;
    bool busy = false;
    bool message_begun = false;
    bool has_tag = false;
    std::uint8_t tag[STEND_GOST_LARGEST_BLOCK];
    stend_gost_mgm context;

    MgmEncryption(nb::object algorithm, nb::handle nonce, nb::handle tag_length,
                  nb::handle threads);
    ~MgmEncryption() { stend_gost_mgm_wipe(&context); }
    MgmEncryption(const MgmEncryption&) = delete;
    MgmEncryption& operator=(const MgmEncryption&) = delete;

    void authenticate(nb::handle data);
    nb::object update(nb::handle data);
    std::size_t update_into(nb::handle data, nb::handle buffer);
    nb::object finalize();
    nb::object tag_made() const;

private:
    void encrypt(const In& in, std::uint8_t* out);
};

MgmEncryption::MgmEncryption(nb::object algorithm, nb::handle nonce, nb::handle tag_length,
                             nb::handle threads)
    : key(std::move(algorithm)) {
    const Key& made = key_of(key, "An algorithm");
    tag_bytes = mgm_tag(tag_length, made);
    const In in(nonce, "A nonce");
    check_nonce(in, made);
    check(stend_gost_mgm_init(&context, &made.key, STEND_GOST_ENCRYPT, in.data, in.size));
    check(stend_gost_mgm_threads(&context, checked_threads(threads)));
}

void MgmEncryption::authenticate(nb::handle data) {
    const InUse in_use(busy);
    const In in(data, "Associated data");
    if (message_begun) {
        check(stend_gost_mgm_associated(&context, nullptr, 0));  // nothing, unless it has ended
        raise_updated();
    }
    stend_gost_status status;
    {
        const Unlocked unlocked(in.size);
        status = stend_gost_mgm_associated(&context, in.data, in.size);
    }
    check(status);
}

void MgmEncryption::encrypt(const In& in, std::uint8_t* out) {
    message_begun = true;
    stend_gost_status status;
    {
        const Unlocked unlocked(in.size);
        status = stend_gost_mgm_update(&context, in.data, in.size, out);
    }
    check(status);
}

nb::object MgmEncryption::update(nb::handle data) {
    const InUse in_use(busy);
    const In in(data, "The data");
    nb::object out = new_bytes(in.size);
    encrypt(in, bytes_of(out));
    return out;
}

std::size_t MgmEncryption::update_into(nb::handle data, nb::handle buffer) {
    const InUse in_use(busy);
    const In in(data, "The data");
    const Out out(buffer);
    out.require(in.size);
    out.forbid_overlap(in, in.size);
    encrypt(in, out.data);
    return in.size;
}

nb::object MgmEncryption::finalize() {
    const InUse in_use(busy);
    check(stend_gost_mgm_finish(&context, tag, tag_bytes));
    has_tag = true;
    return nb::bytes("", 0);
}

nb::object MgmEncryption::tag_made() const {
    if (!has_tag)
        raise("NotYetFinalized", "There is a tag when the message has ended: finalize().");
    return nb::bytes(tag, tag_bytes);
}

// What MGM is asked for, looked at before there is a context; gives the tag's size.
std::size_t checked(nb::handle algorithm, nb::handle nonce, nb::handle tag_length) {
    const Key& key = key_of(algorithm, "An algorithm");
    check_nonce(In(nonce, "A nonce"), key);
    return mgm_tag(tag_length, key);
}

}  // namespace

void bind_mgm_encryption(nb::module_& module) {
    nb::class_<MgmEncryption>(module, "MgmEncryption")
        .def(nb::init<nb::object, nb::handle, nb::handle, nb::handle>(), "algorithm"_a, "nonce"_a,
             "tag_length"_a.none(), "threads"_a)
        .def("authenticate_additional_data", &MgmEncryption::authenticate, "data"_a.none(),
             "Take in associated data, all of it before the message.")
        .def("update", &MgmEncryption::update, "data"_a.none(),
             "Take in more of the message; give it encrypted.")
        .def("update_into", &MgmEncryption::update_into, "data"_a.none(), "buffer"_a.none(),
             "Write it encrypted into a buffer, which may be the data's; give how many bytes.")
        .def("finalize", &MgmEncryption::finalize, "End the message; there is its tag then.")
        .def_prop_ro("tag", &MgmEncryption::tag_made);
    module.def("check_mgm", &checked, "algorithm"_a, "nonce"_a, "tag_length"_a.none());
}

}  // namespace stend::bindings::gost
