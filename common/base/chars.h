/* The characters between the words of a line, those that end one, and digits: in positions, in records and in lines
 * that people or programs type, whatever the locale. */
#ifndef NK_CHARS_H
#define NK_CHARS_H

#include <stdbool.h>
#include <string.h>

#define NK_BLANKS " \t\v\f"
#define NK_LINE_ENDS "\r\n"

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

#endif
