#include "common/table/codec.h"

#include <zlib.h>

/* The settings of zlib that make the smallest file in reasonable time: see docs/PERFORMANCE.md. */
enum { LEVEL = 6, STRATEGY = Z_FILTERED, WINDOW_BITS = 15, MEMORY_LEVEL = 9 };

enum nk_status nk_compress(const uint8_t *bytes, size_t length, uint8_t *packed, size_t *packed_length)
{
    z_stream stream = {
        .next_in = (z_const Bytef *)bytes,
        .avail_in = (uInt)length,
        .next_out = packed,
        .avail_out = (uInt)nk_compress_bound(length),
    };
    if (deflateInit2(&stream, LEVEL, Z_DEFLATED, WINDOW_BITS, MEMORY_LEVEL, STRATEGY) != Z_OK)
        return NK_E_MEMORY;
    /* Not all implementations of zlib need no more memory. */
    const int state = deflate(&stream, Z_FINISH);
    deflateEnd(&stream);
    if (state != Z_STREAM_END)
        return NK_E_MEMORY;
    *packed_length = stream.total_out;
    return NK_OK;
}

enum nk_status nk_uncompress(const uint8_t *packed, size_t packed_length, uint8_t *bytes, size_t length,
                             size_t *used)
{
    uLongf made = (uLongf)length;
    uLong taken = (uLong)packed_length;
    const int state = uncompress2(bytes, &made, packed, &taken);
    if (state == Z_MEM_ERROR)
        return NK_E_MEMORY;
    if (state != Z_OK || made != length)
        return NK_E_CORRUPT;
    *used = taken;
    return NK_OK;
}
