/* Reads lines of bounded length from an input whose lines may have any. */
#ifndef NK_LINE_INPUT_H
#define NK_LINE_INPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

enum { NK_LINE_BYTES = 65536 }; /* of a line at most, its end not counted */

/* Reads a line without its end, the newline and any carriage returns before it; the rest of one with more
 * than NK_LINE_BYTES bytes is skipped. *length counts its bytes, NK_LINE_BYTES + 1 for such a line. Byte 0
 * may be among them; another follows the last. False at the end of the input, or when it cannot be read
 * (ferror). */
bool nk_line_read(FILE *in, char text[NK_LINE_BYTES + 1], size_t *length);

#endif
