/* What a program reports: messages, its output, and texts from outside, which must not control the terminal. Only
 * programs call these functions: they print. */
#ifndef NK_REPORT_H
#define NK_REPORT_H

#include "common/base/strbuf.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/* The exit status for incorrect usage. */
enum { EXIT_USAGE = 2 };

/* Prints "NAME: message" to standard error, escaped. A message of more than 999 bytes is cut. */
__attribute__((format(printf, 2, 3))) void nk_report(const char *name, const char *format, ...);

/* Prints "NAME: message" to standard error, escaped, and where to find help. A message of more than 999 bytes is cut.
 * Returns EXIT_USAGE. */
__attribute__((format(printf, 2, 3))) int nk_usage_error(const char *name, const char *format, ...);

/* Flushes standard output. Returns whether everything printed so far was written; reports the first failure
 * as "NAME: message" to standard error. */
bool nk_flush_output(const char *name);

/* Prints a text from outside so that it cannot control the terminal: see nk_escape_first. */
void nk_print_escaped(FILE *stream, const char *text);

/* The columns that the first `length` bytes of a text take up: none for the escape sequences of colours. */
int nk_count_columns(const char *text, size_t length);

/* Adds a text with line ends between words, so that no line has more than `columns` unless a word is longer. The lines
 * after those ends are indented by `indent` columns. */
void nk_strbuf_add_wrapped(struct nk_strbuf *out, int columns, int indent, const char *text);

/* A number for people: 3542000 as 3,542,000. */
struct nk_text nk_group_digits(uint64_t number);

/* "s" for the plural, unless the number is 1. */
const char *nk_plural(uint64_t number);

/* A text from outside so that it is safe to print: escaped, and shortened to the size of an nk_text. */
struct nk_text nk_quote(const char *text);

#endif
