/* Line input from a person or a program. If standard input and output are both terminals, lines can be edited with
 * cursor keys, history and completion by the tab key, and Ctrl-C restores the terminal and ends the program with
 * status 130. Otherwise lines are read without a prompt or editing. */
#ifndef NK_TERMINAL_H
#define NK_TERMINAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

enum {
    TERMINAL_LINE = 4096, /* bytes of a line, including the zero; a longer line is cut and ends with '?' */
    TERMINAL_WORD = 16,   /* bytes of a completion, including the zero */
    TERMINAL_MAX_WORDS = 64
};

struct terminal_words {
    char words[TERMINAL_MAX_WORDS][TERMINAL_WORD];
    int count;
};

/* Collects the completions of a line that begins with `begun`. */
typedef void terminal_completion(void *context, const char *begun, struct terminal_words *found);

enum terminal_input {
    TERMINAL_GOT_LINE,
    TERMINAL_END,   /* the end of input, or Ctrl-D */
    TERMINAL_FAILED /* a read error; errno has the reason */
};

struct terminal;

/* Only one terminal can be open at a time. NULL if memory runs out. The caller closes it with terminal_close. */
struct terminal *terminal_open(terminal_completion *completion, void *context);
void terminal_close(struct terminal *terminal);

/* True if standard input and output are both terminals. */
bool terminal_is_interactive(const struct terminal *terminal);

/* Reads a line, after printing the prompt (at most 31 bytes) if the terminal is interactive. *line has no line end
 * and no blanks at its ends; control characters are replaced by '?'. It is valid until the next call. */
enum terminal_input terminal_read(struct terminal *terminal, const char *prompt, const char **line);

/* Reads a line in the same form from any stream, without a prompt or editing. */
enum terminal_input terminal_read_stream(FILE *stream, char line[TERMINAL_LINE]);

/* Prints a text. If the stream is a terminal, long lines are wrapped between words, and the continuation lines are
 * indented by `indent` columns, at most half of the width. */
void terminal_print(FILE *stream, int indent, const char *text);

/* Prints `count` short texts, each in an array of `size` bytes, to standard output: column by column in as many columns
 * as fit on a terminal, otherwise one per line. */
void terminal_print_columns(const char *texts, size_t size, int count);

#endif
