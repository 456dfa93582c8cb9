/* The characters between the words of a line, those that end one, digits, and letters in upper or lower case: in
 * positions, in records and in lines that people or programs type, whatever the locale is. Functions of the C library
 * such as tolower and strcasecmp follow it: in Turkish, I is not the upper case of i. */
#ifndef NK_CHARS_H
#define NK_CHARS_H

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

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

static inline bool nk_is_blank(char c)
{
    return c && strchr(NK_BLANKS, c);
}

static inline bool nk_is_line_end(char c)
{
    return c && strchr(NK_LINE_ENDS, c);
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

#endif
