#include "common/table/codec.h"

#define IMPORT(name) __attribute__((import_module("env"), import_name(#name))) name

/* The host provides these. They do not return if memory runs out. */

/* Returns the bytes of the stream. */
size_t IMPORT(compress)(const uint8_t *bytes, size_t length, uint8_t *packed);

/* Returns the bytes of the stream, or 0 if it is not one of `length` bytes. */
size_t IMPORT(uncompress)(const uint8_t *packed, size_t packed_length, uint8_t *bytes, size_t length);

enum nk_status nk_compress(const uint8_t *bytes, size_t length, uint8_t *packed, size_t *packed_length)
{
    *packed_length = compress(bytes, length, packed);
    return NK_OK;
}

enum nk_status nk_uncompress(const uint8_t *packed, size_t packed_length, uint8_t *bytes, size_t length,
                             size_t *used)
{
    *used = uncompress(packed, packed_length, bytes, length);
    return *used ? NK_OK : NK_E_CORRUPT;
}
