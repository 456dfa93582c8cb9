/* Text in buffers, errors, text from outside, and texts for people. */

#include "common/base/base.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- text in buffers ---- */

__attribute__((format(printf, 2, 0))) static void add_list(struct nk_strbuf *text, const char *format,
                                                           va_list arguments)
{
    const bool has_room = text->length < text->size;
    char *end = has_room ? text->bytes + text->length : NULL;
    const int length = vsnprintf(end, has_room ? text->size - text->length : 0, format, arguments);
    if (length > 0)
        text->length += (size_t)length;
}

void nk_strbuf_add(struct nk_strbuf *text, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    add_list(text, format, arguments);
    va_end(arguments);
}

struct nk_text nk_text_of(const char *format, ...)
{
    struct nk_text text = {""};
    va_list arguments;
    va_start(arguments, format);
    add_list(&(struct nk_strbuf){text.s, sizeof text.s, 0}, format, arguments);
    va_end(arguments);
    return text;
}

bool nk_grow(void *place, size_t *room, size_t needed, size_t size)
{
    if (needed <= *room)
        return true;
    void *array;
    memcpy(&array, place, sizeof array); /* a pointer of any type */
    const size_t wanted = needed < 2 * *room ? 2 * *room : needed;
    void *grown = wanted <= SIZE_MAX / size ? realloc(array, wanted * size) : NULL;
    if (!grown)
        return false;
    memcpy(place, &grown, sizeof grown);
    *room = wanted;
    return true;
}

/* ---- errors ---- */

const char *nk_status_name(enum nk_status status)
{
    static const char *const names[] = {
        [NK_OK] = "ok",
        [NK_E_MEMORY] = "memory",
        [NK_E_RULES] = "rules",
        [NK_E_SYNTAX] = "syntax",
        [NK_E_POSITION] = "position",
        [NK_E_MOVE] = "move",
        [NK_E_READ] = "read",
        [NK_E_WRITE] = "write",
        [NK_E_NOT_TABLE] = "not_table",
        [NK_E_CORRUPT] = "corrupt",
        [NK_E_LIMIT] = "limit",
        [NK_E_BUSY] = "busy",
        [NK_E_UNSUPPORTED] = "unsupported",
        [NK_E_EXISTS] = "exists",
        [NK_E_STOPPED] = "stopped",
    };
    return (size_t)status < sizeof names / sizeof names[0] ? names[status] : NULL;
}

void nk_error_record(struct nk_error *error, enum nk_status status, size_t at, const char *format, ...)
{
    if (!error)
        return;
    struct nk_strbuf text = {error->text, sizeof error->text, 0};
    va_list arguments;
    va_start(arguments, format);
    add_list(&text, format, arguments);
    va_end(arguments);
    error->status = status;
    error->at = at;
}

enum { LONGEST_PATH = 100 };

const char *nk_path_dots(const char *path)
{
    return strlen(path) > LONGEST_PATH ? "..." : "";
}

/* Whether a byte of UTF-8 is not the first one of its character. */
static bool continues_character(char c)
{
    return ((unsigned char)c & 0xc0) == 0x80;
}

const char *nk_path_end(const char *path)
{
    const size_t length = strlen(path);
    if (length <= LONGEST_PATH)
        return length ? path : "''";
    const char *end = path + length - LONGEST_PATH;
    for (int skipped = 0; skipped < 3 && continues_character(*end); skipped++)
        end++; /* the rest of a character whose beginning is left out */
    return end;
}

/* ---- text from outside ---- */

/* The second byte shows whether a sequence is overlong, a surrogate or above U+10FFFF. */
size_t nk_utf8_length(const char *bytes)
{
    const unsigned char *text = (const unsigned char *)bytes;
    const unsigned first = text[0];
    const size_t length = first < 0xc2 ? 0 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : first < 0xf5 ? 4 : 0;
    const unsigned least = first == 0xe0 ? 0xa0 : first == 0xf0 ? 0x90 : 0x80;
    const unsigned most = first == 0xed ? 0x9f : first == 0xf4 ? 0x8f : 0xbf;
    if (!length || text[1] < least || text[1] > most)
        return 0;
    for (size_t i = 2; i < length; i++)
        if (text[i] < 0x80 || text[i] > 0xbf)
            return 0;
    return length;
}

size_t nk_characters(const char *text, size_t length)
{
    size_t count = 0;
    for (size_t i = 0; i < length; i++)
        count += !continues_character(text[i]);
    return count;
}

size_t nk_characters_length(const char *text, size_t characters)
{
    size_t length = 0;
    for (; characters; characters--)
        do
            length++;
        while (continues_character(text[length]));
    return length;
}

/* The length of the character that a text begins with if it is safe to print: one that does not control the terminal,
 * in valid UTF-8. Otherwise 0, as for the empty text. Some terminals obey the control characters U+0080 to U+009F, and
 * those that change the direction of writing: U+061C, U+200E, U+200F, U+202A to U+202E, U+2066 to U+2069. */
static size_t visible_length(const char *text)
{
    const unsigned char first = (unsigned char)text[0], second = (unsigned char)text[first != '\0'];
    if (first < 0x80)
        return first >= ' ' && first != 0x7f;
    const size_t length = nk_utf8_length(text);
    const unsigned char third = length == 3 ? (unsigned char)text[2] : 0;
    if ((first == 0xc2 && second < 0xa0) || (first == 0xd8 && second == 0x9c) ||
        (first == 0xe2 && second == 0x80 && (third == 0x8e || third == 0x8f)) ||
        (first == 0xe2 && second == 0x80 && third >= 0xaa && third <= 0xae) ||
        (first == 0xe2 && second == 0x81 && third >= 0xa6 && third <= 0xa9))
        return 0;
    return length;
}

const char *nk_escape_first(const char *text, char escaped[NK_ESCAPED])
{
    static const char digits[] = "0123456789ABCDEF";
    const unsigned char first = (unsigned char)*text;
    const size_t length = visible_length(text);
    if (length) {
        memcpy(escaped, text, length);
        escaped[length] = '\0';
        return text + length;
    }
    memcpy(escaped, (const char[NK_ESCAPED]){'\\', 'x', digits[first >> 4], digits[first & 15], '\0'},
           NK_ESCAPED);
    return text + 1;
}

const char *nk_replace_first(const char *text, char replaced[NK_ESCAPED])
{
    const size_t length = visible_length(text), put = length ? length : sizeof NK_REPLACEMENT - 1;
    memcpy(replaced, length ? text : NK_REPLACEMENT, put);
    replaced[put] = '\0';
    return text + (length ? length : 1);
}

void nk_strbuf_add_escaped(struct nk_strbuf *text, const char *outside)
{
    char escaped[NK_ESCAPED] = "";
    while (*outside) {
        size_t visible = 0; /* which are added at once: to format each character takes long */
        for (size_t length; (length = visible_length(outside + visible));)
            visible += length;
        nk_strbuf_add(text, "%.*s", (int)visible, outside);
        if (!*(outside += visible))
            return;
        outside = nk_escape_first(outside, escaped);
        nk_strbuf_add(text, "%s", escaped);
    }
}

/* ---- texts for people ---- */

int nk_moves_in(int plies)
{
    return plies / 2 + plies % 2;
}

struct nk_size nk_size_of(uint64_t bytes)
{
    return bytes < 1 << 10   ? (struct nk_size){bytes, "bytes"}
           : bytes < 1 << 20 ? (struct nk_size){bytes >> 10, "KiB"}
                             : (struct nk_size){bytes >> 20, "MiB"};
}

/* Puts "1 move" or "10 moves". printf would take most of the time of `neutreeko query`, which prints hardly anything
 * else. */
static char *put_count(char *out, int count, const char *one, const char *several)
{
    return nk_put_text(nk_put_number(out, (uint64_t)count), count == 1 ? one : several);
}

struct nk_text nk_moves_text(int plies)
{
    struct nk_text text = {""};
    (void)put_count(text.s, nk_moves_in(plies), " move", " moves");
    return text;
}

struct nk_text nk_distance_text(int plies)
{
    struct nk_text text = {""};
    char *out = put_count(text.s, nk_moves_in(plies), " move", " moves");
    out = put_count(nk_put_text(out, " ("), plies, " ply", " plies");
    (void)nk_put_text(out, ")");
    return text;
}

enum { LONGEST_NAME = 30 }; /* a longer text is not similar to any name */

static int smaller(int a, int b)
{
    return a < b ? a : b;
}

/* How many letters are inserted, removed, replaced, or exchanged with the next one, from one text to the other. */
static int edit_distance(const char *a, const char *b)
{
    int rows[3][LONGEST_NAME + 1]; /* of the last letters of a: distances to the beginnings of b */
    int *before = rows[0], *last = rows[1], *now = rows[2];
    const int length = (int)strlen(b);
    for (int j = 0; j <= length; j++)
        last[j] = j;
    for (int i = 1; a[i - 1]; i++) {
        now[0] = i;
        for (int j = 1; j <= length; j++) {
            now[j] = smaller(smaller(last[j], now[j - 1]) + 1, last[j - 1] + (a[i - 1] != b[j - 1]));
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                now[j] = smaller(now[j], before[j - 2] + 1);
        }
        int *oldest = before;
        before = last;
        last = now;
        now = oldest;
    }
    return last[length];
}

void nk_suggest(struct nk_suggestion *suggestion, const char *name)
{
    const size_t typed = strlen(suggestion->typed), length = strlen(name);
    assert(length > 1 && length <= LONGEST_NAME);
    if (!typed || typed > LONGEST_NAME)
        return;
    /* The beginning of a name is closest to it. */
    const int distance =
        strncmp(name, suggestion->typed, typed) == 0 ? 0 : edit_distance(suggestion->typed, name);
    if (distance > 1 + (int)length / 4 || (suggestion->name && distance >= suggestion->distance))
        return;
    suggestion->name = name;
    suggestion->distance = distance;
}
