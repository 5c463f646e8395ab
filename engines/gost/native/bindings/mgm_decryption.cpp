// _gost.MgmDecryption: one message taken in pieces and given at the end, when its tag was checked.
#include <cstring>
#include <vector>

#include "gost.h"

namespace nb = nanobind;
using namespace nb::literals;

namespace stend::bindings::gost {
namespace {

// What is taken in is kept, still encrypted. Decrypting it at once would give out, or keep in
// memory, what nobody may have written; a second pass over it costs no more than the first.
struct MgmDecryption {
    nb::object key;
    std::uint8_t nonce[STEND_GOST_LARGEST_BLOCK];
    nb::object tag;  // None until finalize_with_tag() names it
    std::size_t tag_bytes;
    unsigned threads;
    bool busy = false;
    bool message_begun = false;
    bool ended = false;
    std::vector<std::uint8_t> associated, data;

    MgmDecryption(nb::object algorithm, nb::handle starts, nb::object with_tag,
                  nb::handle tag_length, nb::handle sharing);
    MgmDecryption(const MgmDecryption&) = delete;
    MgmDecryption& operator=(const MgmDecryption&) = delete;

    void authenticate(nb::handle more);
    nb::object update(nb::handle more);
    std::size_t update_into(nb::handle more, nb::handle buffer);
    nb::object finalize();
    nb::object finalize_with_tag(nb::handle named);

private:
    void require_not_ended() const {
        if (ended) raise(STEND_GOST_FINISHED);
    }
    nb::object opened(const In& with_tag);
};

MgmDecryption::MgmDecryption(nb::object algorithm, nb::handle starts, nb::object with_tag,
                             nb::handle tag_length, nb::handle sharing)
    : key(std::move(algorithm)), tag(std::move(with_tag)), threads(checked_threads(sharing)) {
    const Key& made = key_of(key, "An algorithm");
    const In in(starts, "A nonce");
    check_nonce(in, made);
    std::memcpy(nonce, in.data, in.size);
    tag_bytes = mgm_tag(tag_length, made);
}

void MgmDecryption::authenticate(nb::handle more) {
    const InUse in_use(busy);
    const In in(more, "Associated data");
    require_not_ended();
    if (message_begun) raise_updated();
    associated.insert(associated.end(), in.data, in.data + in.size);
}

nb::object MgmDecryption::update(nb::handle more) {
    const InUse in_use(busy);
    const In in(more, "The data");
    require_not_ended();
    message_begun = true;
    data.insert(data.end(), in.data, in.data + in.size);
    return nb::bytes("", 0);
}

std::size_t MgmDecryption::update_into(nb::handle more, nb::handle buffer) {
    { const Out out(buffer); }  // only looked at: nothing is given out yet
    update(more);
    return 0;
}

nb::object MgmDecryption::finalize() {
    require_not_ended();
    if (tag.is_none())
        raise("BadOption",
              "To decrypt, the tag is needed: modes.MGM(nonce, tag), or finalize_with_tag(tag).");
    return finalize_with_tag(tag);
}

nb::object MgmDecryption::finalize_with_tag(nb::handle named) {
    const InUse in_use(busy);
    const In with_tag(named, "A tag");
    require_not_ended();
    ended = true;
    return opened(with_tag);
}

nb::object MgmDecryption::opened(const In& with_tag) {
    if (with_tag.size != tag_bytes)
        raise("InvalidTag", "The tag has " + std::to_string(with_tag.size) + " bytes where " +
                                std::to_string(tag_bytes) + " were expected.");
    const Key& made = key_of(key, "An algorithm");
    const std::vector<std::uint8_t> beside = std::move(associated), in = std::move(data);
    nb::object out = new_bytes(in.size());
    check(mgm_open(made, {nonce, made.block()}, {beside.data(), beside.size()},
                   {in.data(), in.size()}, {with_tag.data, with_tag.size}, threads, bytes_of(out)));
    return out;
}

}  // namespace

void bind_mgm_decryption(nb::module_& module) {
    nb::class_<MgmDecryption>(module, "MgmDecryption")
        .def(nb::init<nb::object, nb::handle, nb::object, nb::handle, nb::handle>(), "algorithm"_a,
             "nonce"_a, "tag"_a.none(), "tag_length"_a.none(), "threads"_a)
        .def("authenticate_additional_data", &MgmDecryption::authenticate, "data"_a.none(),
             "Take in associated data, all of it before the message.")
        .def("update", &MgmDecryption::update, "data"_a.none(),
             "Take in more of what is encrypted, and keep it; give nothing yet.")
        .def("update_into", &MgmDecryption::update_into, "data"_a.none(), "buffer"_a.none(),
             "As update: the buffer stays as it is.")
        .def("finalize", &MgmDecryption::finalize,
             "Give the message, if the mode's tag is its; else raise InvalidTag.")
        .def("finalize_with_tag", &MgmDecryption::finalize_with_tag, "tag"_a.none(),
             "Give the message, if this tag is its; else raise InvalidTag.");
}

}  // namespace stend::bindings::gost
