/* Reads lines from untrusted input with bounded memory. */
#ifndef NK_LINE_INPUT_H
#define NK_LINE_INPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

enum { NK_LINE_BYTES = 65536 }; /* the longest accepted line, not counting its end */

/* Reads a line without its newline and any carriage returns before it, and terminates it with a zero. *length is
 * the number of its bytes, which may include byte 0, or NK_LINE_BYTES + 1 if the line is longer; the rest is then
 * skipped. Returns false at the end of the input or after a read error (ferror). */
bool nk_line_read(FILE *in, char text[NK_LINE_BYTES + 1], size_t *length);

#endif
