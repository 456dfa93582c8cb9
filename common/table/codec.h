/* Compressed blocks of a table: zlib streams (RFC 1950). codec_zlib.c compresses with zlib, codec_wasm.c with functions
 * of JavaScript. The functions may be called by several threads at once. */
#ifndef NK_CODEC_H
#define NK_CODEC_H

#include "common/base/status.h"

#include <stddef.h>
#include <stdint.h>

/* More bytes than the stream of `length` bytes can have. */
static inline size_t nk_compress_bound(size_t length)
{
    return length + length / 4 + 64;
}

/* Compresses `length` bytes to a stream in compressed[], which has room for nk_compress_bound(length) bytes, and sets
 * *compressed_length to the length of the stream. NK_E_MEMORY, without a message. */
enum nk_status nk_compress(const uint8_t *bytes, size_t length, uint8_t *compressed,
                           size_t *compressed_length);

/* Uncompresses the stream that compressed[] consists of to bytes[], which has room for `room` bytes, and sets *length
 * to their number. NK_E_CORRUPT, also if other bytes follow the stream, or NK_E_MEMORY, without a message; bytes[] is
 * undefined then. */
enum nk_status nk_uncompress(const uint8_t *compressed, size_t compressed_length, uint8_t *bytes, size_t room,
                             size_t *length);

#endif
