/* What all folders use: errors, characters, text in buffers, text from outside, texts for people, JSON, progress. */
#ifndef NK_BASE_H
#define NK_BASE_H

#include "include/neutreeko.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* ---- errors ---- */

/* nk_fail(error, status, at, format, ...) records a failure in *error (may be NULL) and has the value
 * `status`, so that a caller can write `return nk_fail(...)`. The format is that of nk_strbuf_add; a text
 * that is too long is cut. It is a macro because the analyzers that read one file at a time must see which
 * value it has. */
#define nk_fail(error, status, ...) (nk_error_record(error, status, __VA_ARGS__), (enum nk_status)(status))

__attribute__((format(printf, 4, 5))) void nk_error_record(struct nk_error *error, enum nk_status status,
                                                           size_t at, const char *format, ...);

/* Records NK_E_MEMORY in *error (may be NULL), with the one message for it, and has the value NK_E_MEMORY. Where there
 * is advice, such as an option that takes less memory, nk_fail has a message of its own. */
#define nk_fail_memory(error) nk_fail(error, NK_E_MEMORY, 0, "out of memory")

/* The name of a status in JSON: "ok", "memory", "rules", ...; NULL if there is no such status. */
const char *nk_status_name(enum nk_status status);

/* The name of a file in a message, as in nk_fail(error, status, 0, NK_PATH ": %s", NK_PATH_OF(path), reason).
 * Of a long name the message has only the end, after dots, because the end distinguishes it from others. */
#define NK_PATH "%s%s"
#define NK_PATH_OF(path) nk_path_dots(path), nk_path_end(path)

const char *nk_path_dots(const char *path); /* "..." or "" */
const char *nk_path_end(const char *path);

/* ---- characters ----
 *
 * The characters between the words of a line, those that end one, digits, and letters in upper or lower case: in
 * positions, in records and in lines that people or programs type. The locale has no effect, whereas functions of the C
 * library such as tolower and strcasecmp follow it: in Turkish, I is not the upper case of i. */

#define NK_BLANKS " \t\v\f"
#define NK_LINE_ENDS "\r\n"

/* U+FEFF, with which some editors begin UTF-8 texts. */
#define NK_BYTE_ORDER_MARK "\xef\xbb\xbf"

/* The length of the byte order mark that a text begins with, or 0. */
static inline size_t nk_byte_order_mark_length(const char *text, size_t length)
{
    const size_t bytes = sizeof NK_BYTE_ORDER_MARK - 1;
    return length >= bytes && memcmp(text, NK_BYTE_ORDER_MARK, bytes) == 0 ? bytes : 0;
}

/* Whether a text begins with the byte order mark of UTF-16, in either order, and what to do then. */
static inline bool nk_is_utf16(const char *text, size_t length)
{
    return length >= 2 && (memcmp(text, "\xff\xfe", 2) == 0 || memcmp(text, "\xfe\xff", 2) == 0);
}
#define NK_UTF16_ERROR "the text is in UTF-16, as Windows PowerShell writes it with '>': save it as UTF-8"

/* Most characters of a text are above all of these, which shows at once. */
static inline bool nk_is_blank(char c)
{
    return c && c <= ' ' && strchr(NK_BLANKS, c);
}

static inline bool nk_is_line_end(char c)
{
    return c && c <= ' ' && strchr(NK_LINE_ENDS, c);
}

static inline bool nk_is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static inline char nk_lower(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

/* Whether a text begins with the first `length` characters of `prefix`, which are not 0, in upper or lower case. It is
 * read no further than to the first difference, so it need not end with a zero. */
static inline bool nk_has_prefix(const char *text, const char *prefix, size_t length)
{
    size_t same = 0;
    while (same < length && nk_lower(text[same]) == nk_lower(prefix[same]))
        same++;
    return same == length;
}

/* The length of the valid UTF-8 sequence that a text begins with, if it has several bytes, or 0. */
size_t nk_utf8_length(const char *text);

/* How many characters of UTF-8 begin in the first `length` bytes of a text. The places of errors are counted so. */
size_t nk_characters(const char *text, size_t length);

/* The length in bytes of so many characters at the beginning of a text, which has no fewer. */
size_t nk_characters_length(const char *text, size_t characters);

/* ---- numbers ---- */

static inline uint64_t nk_least(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

static inline uint64_t nk_greatest(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

/* ---- arrays that grow ---- */

/* Makes room for `needed` elements of `size` bytes in an array on the heap, which has room for *room: for at least
 * twice as many as before, so that adding one after the other takes linear time. `place` is the address of the pointer
 * to the array, of any type, which is NULL with a room of 0. Returns false, with both unchanged, if memory runs out.
 */
bool nk_grow(void *place, size_t *room, size_t needed, size_t size);

/* ---- text in buffers ---- */

/* A text that is put together. What does not fit into `size` bytes, including the final zero, is omitted but counted
 * in `length`: a first pass with size 0 (and bytes NULL) computes how large the buffer must be. */
struct nk_strbuf {
    char *bytes;
    size_t size;
    size_t length; /* of all that was added, without the zero */
};

/* Appends to a text. The format is that of printf; in WebAssembly without floating point. */
__attribute__((format(printf, 2, 3))) void nk_strbuf_add(struct nk_strbuf *text, const char *format, ...);

/* A short text by value, cut if it is longer than an nk_text. The format is that of nk_strbuf_add. */
__attribute__((format(printf, 1, 2))) struct nk_text nk_text_of(const char *format, ...);

enum { NK_NUMBER_TEXT = 20 }; /* the most digits of a number of 64 bits */

/* Copies a text with its final zero. Returns where that zero is, as stpcpy(3) does, which not every system has. */
static inline char *nk_put_text(char *out, const char *text)
{
    const size_t length = strlen(text);
    memcpy(out, text, length + 1);
    return out + length;
}

/* Writes the digits of a number, without a final zero, and returns where they end. Signal handlers may call it. */
static inline char *nk_put_number(char *out, uint64_t number)
{
    char digits[NK_NUMBER_TEXT];
    int n = 0;
    do
        digits[n++] = (char)('0' + number % 10);
    while (number /= 10);
    while (n)
        *out++ = digits[--n];
    return out;
}

/* ---- text from outside ----
 *
 * Names of files, arguments, variables and quoted input may contain anything. Whatever prints them escapes them: each
 * byte that is not part of a visible character becomes four characters, such as \x1B for the escape character. Escaping
 * a text twice is the same as once. */

enum { NK_ESCAPED = 5 }; /* room for a character that was escaped or replaced, with the zero */

/* Writes the first character of a text, which is not empty, as a text that is safe to print. Returns the rest. */
const char *nk_escape_first(const char *text, char escaped[NK_ESCAPED]);

/* Appends a text with all its characters escaped. */
void nk_strbuf_add_escaped(struct nk_strbuf *text, const char *outside);

/* U+FFFD, in the place of a byte that is not part of a character, where data have to be valid UTF-8. */
#define NK_REPLACEMENT "\xef\xbf\xbd"

/* As nk_escape_first, but writes NK_REPLACEMENT for what is not safe to print, also for byte 0. */
const char *nk_replace_first(const char *text, char replaced[NK_ESCAPED]);

/* ---- texts for people ---- */

/* Data count plies; texts for people count moves, as chess does: a win in 19 plies takes 10 moves of the winner, and a
 * loss in 20 plies as many. */
int nk_moves_in(int plies);

/* A number of bytes, rounded down, as a message has it: with the unit "MiB" or, below one of these, "KiB" or "bytes",
 * so that what is small is not 0. */
struct nk_size {
    uint64_t number;
    const char *unit;
};
struct nk_size nk_size_of(uint64_t bytes);

/* "10 moves". */
struct nk_text nk_moves_text(int plies);

/* "10 moves (19 plies)", where the plies help. */
struct nk_text nk_distance_text(int plies);

/* A search for the name that a misspelt one was meant to be. Initially only `typed` is set. */
struct nk_suggestion {
    const char *typed; /* the misspelt name */
    const char *name;  /* the most similar name so far, or NULL if none is similar */
    int distance;      /* between the two, if there is a name */
};

/* Compares another name, of 2 to 30 bytes, with the misspelt one. */
void nk_suggest(struct nk_suggestion *suggestion, const char *name);

/* ---- JSON ---- */

/* A JSON text that is written value by value into a buffer, which the caller empties or enlarges when it is full.
 * Nothing is allocated for a value, and nothing needs stdio, which the WebAssembly build cannot import. At first all is
 * zero but `bytes`, which is the caller's, `size` and `make_room`. */
struct nk_json {
    char *bytes;
    size_t size, length;
    /* Called when length == size; it makes length < size by writing the bytes out or by enlarging the buffer,
     * and does not return if it cannot. */
    void (*make_room)(struct nk_json *json);
    bool follows; /* the next value follows another one in its array or object */
};

/* The following functions add a value: to an object as the member `key`, to an array with NULL for the key. Keys are
 * names that need no escapes. Values are separated by ", ", a key and its value by ": ". */

/* Begin and end an object, with the brackets '{' and '}', or an array, with '[' and ']'. */
void nk_json_begin(struct nk_json *json, const char *key, char bracket);
void nk_json_end(struct nk_json *json, char bracket);

/* NULL gives null. A byte that is not part of valid UTF-8 becomes U+FFFD, so that the JSON text is valid. */
void nk_json_string(struct nk_json *json, const char *key, const char *text);
void nk_json_integer(struct nk_json *json, const char *key, int64_t value);
void nk_json_bool(struct nk_json *json, const char *key, bool value);
void nk_json_null(struct nk_json *json, const char *key);

/* A value that is already spelled as JSON. */
void nk_json_literal(struct nk_json *json, const char *key, const char *text);

/* ---- progress ---- */

/* Where a function reports how much of its work is done: 0 to 1, never less than before. The thread that called it
 * calls `report`, which returns whether to continue: nk_traps_compute then stops, other functions do not. */
struct nk_progress_sink {
    bool (*report)(void *context, double done);
    void *context;
};

/* Reports to a sink, which may be NULL. Returns whether to continue. */
static inline bool nk_progress_report(const struct nk_progress_sink *sink, double done)
{
    return !sink || sink->report(sink->context, done);
}

#endif
