/* The characters between the words of a line, and those that end one: in positions, in records and in lines that people
 * or programs type, whatever the locale. */
#ifndef NK_BLANK_H
#define NK_BLANK_H

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

#endif
