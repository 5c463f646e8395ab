/* The GOST ciphers Kuznyechik and Magma (GOST R 34.12-2015; RFC 7801, RFC 8891) and GOST 28147-89
 * (RFC 5830), their modes (GOST R 34.13-2015, RFC 8645), MGM (RFC 9058), OMAC and key export.
 * Plain C; gost.hpp has the same for C++.
 *
 * Nothing here allocates, unless it is asked to use threads. Contexts are plain memory of the
 * caller's and are wiped by their _wipe. Every context keeps a pointer to the key it was made
 * with: the key has to outlive it and to stay where it is. A key is only read by them, so any
 * number of contexts and threads may share it; a context is one thread's at a time. An _init takes
 * memory as it comes: what it held of another message has to be ended or wiped before.
 *
 * Every function that can fail gives a status, and stend_gost_message() its sentence.
 * STEND_GOST_NO_ROOM leaves a context as it was. After any other failure, and when it is
 * finished, a context is wiped and says STEND_GOST_FINISHED, until it is made again. One that is
 * still in use has to be wiped before it is made again: _init can't tell it from memory that never
 * was a context, and the keys of its sections would stay in it.
 *
 * Structures lie at multiples of 64 bytes, which malloc does not see to: aligned_alloc(64, …) does.
 * Input and output are one buffer or do not overlap, at any alignment; NULL is allowed for no
 * bytes. A stream that held bytes back (ECB, CBC) may also be given, as the output, the place
 * where the first of those came from: a buffer can be worked on in place piece by piece. */
#ifndef STEND_GOST_H
#define STEND_GOST_H

#include <stddef.h>
#include <stdint.h>

/* STEND_GOST_UNSIGNED gives the enumerations a fixed underlying type in C++: the functions refuse a
 * value outside them, as in C; without it, passing one would be undefined behaviour. */
#ifdef __cplusplus
#define STEND_GOST_ALIGNED alignas(64)
#define STEND_GOST_UNSIGNED : unsigned
extern "C" {
#elif defined(__STDC_VERSION__) && __STDC_VERSION__ >= 201112L
#define STEND_GOST_ALIGNED _Alignas(64)
#else
#define STEND_GOST_ALIGNED __attribute__((aligned(64)))
#endif
#ifndef STEND_GOST_UNSIGNED
#define STEND_GOST_UNSIGNED
#endif

/* Of this header; the function tells that of the library. Versions that differ in the first number
 * do not fit: the structures below may have other sizes. */
#define STEND_GOST_VERSION "0.1.0"
const char* stend_gost_version(void);

typedef enum stend_gost_status STEND_GOST_UNSIGNED {
    STEND_GOST_OK = 0,
    STEND_GOST_BAD_CIPHER,     /* no such cipher, or not one this function is for */
    STEND_GOST_BAD_VARIANT,    /* no such variant, or this machine can't run it */
    STEND_GOST_BAD_IV,         /* an initialisation vector or nonce of a wrong size or value */
    STEND_GOST_BAD_SECTION,    /* an ACPKM section of a wrong size */
    STEND_GOST_BAD_TAG_SIZE,   /* a tag longer than a block or shorter than the mode allows */
    STEND_GOST_BAD_OPTION,     /* a mode, padding or option that do not go together */
    STEND_GOST_PARTIAL,        /* the message does not end with a whole block and is not padded */
    STEND_GOST_BAD_PADDING,    /* what was decrypted does not end with the padding of procedure 2 */
    STEND_GOST_NO_ROOM,        /* the output buffer is too small; nothing was done */
    STEND_GOST_TOO_LONG,       /* the mode's limit on the length of one message is reached */
    STEND_GOST_EMPTY,          /* MGM needs a message or associated data */
    STEND_GOST_FINISHED,       /* the key or context was finished, has failed or was never made */
    STEND_GOST_FORGED,         /* the tag is not the message's: forged, damaged or another key */
    STEND_GOST_BAD_KEY_SIZE,   /* gost.hpp alone: a key that is not of 32 bytes */
    STEND_GOST_BAD_ENVIRONMENT /* STEND_DISABLE_ISA has a word that the library does not know */
} stend_gost_status;

/* One sentence, English; never NULL. That of STEND_GOST_BAD_ENVIRONMENT has the word that is not
 * known and all that are, and is kept until the thread's next call of this function. */
const char* stend_gost_message(stend_gost_status status);

typedef enum stend_gost_cipher STEND_GOST_UNSIGNED {
    STEND_GOST_KUZNYECHIK = 0,
    STEND_GOST_MAGMA,
    STEND_GOST_28147_TC26_Z,
    STEND_GOST_28147_CRYPTOPRO_A,
    STEND_GOST_28147_CRYPTOPRO_B,
    STEND_GOST_28147_CRYPTOPRO_C,
    STEND_GOST_28147_CRYPTOPRO_D
} stend_gost_cipher;

#define STEND_GOST_KEY_BYTES 32
#define STEND_GOST_LARGEST_BLOCK 16

size_t stend_gost_block_bytes(stend_gost_cipher cipher); /* 16 or 8 */

/* Variants (implementations) of a cipher: those not constant time, then the others, each slowest
 * first. NULL beyond the last. */
const char* stend_gost_variant(stend_gost_cipher cipher, size_t index);
/* NULL when it runs here, else one sentence why not, kept until the thread's next call. */
const char* stend_gost_variant_lacks(stend_gost_cipher cipher, const char* variant);
/* 1 when no branch and no address of it depends on key or data. */
int stend_gost_variant_constant_time(stend_gost_cipher cipher, const char* variant);

/* ---- keys ------------------------------------------------------------------------------ */

typedef struct stend_gost_key {
    STEND_GOST_ALIGNED unsigned char opaque[6144 + 64];
} stend_gost_key;

/* variant: NULL for the fastest constant-time one. */
stend_gost_status stend_gost_key_init(stend_gost_key* key, stend_gost_cipher cipher,
                                      const void* key_bytes /* 32 */, const char* variant);
void stend_gost_key_wipe(stend_gost_key* key);
stend_gost_cipher stend_gost_key_cipher(const stend_gost_key* key);
const char* stend_gost_key_variant(const stend_gost_key* key);

/* Whole blocks, each by itself: the block cipher, and ECB (34.13, 5.1). STEND_GOST_FINISHED when
 * the key was wiped. */
stend_gost_status stend_gost_encrypt_blocks(const stend_gost_key* key, const void* in, void* out,
                                            size_t blocks);
stend_gost_status stend_gost_decrypt_blocks(const stend_gost_key* key, const void* in, void* out,
                                            size_t blocks);

/* ---- encryption modes, in pieces of any size -------------------------------------------- */

/* An iv is no secret, but (34.13, 4.2) that of CTR is never the same twice with one key, those of
 * CBC and CFB can't be foretold, and that of OFB is the one or the other. */
typedef enum stend_gost_mode STEND_GOST_UNSIGNED {
    STEND_GOST_ECB = 0, /* no iv */
    STEND_GOST_CTR,     /* iv: half a block (34.13, 5.2) or a whole first counter;
                           GOST 28147-89: 8 bytes, its own counter (RFC 5830, 6) */
    STEND_GOST_OFB,     /* iv: the register, 1 to 16 whole blocks (5.3); not for GOST 28147-89 */
    STEND_GOST_CBC,     /* iv: likewise (5.4); GOST 28147-89: 8 bytes */
    STEND_GOST_CFB      /* iv: likewise (5.5), s = n; GOST 28147-89: 8 bytes */
} stend_gost_mode;

typedef enum stend_gost_direction STEND_GOST_UNSIGNED {
    STEND_GOST_ENCRYPT = 0,
    STEND_GOST_DECRYPT
} stend_gost_direction;

/* GOST R 34.13-2015, 4.1; for ECB and CBC. Procedures 1 and 3 can't be told from a message, so
 * decryption gives their padding back with it. */
typedef enum stend_gost_padding STEND_GOST_UNSIGNED {
    STEND_GOST_PADDING_NONE = 0, /* the message is whole blocks */
    STEND_GOST_PADDING_1,        /* zeros up to a whole block */
    STEND_GOST_PADDING_2,        /* a bit 1, then zeros, always; taken off when decrypting */
    STEND_GOST_PADDING_3         /* as 2, but nothing after a whole block */
} stend_gost_padding;

typedef struct stend_gost_stream {
    STEND_GOST_ALIGNED unsigned char opaque[6144 + 1024];
} stend_gost_stream;

stend_gost_status stend_gost_stream_init(stend_gost_stream* stream, const stend_gost_key* key,
                                         stend_gost_mode mode, stend_gost_direction direction,
                                         const void* iv, size_t iv_bytes);
/* Options, each before the first update. */
stend_gost_status stend_gost_stream_padding(stend_gost_stream* stream, stend_gost_padding padding);
/* A new key every `bytes`: with CTR of Kuznyechik and Magma CTR-ACPKM (RFC 8645, 6.2.2; whole
 * blocks); with CTR and CFB of GOST 28147-89 the key meshing of CryptoPro (RFC 4357, 2.3.2;
 * 1024). */
stend_gost_status stend_gost_stream_sections(stend_gost_stream* stream, size_t bytes);
/* Threads to share a large update out over; 1 by default, 0 for all CPUs of this process. For
 * ECB, CTR and the decryption of CBC and CFB; what isn't parallel (the rest, and sections) is
 * done by the calling thread whatever is said here. */
stend_gost_status stend_gost_stream_threads(stend_gost_stream* stream, unsigned threads);

/* Room that is enough for what an update of `size` bytes and the finish after it write together. */
size_t stend_gost_stream_room(const stend_gost_stream* stream, size_t size);
/* What an update of `size` bytes writes; 0 when the stream has ended. */
size_t stend_gost_stream_update_size(const stend_gost_stream* stream, size_t size);
/* Takes in all of `in`; *written bytes come out (ECB and CBC hold back what is no whole block;
 * decryption with padding 2 also the last one). An update needs room for just what it writes,
 * finish for at most a block. `written` may be NULL. */
stend_gost_status stend_gost_stream_update(stend_gost_stream* stream, const void* in, size_t size,
                                           void* out, size_t room, size_t* written);
stend_gost_status stend_gost_stream_finish(stend_gost_stream* stream, void* out, size_t room,
                                           size_t* written);
void stend_gost_stream_wipe(stend_gost_stream* stream);

/* A whole message in one call, on the calling thread; `out` takes as many bytes. ECB and CBC take
 * whole blocks (STEND_GOST_PARTIAL) and pad nothing. Of few blocks this takes less time than a
 * stream. */
stend_gost_status stend_gost_crypt(const stend_gost_key* key, stend_gost_mode mode,
                                   stend_gost_direction direction, const void* iv, size_t iv_bytes,
                                   const void* in, size_t size, void* out);

/* ---- message authentication: OMAC (34.13, 5.6), imitovstavka (RFC 5830, 8) --------------- */

typedef struct stend_gost_mac {
    STEND_GOST_ALIGNED unsigned char opaque[2 * 6144 + 1024];
} stend_gost_mac;

stend_gost_status stend_gost_mac_init(stend_gost_mac* mac, const stend_gost_key* key);
/* Before the first update: OMAC-ACPKM (RFC 8645, 6.3.6; N = section, whole blocks;
 * T* = master_section, a multiple of 32 bytes and a block together); with GOST 28147-89 key
 * meshing (section 1024, master_section 0). */
stend_gost_status stend_gost_mac_sections(stend_gost_mac* mac, size_t section,
                                          size_t master_section);
stend_gost_status stend_gost_mac_update(stend_gost_mac* mac, const void* in, size_t size);
/* tag_bytes: 1 to a block's size; RFC 5830 has 1 to 4 for an imitovstavka, gost-engine gives 8.
 * The imitovstavka of a single block is made of that and a block of zeros; that of an empty message
 * is zeros whatever the key, as gost-engine has it, and so authenticates nothing. */
stend_gost_status stend_gost_mac_finish(stend_gost_mac* mac, void* tag, size_t tag_bytes);
/* In constant time: STEND_GOST_FORGED when it is another. */
stend_gost_status stend_gost_mac_verify(stend_gost_mac* mac, const void* tag, size_t tag_bytes);
void stend_gost_mac_wipe(stend_gost_mac* mac);

/* OMAC of `count` messages at once, each with its key (of one cipher, Kuznyechik or Magma, and one
 * variant; pointers may be equal): several chains hide each other's latency. Tags follow one
 * another in `tags`. */
stend_gost_status stend_gost_mac_many(const stend_gost_key* const* keys,
                                      const void* const* messages, const size_t* sizes,
                                      size_t count, void* tags, size_t tag_bytes);

/* ---- MGM: encryption with authentication (RFC 9058) -------------------------------------- */

typedef struct stend_gost_mgm {
    STEND_GOST_ALIGNED unsigned char opaque[512];
} stend_gost_mgm;

/* nonce: one block whose first bit is 0; never the same twice with one key. */
stend_gost_status stend_gost_mgm_init(stend_gost_mgm* mgm, const stend_gost_key* key,
                                      stend_gost_direction direction, const void* nonce,
                                      size_t nonce_bytes);
stend_gost_status stend_gost_mgm_threads(stend_gost_mgm* mgm, unsigned threads);
/* All associated data comes before the message. */
stend_gost_status stend_gost_mgm_associated(stend_gost_mgm* mgm, const void* data, size_t size);
/* Exactly `size` bytes come out. When decrypting they are not authentic before _verify says so. */
stend_gost_status stend_gost_mgm_update(stend_gost_mgm* mgm, const void* in, size_t size,
                                        void* out);
/* tag_bytes: 4 to a block's size. _finish ends an encryption, _verify a decryption. */
stend_gost_status stend_gost_mgm_finish(stend_gost_mgm* mgm, void* tag, size_t tag_bytes);
stend_gost_status stend_gost_mgm_verify(stend_gost_mgm* mgm, const void* tag, size_t tag_bytes);
void stend_gost_mgm_wipe(stend_gost_mgm* mgm);

/* A whole message. */
stend_gost_status stend_gost_mgm_seal(const stend_gost_key* key, const void* nonce,
                                      size_t nonce_bytes, const void* associated,
                                      size_t associated_bytes, const void* in, size_t size,
                                      void* out, void* tag, size_t tag_bytes, unsigned threads);
/* When the tag is wrong, `out` is wiped and the status STEND_GOST_FORGED. */
stend_gost_status stend_gost_mgm_open(const stend_gost_key* key, const void* nonce,
                                      size_t nonce_bytes, const void* associated,
                                      size_t associated_bytes, const void* in, size_t size,
                                      void* out, const void* tag, size_t tag_bytes,
                                      unsigned threads);

/* ---- padding and keys --------------------------------------------------------------------- */

/* KExp15 and KImp15 (R 1323565.1.017-2018, section 5; RFC 9189, 8.2.1): a key of any size,
 * encrypted and authenticated with two keys that have nothing to do with each other. `iv` is half
 * a block, never the same twice with these two; `out` has size + a block's bytes, and is wiped
 * when KImp15 finds the tag wrong. The cipher is that of both keys. */
stend_gost_status stend_gost_kexp15(const stend_gost_key* mac_key, const stend_gost_key* cipher_key,
                                    const void* iv, size_t iv_bytes, const void* key, size_t size,
                                    void* out);
stend_gost_status stend_gost_kimp15(const stend_gost_key* mac_key, const stend_gost_key* cipher_key,
                                    const void* iv, size_t iv_bytes, const void* exported,
                                    size_t exported_bytes, void* out);

#ifdef __cplusplus
}
#endif

#endif
