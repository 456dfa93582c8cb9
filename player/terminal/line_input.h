/* Reads lines from untrusted input with bounded memory. */
#ifndef NK_LINE_INPUT_H
#define NK_LINE_INPUT_H

#include <stdbool.h>
#include <stddef.h>

enum { NK_LINE_BYTES = 65536 }; /* the longest accepted line, not counting its end */

/* An input, the last line, and the bytes that have been read ahead. Initialise it with `file`, a file descriptor, and
 * zero for the rest. */
struct nk_line_input {
    /* The line without its end, the newline and any carriage returns before it. A zero follows it. */
    char text[NK_LINE_BYTES + 1];
    size_t length; /* of the line; NK_LINE_BYTES + 1 for a longer line, whose rest is skipped */
    int file;
    bool ended;
    int failed;        /* why it could not be read, a value of errno; otherwise 0 */
    size_t begin, end; /* of the bytes read ahead in bytes[] */
    char bytes[NK_LINE_BYTES];
};

/* Reads a line, which may contain byte 0. Returns false at the end of the input, or if it cannot be read. */
bool nk_line_read(struct nk_line_input *in);

/* Whether the whole next line has been read ahead, so that nk_line_read does not wait for it. Before it waits, the
 * answers to earlier lines must be written, because the writer of the next line may be waiting for them. */
bool nk_line_is_ready(const struct nk_line_input *in);

/* Reads ahead without waiting, as far as there is room. */
void nk_line_read_ahead(struct nk_line_input *in);

/* Whether a whole line that has been read ahead consists of this word, apart from blanks. */
bool nk_line_is_ahead(const struct nk_line_input *in, const char *word);

#endif
