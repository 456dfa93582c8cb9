/* Reads lines from untrusted input with bounded memory. */
#ifndef NK_LINE_INPUT_H
#define NK_LINE_INPUT_H

#include <stdbool.h>
#include <stddef.h>

enum { NK_LINE_BYTES = 65536 }; /* the longest accepted line, not counting its end */

/* An input, the line that was read last, and what has been read ahead. It begins with `file`, a file descriptor,
 * set and all else zero. */
struct nk_line_input {
    char text[NK_LINE_BYTES +
              1];  /* the line without its end, the newline and any carriage returns before it */
    size_t length; /* its bytes; NK_LINE_BYTES + 1 for a longer line, whose rest is skipped */
    int file;
    bool ended, failed; /* failed: it could not be read */
    size_t begin, end;  /* of what has been read ahead in bytes[] */
    char bytes[NK_LINE_BYTES];
};

/* Reads a line. Byte 0 may be in it; another follows the last one. False at the end of the input, or when it
 * cannot be read. */
bool nk_line_read(struct nk_line_input *in);

/* True when the next line is there as a whole, so that nk_line_read does not wait for it. Before it may wait,
 * answers to the lines so far must be written: who writes the next line may wait for them. */
bool nk_line_is_ready(const struct nk_line_input *in);

#endif
