/* Compression with functions of JavaScript. */

#include "common/table/table.h"

#define IMPORT(name) __attribute__((import_module("env"), import_name(#name))) name

/* The functions of web/engine/codec.js. They throw if memory runs out. */

/* Returns the bytes of the stream. */
size_t IMPORT(compress)(const uint8_t *bytes, size_t length, uint8_t *compressed);

/* Returns how many bytes there are, or -1 if compressed[] is not one stream of at most `room` bytes. */
int32_t IMPORT(uncompress)(const uint8_t *compressed, size_t compressed_length, uint8_t *bytes, size_t room);

enum nk_status nk_compress(const uint8_t *bytes, size_t length, uint8_t *compressed,
                           size_t *compressed_length)
{
    *compressed_length = compress(bytes, length, compressed);
    return NK_OK;
}

enum nk_status nk_uncompress(const uint8_t *compressed, size_t compressed_length, uint8_t *bytes, size_t room,
                             size_t *length)
{
    const int32_t made = uncompress(compressed, compressed_length, bytes, room);
    if (made < 0)
        return NK_E_CORRUPT;
    *length = (size_t)made;
    return NK_OK;
}
