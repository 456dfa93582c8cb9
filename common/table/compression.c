/* How the bytes of a block become a stream, and back: codes are packed, two or three to a byte, and then compressed. */

#include "common/table/table.h"

#include <string.h>
#ifndef __wasm__
#include <zlib.h>
#endif

/* The base of the numbers that a byte holds, by how many codes are in it. The greatest digit stands for any code that
 * is not listed; such codes follow after the numbers. */
enum { BASE_OF_TWO = 16, BASE_OF_THREE = 6, CODES = 256 };

/* Three codes are packed to a byte unless more than one in so many would not be listed. With two, the blocks of small
 * boards, whose losses have many distances, become smaller. */
enum { RARE = 20 };

/* What packed codes begin with. */
struct packed_header {
    size_t per_byte, base;
    uint8_t listed[BASE_OF_TWO - 1];
};

/* ---- packing ---- */

void nk_count_codes(const uint8_t *codes, size_t count, uint32_t counts[CODES])
{
    /* Adding to a number that was just stored takes long, so neighbours are counted apart. */
    enum { APART = 4 };
    uint32_t parts[APART][CODES] = {{0}};
    size_t i = 0;
    for (; i + APART <= count; i += APART)
        for (size_t part = 0; part < APART; part++)
            parts[part][codes[i + part]]++;
    for (; i < count; i++)
        parts[0][codes[i]]++;
    for (size_t code = 0; code < CODES; code++)
        counts[code] = parts[0][code] + parts[1][code] + parts[2][code] + parts[3][code];
}

/* Chooses how to pack `count` codes. The most frequent ones are listed, of equally frequent ones the lowest first. */
static void choose_layout(const uint32_t counts[CODES], size_t count, struct packed_header *layout)
{
    bool is_listed[CODES] = {false};
    size_t others = count, end = CODES;
    while (end >= BASE_OF_TWO && !counts[end - 1]) /* those that occur are few, and low */
        end--;
    for (size_t i = 0; i < BASE_OF_TWO - 1; i++) {
        size_t most = 0;
        for (size_t code = 0; code < end; code++)
            if (!is_listed[code] && (is_listed[most] || counts[code] > counts[most]))
                most = code;
        layout->listed[i] = (uint8_t)most;
        is_listed[most] = true;
        if (i < BASE_OF_THREE - 1)
            others -= counts[most];
    }
    layout->per_byte = others > count / RARE ? 2 : 3;
    layout->base = layout->per_byte == 2 ? BASE_OF_TWO : BASE_OF_THREE;
}

/* Inlined for each of the two constant pairs of per_byte and base. Returns the end of what was written. */
static inline uint8_t *pack_numbers(const uint8_t *codes, size_t count, const uint8_t digits[CODES],
                                    size_t per_byte, size_t base, uint8_t *numbers)
{
    uint8_t *other = numbers + (count + per_byte - 1) / per_byte;
    size_t i = 0;
    for (; i + per_byte <= count; i += per_byte) {
        size_t number = 0;
        for (size_t j = per_byte; j-- > 0;)
            number = number * base + digits[codes[i + j]];
        for (size_t j = 0; j < per_byte; j++) {
            /* Overwritten by the next one unless it is not listed: faster than a branch. */
            *other = codes[i + j];
            other += digits[codes[i + j]] == base - 1;
        }
        *numbers++ = (uint8_t)number;
    }
    if (i < count) {
        size_t number = 0;
        for (size_t j = count; j-- > i;)
            number = number * base + digits[codes[j]];
        for (size_t j = i; j < count; j++)
            if (digits[codes[j]] == base - 1)
                *other++ = codes[j];
        *numbers = (uint8_t)number;
    }
    return other;
}

size_t nk_pack(const uint8_t *codes, size_t count, uint8_t *packed)
{
    uint32_t counts[CODES];
    uint8_t digits[CODES];
    struct packed_header layout;
    nk_count_codes(codes, count, counts);
    choose_layout(counts, count, &layout);
    memset(digits, (int)layout.base - 1, sizeof digits);
    for (size_t i = 0; i < layout.base - 1; i++)
        digits[layout.listed[i]] = (uint8_t)i;
    packed[0] = (uint8_t)layout.per_byte;
    memcpy(packed + 1, layout.listed, layout.base - 1);
    uint8_t *numbers = packed + layout.base;
    const uint8_t *end = layout.per_byte == 2 ? pack_numbers(codes, count, digits, 2, BASE_OF_TWO, numbers)
                                              : pack_numbers(codes, count, digits, 3, BASE_OF_THREE, numbers);
    return (size_t)(end - packed);
}

/* ---- unpacking ---- */

/* What a byte stands for. */
struct unpacked {
    uint8_t codes[3];
    uint8_t others; /* bit i: codes[i] is not listed; and the following ones */
};

enum {
    NO_NUMBER = 1 << 6, /* the byte does not occur */
    ANY_OTHER = 1 << 7  /* any bit */
};

/* Inlined like pack_numbers, as is the next function. */
static inline void list_numbers(const uint8_t *listed, size_t per_byte, size_t base,
                                struct unpacked unpacked[CODES])
{
    size_t digits[3] = {0}; /* of the number; the lowest comes first */
    memset(unpacked, NO_NUMBER | ANY_OTHER, CODES * sizeof *unpacked);
    for (size_t number = 0, place = 0; place < per_byte; number++) {
        struct unpacked *u = &unpacked[number];
        *u = (struct unpacked){0};
        for (size_t j = 0; j < per_byte; j++)
            if (digits[j] < base - 1)
                u->codes[j] = listed[digits[j]];
            else
                u->others |= (uint8_t)(1 << j | ANY_OTHER);
        for (place = 0; place < per_byte && ++digits[place] == base; place++)
            digits[place] = 0;
    }
}

/* Copies the codes of a byte that are not listed, the first `length` of them at most, to their places. Returns the next
 * one that is not used, or NULL if the byte does not occur or they end. */
static inline const uint8_t *put_others(const struct unpacked *u, uint8_t *codes, size_t length,
                                        const uint8_t *other, const uint8_t *end)
{
    if (u->others & NO_NUMBER)
        return NULL;
    for (unsigned left = u->others & ((1U << length) - 1); left; left &= left - 1) {
        if (other == end)
            return NULL;
        codes[nk_first(left)] = *other++;
    }
    return other;
}

/* The bytes that are unpacked at a time: one bit of a word for each. */
enum { AT_A_TIME = 64 };

/* Unpacks so many bytes; what follows the last code, as far as a copy reaches, is overwritten too. Returns a bit for
 * each that stands for a code that is not listed, or does not occur: these are irregular, and branches would take
 * longer. */
static inline uint64_t unpack_listed(const struct unpacked unpacked[CODES], const uint8_t *numbers,
                                     size_t per_byte, uint8_t *codes)
{
    uint64_t with_others = 0;
#pragma GCC unroll 8
    for (size_t i = 0; i < AT_A_TIME; i++) {
        const struct unpacked *u = &unpacked[numbers[i]];
        /* One instruction copies all of *u, more than the codes: what it overwrites follows. */
        memcpy(codes + i * per_byte, u, sizeof *u);
        with_others |= (uint64_t)(u->others >> 7) << i;
    }
    return with_others;
}

static inline bool unpack_numbers(const uint8_t *packed, const uint8_t *end, uint8_t *codes, size_t count,
                                  size_t per_byte, size_t base)
{
    struct unpacked unpacked[CODES];
    const size_t step = AT_A_TIME * per_byte, too_far = sizeof *unpacked - per_byte;
    const uint8_t *numbers = packed + base, *other = numbers + (count + per_byte - 1) / per_byte;
    size_t i = 0;
    list_numbers(packed + 1, per_byte, base, unpacked);
    for (; i + step + too_far <= count; i += step, numbers += AT_A_TIME) {
        uint64_t left = unpack_listed(unpacked, numbers, per_byte, codes + i);
        for (; left && other; left &= left - 1) {
            const size_t n = (size_t)nk_first(left);
            other = put_others(&unpacked[numbers[n]], codes + i + n * per_byte, per_byte, other, end);
        }
        if (!other)
            return false;
    }
    for (; i < count; i += per_byte) {
        const struct unpacked *u = &unpacked[*numbers++];
        const size_t length = count - i < per_byte ? count - i : per_byte;
        memcpy(codes + i, u->codes, length);
        if (u->others && !(other = put_others(u, codes + i, length, other, end)))
            return false;
    }
    return other == end;
}

bool nk_unpack(const uint8_t *packed, size_t length, uint8_t *codes, size_t count)
{
    const uint8_t *end = packed + length;
    if (length == 0 || packed[0] < 2 || packed[0] > 3)
        return false;
    const size_t per_byte = packed[0], base = per_byte == 2 ? BASE_OF_TWO : BASE_OF_THREE;
    if (length < base + (count + per_byte - 1) / per_byte)
        return false;
    return per_byte == 2 ? unpack_numbers(packed, end, codes, count, 2, BASE_OF_TWO)
                         : unpack_numbers(packed, end, codes, count, 3, BASE_OF_THREE);
}

/* How many codes of the first `count` bytes are not listed. Inlined like pack_numbers, as is the next function. */
static inline size_t count_others(const uint8_t *numbers, size_t count, size_t per_byte, size_t base)
{
    uint8_t others_in[CODES]; /* in a byte: to divide each number again would take longer */
    size_t others = 0;
    for (size_t number = 0; number < CODES; number++) {
        size_t found = 0;
        for (size_t j = 0, left = number; j < per_byte; j++, left /= base)
            found += left % base == base - 1;
        others_in[number] = (uint8_t)found;
    }
    for (size_t i = 0; i < count; i++)
        others += others_in[numbers[i]];
    return others;
}

static inline uint8_t code_at(const uint8_t *packed, size_t count, size_t place, size_t per_byte, size_t base)
{
    const uint8_t *const numbers = packed + base;
    const size_t at = place / per_byte;
    size_t left = numbers[at], others = 0;
    for (size_t j = 0; j < place % per_byte; j++, left /= base)
        others += left % base == base - 1;
    if (left % base < base - 1)
        return packed[1 + left % base];
    return numbers[(count + per_byte - 1) / per_byte + count_others(numbers, at, per_byte, base) + others];
}

uint8_t nk_packed_code(const uint8_t *packed, size_t count, size_t place)
{
    return packed[0] == 2 ? code_at(packed, count, place, 2, BASE_OF_TWO)
                          : code_at(packed, count, place, 3, BASE_OF_THREE);
}

/* ---- compression ---- */

#ifdef __wasm__

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

#else

/* The settings of zlib that make a small file in little time (docs/HOW.md has the alternatives). In packed codes only
 * runs of the same byte are worth finding, so Z_RLE is the fastest strategy and makes the smallest files, and the level
 * does not matter. The window holds a block, and the little memory for symbols makes the Huffman codes change within
 * it. */
enum { LEVEL = 1, STRATEGY = Z_RLE, WINDOW_BITS = 14, MEMORY_LEVEL = 6 };

enum nk_status nk_compress(const uint8_t *bytes, size_t length, uint8_t *compressed,
                           size_t *compressed_length)
{
    z_stream stream = {
        .next_in = (z_const Bytef *)bytes,
        .avail_in = (uInt)length,
        .next_out = compressed,
        .avail_out = (uInt)nk_compress_bound(length),
    };
    if (deflateInit2(&stream, LEVEL, Z_DEFLATED, WINDOW_BITS, MEMORY_LEVEL, STRATEGY) != Z_OK)
        return NK_E_MEMORY;
    /* Not all implementations of zlib need no more memory. */
    const int state = deflate(&stream, Z_FINISH);
    deflateEnd(&stream);
    if (state != Z_STREAM_END)
        return NK_E_MEMORY;
    *compressed_length = stream.total_out;
    return NK_OK;
}

/* uncompress2() would be shorter, but not every zlib that the Python package is for has it. */
enum nk_status nk_uncompress(const uint8_t *compressed, size_t compressed_length, uint8_t *bytes, size_t room,
                             size_t *length)
{
    z_stream stream = {
        .next_in = (z_const Bytef *)compressed,
        .avail_in = (uInt)compressed_length,
        .next_out = bytes,
        .avail_out = (uInt)room,
    };
    if (inflateInit(&stream) != Z_OK)
        return NK_E_MEMORY;
    const int state = inflate(&stream, Z_FINISH);
    inflateEnd(&stream);
    if (state == Z_MEM_ERROR)
        return NK_E_MEMORY;
    if (state != Z_STREAM_END || stream.avail_in > 0)
        return NK_E_CORRUPT;
    *length = stream.total_out;
    return NK_OK;
}

#endif
