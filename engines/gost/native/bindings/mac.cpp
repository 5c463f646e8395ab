// _gost.Mac: OMAC, OMAC-ACPKM and the imitovstavka of GOST 28147-89; _gost.omac_many.
#include <memory>
#include <vector>

#include "gost.h"

namespace nb = nanobind;
using namespace nb::literals;

namespace stend::bindings::gost {
namespace {

bool is_28147(stend_gost_cipher cipher) {
    return cipher > STEND_GOST_MAGMA;
}

std::size_t tag_of(nb::handle asked, const Key& key) {
    if (asked.is_none() && is_28147(key.cipher())) return 4;  // RFC 5830, 8: 32 bits as a rule
    return checked_tag(asked, 1, key.block(), "", key.cipher());
}

struct Mac {
    nb::object key;  // the context points into it
    std::size_t tag_bytes;
    bool busy = false;
    stend_gost_mac context;

    Mac(nb::object algorithm, nb::handle tag_length, std::size_t section,
        std::size_t master_section);
    Mac(const Mac&) = default;  // a context is plain memory that holds no pointer into itself
    Mac& operator=(const Mac&) = delete;
    ~Mac() { stend_gost_mac_wipe(&context); }

    void update(nb::handle data);
    nb::object finalize();
    void verify(nb::handle tag);
};

Mac::Mac(nb::object algorithm, nb::handle tag_length, std::size_t section,
         std::size_t master_section)
    : key(std::move(algorithm)) {
    const Key& made = key_of(key, "An algorithm");
    tag_bytes = tag_of(tag_length, made);
    check(stend_gost_mac_init(&context, &made.key));
    if (section != 0 || master_section != 0)
        check(stend_gost_mac_sections(&context, section, master_section));
}

void Mac::update(nb::handle data) {
    const InUse in_use(busy);
    const In in(data, "The data");
    stend_gost_status status;
    {
        const Unlocked unlocked(in.size);
        status = stend_gost_mac_update(&context, in.data, in.size);
    }
    check(status);
}

nb::object Mac::finalize() {
    const InUse in_use(busy);
    nb::object tag = new_bytes(tag_bytes);
    check(stend_gost_mac_finish(&context, bytes_of(tag), tag_bytes));
    return tag;
}

void Mac::verify(nb::handle tag) {
    const InUse in_use(busy);
    const In in(tag, "A tag");
    if (in.size != tag_bytes)
        raise("InvalidTag", "The tag has " + std::to_string(in.size) + " bytes where " +
                                std::to_string(tag_bytes) + " were expected.");
    check(stend_gost_mac_verify(&context, in.data, in.size));
}

// A copy that goes on by itself, of the class that `self` has in Python.
nb::object copied(nb::handle_t<Mac> self) {
    if (!nb::inst_ready(self)) throw nb::type_error("This context was never made.");
    Mac& mac = *nb::inst_ptr<Mac>(self);
    const InUse in_use(mac.busy);
    const nb::object made = nb::inst_alloc(self.type());
    Mac* const copy = new (nb::inst_ptr<Mac>(made)) Mac(mac);
    nb::inst_mark_ready(made);
    copy->busy = false;
    return made;
}

void require_iterable(nb::handle things, const char* what) {
    if (!nb::hasattr(things, "__iter__"))
        throw nb::type_error((std::string(what) + " to be a list or another iterable, not " +
                              type_of(things.ptr()) + ".")
                                 .c_str());
}

// One key for all messages, or as many keys as messages.
std::vector<const stend_gost_key*> keys_of(nb::handle algorithms, std::size_t count) {
    if (nb::isinstance<Key>(algorithms))
        return std::vector(count, &key_of(algorithms, "An algorithm").key);
    std::vector<const stend_gost_key*> keys;
    for (nb::handle algorithm : algorithms) keys.push_back(&key_of(algorithm, "An algorithm").key);
    if (keys.size() != count)
        raise("BadOption", std::to_string(keys.size()) + " algorithms are not one for each of " +
                               std::to_string(count) + " messages.");
    for (const stend_gost_key* key : keys)
        if (stend_gost_key_cipher(key) != stend_gost_key_cipher(keys.front()) ||
            std::string_view(stend_gost_key_variant(key)) != stend_gost_key_variant(keys.front()))
            raise("BadOption", "The algorithms have to be of one cipher and one variant.");
    return keys;
}

nb::list omac_many(nb::handle algorithms, nb::handle messages, nb::handle tag_length) {
    std::vector<std::unique_ptr<In>> buffers;
    std::vector<const void*> starts;
    std::vector<std::size_t> sizes;
    std::size_t total = 0;
    if (!nb::isinstance<Key>(algorithms)) require_iterable(algorithms, "The algorithms have");
    require_iterable(messages, "The messages have");
    const nb::list kept(messages);  // what a generator made has to outlive the call
    for (nb::handle message : kept) {
        const In& in = *buffers.emplace_back(std::make_unique<In>(message, "A message"));
        starts.push_back(in.data);
        sizes.push_back(in.size);
        total += in.size;
    }
    const nb::object held =
        nb::isinstance<Key>(algorithms) ? nb::borrow(algorithms) : nb::list(algorithms);
    nb::list tags;
    if (kept.size() == 0) return tags;
    const auto keys = keys_of(held, kept.size());
    const auto* first = reinterpret_cast<const Key*>(keys.front());  // its first member
    const std::size_t tag = tag_of(tag_length, *first);
    std::vector<std::uint8_t> out(tag * kept.size());
    stend_gost_status status;
    {
        const Unlocked unlocked(total);
        status = stend_gost_mac_many(keys.data(), starts.data(), sizes.data(), keys.size(),
                                     out.data(), tag);
    }
    check(status);
    for (std::size_t i = 0; i < kept.size(); ++i) tags.append(nb::bytes(&out[i * tag], tag));
    return tags;
}

}  // namespace

void bind_mac(nb::module_& module) {
    nb::class_<Mac>(module, "Mac")
        .def(nb::init<nb::object, nb::handle, std::size_t, std::size_t>(), "algorithm"_a.none(),
             "tag_length"_a.none(), "section"_a, "master_section"_a)
        .def_ro("tag_length", &Mac::tag_bytes)
        .def("update", &Mac::update, "data"_a.none(), "Take in more of the message.")
        .def("finalize", &Mac::finalize, "End the message; give its tag.")
        .def("verify", &Mac::verify, "tag"_a.none(),
             "End the message; raise InvalidTag unless the tag is its, compared in constant time.")
        .def("copy", &copied, "Make another context that goes on from here.");
    module.def("omac_many", &omac_many, "algorithms"_a.none(), "messages"_a.none(),
               "tag_length"_a.none() = nb::none(),
               "OMAC of many messages at once, with one algorithm for all or one for each.");
}

}  // namespace stend::bindings::gost
