/* Formatted text in a buffer, without stdio: the WebAssembly build must not import anything, and snprintf
 * needs stdio. */
#ifndef NK_STRBUF_H
#define NK_STRBUF_H

#include <stdarg.h>
#include <stddef.h>
#include <string.h>

/* Text that does not fit into `size` bytes, including the final zero, is omitted but counted in `length`: a
 * first pass with size 0 (and bytes NULL) computes how large the buffer must be. */
struct nk_strbuf {
    char *bytes;
    size_t size;
    size_t length; /* of all that was added, without the zero */
};

/* Appends to the text. The format is a subset of that of printf: %s, %c, %d, %u, %zu, %lu, %llu
 * and %%. */
__attribute__((format(printf, 2, 3))) void nk_strbuf_add(struct nk_strbuf *text, const char *format, ...);
__attribute__((format(printf, 2, 0))) void nk_strbuf_add_list(struct nk_strbuf *text, const char *format,
                                                              va_list arguments);

/* Copies a text with its final zero. Returns where that zero is, as stpcpy(3) does, which not every system has. */
static inline char *nk_put_text(char *out, const char *text)
{
    const size_t length = strlen(text);
    memcpy(out, text, length + 1);
    return out + length;
}

/* The length of the valid UTF-8 sequence that a text begins with, if it has several bytes, or 0. */
size_t nk_utf8_length(const char *text);

#endif
