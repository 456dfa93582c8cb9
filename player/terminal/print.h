/* Printing for people, in the width of a terminal. */
#ifndef NK_PRINT_H
#define NK_PRINT_H

#include <stddef.h>
#include <stdio.h>

/* Prints a text. If the stream is a terminal, long lines are wrapped between words, and the continuation lines are
 * indented by `indent` columns, at most half of the width. */
void terminal_print(FILE *stream, int indent, const char *text);

/* Prints a formatted text to standard output, as terminal_print does. A text of more than 32,767 bytes is cut. */
__attribute__((format(printf, 2, 3))) void terminal_printf(int indent, const char *format, ...);

/* Prints `count` short texts, each in an array of `size` bytes, to standard output: column by column in as many columns
 * as fit on a terminal, otherwise one per line. */
void terminal_print_columns(const char *texts, size_t size, int count);

#endif
