/* Text that is put together in a buffer. */
#ifndef NK_STRBUF_H
#define NK_STRBUF_H

#include "include/neutreeko.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* Text that does not fit into `size` bytes, including the final zero, is omitted but counted in `length`: a
 * first pass with size 0 (and bytes NULL) computes how large the buffer must be. */
struct nk_strbuf {
    char *bytes;
    size_t size;
    size_t length; /* of all that was added, without the zero */
};

/* Appends to the text. The format is that of printf; in WebAssembly without floating point. */
__attribute__((format(printf, 2, 3))) void nk_strbuf_add(struct nk_strbuf *text, const char *format, ...);
__attribute__((format(printf, 2, 0))) void nk_strbuf_add_list(struct nk_strbuf *text, const char *format,
                                                              va_list arguments);

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

/* The length of the valid UTF-8 sequence that a text begins with, if it has several bytes, or 0. */
size_t nk_utf8_length(const char *text);

/* The length of the character that a text begins with if it is safe to print: one that does not control the terminal,
 * in valid UTF-8. Otherwise 0, as for the empty text. Some terminals obey the control characters U+0080 to U+009F,
 * too. */
size_t nk_visible_length(const char *text);

/* U+FFFD, in the place of a byte that is not part of a character, where data have to be valid UTF-8. */
#define NK_REPLACEMENT "\xef\xbf\xbd"

/* Texts from outside (names of files, arguments, variables, quoted input) may contain anything. Whatever prints them
 * escapes them with one of these functions: each byte that is not part of a visible character becomes four
 * characters, such as \x1B for the escape character. Escaping a text twice is the same as once. */
enum { NK_ESCAPED = 5 };

/* Writes the first character of a text, which is not empty, as a text that is safe to print. Returns the rest. */
const char *nk_escape_first(const char *text, char escaped[NK_ESCAPED]);

/* As nk_escape_first, but writes NK_REPLACEMENT for what is not safe to print, also for byte 0. */
const char *nk_replace_first(const char *text, char replaced[NK_ESCAPED]);

/* Appends a text with all its characters escaped. */
void nk_strbuf_add_escaped(struct nk_strbuf *text, const char *outside);

/* Makes room for `needed` bytes in a text on the heap (NULL with a room of 0), of which *room are there: at least twice
 * as many as before, so that a text of many parts takes linear time. Returns false, with both unchanged, if memory runs
 * out. */
bool nk_grow(char **text, size_t *room, size_t needed);

#endif
