/* Lines from a person or a program. When standard input and output are both terminals, lines are edited:
 * cursor keys, history, the tab key; Ctrl-C restores the terminal and ends the program with status 130.
 * Otherwise lines are read as they come and nothing is printed. */
#ifndef NK_TERMINAL_H
#define NK_TERMINAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

enum {
    TERMINAL_LINE = 4096, /* bytes of a line with the final zero; what is longer is cut and ends with '?' */
    TERMINAL_WORD = 16,   /* bytes of a word to be completed, with the final zero */
    TERMINAL_MAX_WORDS = 64
};

struct terminal_words {
    char words[TERMINAL_MAX_WORDS][TERMINAL_WORD];
    int count;
};

/* Collects the words that a line beginning with `begun` may become. */
typedef void terminal_completion(void *context, const char *begun, struct terminal_words *found);

enum terminal_input {
    TERMINAL_GOT_LINE,
    TERMINAL_END,   /* the end of input, or Ctrl-D */
    TERMINAL_FAILED /* the system could not read; errno tells why */
};

struct terminal;

/* One terminal at a time. NULL when memory runs out. The caller hands it to terminal_close. */
struct terminal *terminal_open(terminal_completion *completion, void *context);
void terminal_close(struct terminal *terminal);

/* True when a person sits at it. */
bool terminal_is_interactive(const struct terminal *terminal);

/* Reads a line, after the prompt (up to 31 bytes) if a person is to type it. *line has no line end and no
 * blanks around it; control characters have become '?'. It is valid until the next call. */
enum terminal_input terminal_read(struct terminal *terminal, const char *prompt, const char **line);

/* The same from any stream, without a prompt or editing. */
enum terminal_input terminal_read_stream(FILE *stream, char line[TERMINAL_LINE]);

/* Prints a text and, where the stream is a terminal, breaks its lines between words; lines after a break
 * begin with `indent` blanks, or with half a line of them. */
void terminal_print(FILE *stream, int indent, const char *text);

/* Prints short texts in as many columns as fit, downwards; one a line unless standard output is a terminal.
 */
void terminal_print_columns(const char *const texts[], int count);

#endif
