/* Uses the installed C header: RFC 9058, A.2, example 2, and a message that was tampered with. */
#include <stdio.h>
#include <stend/gost.h>
#include <string.h>

static const unsigned char key_bytes[32] = {
    0x99, 0xaa, 0xbb, 0xcc, 0xdd, 0xee, 0xff, 0x00, 0x11, 0x22, 0x33, 0x44, 0x55, 0x66, 0x77, 0xfe,
    0xdc, 0xba, 0x98, 0x76, 0x54, 0x32, 0x10, 0x01, 0x23, 0x45, 0x67, 0x89, 0xab, 0xcd, 0xef, 0x88};
static const unsigned char nonce[8] = {0x00, 0x77, 0x66, 0x55, 0x44, 0x33, 0x22, 0x11};
static const unsigned char message[8] = {0x22, 0x33, 0x44, 0x55, 0x66, 0x77, 0x00, 0xff};
static const unsigned char sealed[8] = {0x6a, 0x95, 0xe1, 0x42, 0x6b, 0x25, 0x9d, 0x4e};
static const unsigned char right_tag[8] = {0x33, 0x4e, 0xe2, 0x70, 0x45, 0x0b, 0xec, 0x9e};

static int failed(const char* what, stend_gost_status status) {
    fprintf(stderr, "%s: %s\n", what, stend_gost_message(status));
    return 1;
}

int main(void) {
    static stend_gost_key key;
    unsigned char out[8], tag[8];
    stend_gost_status status = stend_gost_key_init(&key, STEND_GOST_MAGMA, key_bytes, NULL);
    if (status != STEND_GOST_OK) return failed("key", status);
    status = stend_gost_mgm_seal(&key, nonce, sizeof nonce, NULL, 0, message, sizeof message, out,
                                 tag, sizeof tag, 1);
    if (status != STEND_GOST_OK) return failed("seal", status);
    if (memcmp(out, sealed, sizeof out) || memcmp(tag, right_tag, sizeof tag))
        return failed("not what RFC 9058 prints", STEND_GOST_FORGED);
    tag[3] ^= 1;
    status = stend_gost_mgm_open(&key, nonce, sizeof nonce, NULL, 0, out, sizeof out, out, tag,
                                 sizeof tag, 1);
    if (status != STEND_GOST_FORGED) return failed("a forged tag", status);
    printf("sealed and opened, by the variant %s\n", stend_gost_key_variant(&key));
    if (strcmp(stend_gost_version(), STEND_GOST_VERSION))
        return failed("another version", STEND_GOST_BAD_OPTION);
    printf("stend-gost %s\n", stend_gost_version());
    stend_gost_key_wipe(&key);
    return 0;
}
