// Each status as a sentence; the version.
#include <cstdio>
#include <exception>

#include "isa/isa.h"
#include "stend/gost.h"

namespace {

// What is wrong with STEND_DISABLE_ISA now.
const char* environment_fault() {
    thread_local char kept[512];
    try {
        stend::isa::disabled();
        return "STEND_DISABLE_ISA had a word that is no instruction-set extension.";
    } catch (const std::exception& error) {
        std::snprintf(kept, sizeof kept, "%s", error.what());
    }
    return kept;
}

}  // namespace

const char* stend_gost_version() {
    return STEND_GOST_VERSION;
}

const char* stend_gost_message(stend_gost_status status) {
    switch (status) {
        case STEND_GOST_OK:
            return "It was done.";
        case STEND_GOST_BAD_CIPHER:
            return "There is no such cipher, or it is not one for this operation.";
        case STEND_GOST_BAD_VARIANT:
            return "There is no such variant of the cipher, or this machine can't run it.";
        case STEND_GOST_BAD_IV:
            return "The initialisation vector or nonce is not of the size that the mode takes, or, "
                   "for MGM, its first bit is not 0.";
        case STEND_GOST_BAD_SECTION:
            return "A section, after which the key changes, is whole blocks and not empty, a "
                   "master section as many bytes as key and block together or a multiple; for "
                   "GOST 28147-89 a section is 1024 bytes.";
        case STEND_GOST_BAD_TAG_SIZE:
            return "The tag is longer than a block or shorter than the mode allows.";
        case STEND_GOST_BAD_OPTION:
            return "The mode, padding, direction or option do not go together, or it is too late "
                   "for this one.";
        case STEND_GOST_PARTIAL:
            return "The message does not end with a whole block, and the mode pads nothing.";
        case STEND_GOST_BAD_PADDING:
            return "What was decrypted does not end with the padding: damaged, or another key.";
        case STEND_GOST_NO_ROOM:
            return "The output does not fit into the buffer; nothing was done.";
        case STEND_GOST_TOO_LONG:
            return "The message is longer than the mode allows with one nonce.";
        case STEND_GOST_EMPTY:
            return "There is nothing to authenticate: neither a message nor associated data.";
        case STEND_GOST_FINISHED:
            return "The key or context was finished, has failed or was never made.";
        case STEND_GOST_FORGED:
            return "The tag is not the message's: it is forged or damaged, or the key is another.";
        case STEND_GOST_BAD_KEY_SIZE:
            return "A key has 32 bytes.";
        case STEND_GOST_BAD_ENVIRONMENT:
            return environment_fault();
    }
    return "This is no status of the library.";
}
