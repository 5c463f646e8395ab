// A status or a sentence in, an exception of stend_gost.errors out.
#include "gost.h"

namespace nb = nanobind;

namespace stend::bindings::gost {
namespace {

const char* exception_of(stend_gost_status status) {
    switch (status) {
        case STEND_GOST_BAD_IV:
            return "BadNonce";
        case STEND_GOST_BAD_VARIANT:
        case STEND_GOST_BAD_ENVIRONMENT:
            return "BadVariant";
        case STEND_GOST_BAD_TAG_SIZE:
            return "BadTagSize";
        case STEND_GOST_PARTIAL:
            return "PartialBlock";
        case STEND_GOST_BAD_PADDING:
            return "BadPadding";
        case STEND_GOST_NO_ROOM:
            return "BadBuffer";
        case STEND_GOST_TOO_LONG:
            return "TooLong";
        case STEND_GOST_EMPTY:
            return "EmptyMessage";
        case STEND_GOST_FINISHED:
            return "AlreadyFinalized";
        case STEND_GOST_FORGED:
            return "InvalidTag";
        default:
            return "BadOption";
    }
}

}  // namespace

std::string type_of(PyObject* object) {
    const nb::object name = nb::steal(PyType_GetName(Py_TYPE(object)));
    if (!name.is_valid()) throw nb::python_error();
    return nb::str(name).c_str();
}

void raise(const char* name, const std::string& sentence) {
    const nb::object kind = nb::module_::import_("stend_gost.errors").attr(name);
    PyErr_SetString(kind.ptr(), sentence.c_str());
    throw nb::python_error();
}

void raise(stend_gost_status status) {
    raise(exception_of(status),
          status == STEND_GOST_FINISHED
              ? "This context was finished, or an earlier call of it failed; make a new one."
              : stend_gost_message(status));
}

void raise_updated() {
    raise("AlreadyUpdated", "All associated data come before the message, which has begun.");
}

}  // namespace stend::bindings::gost
