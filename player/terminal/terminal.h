/* Line input from a person or a program. If the program is built with libedit and standard input and output are both
 * terminals, lines can be edited with cursor keys, history and completion by the tab key. Ctrl-C then clears a line
 * that is being edited; otherwise it restores the terminal and ends the program with status 130. If only standard input
 * is a terminal, there is a prompt but no editing, and without a terminal neither. */
#ifndef NK_TERMINAL_H
#define NK_TERMINAL_H

#include "common/base/status.h"

#include <stdbool.h>
#include <stddef.h>

enum {
    TERMINAL_LINE = 4096, /* bytes of a line, including the zero; a longer line is cut and ends with '?' */
    TERMINAL_WORD = 264,  /* bytes of a completion, including the zero; a file name has at most 255 */
    TERMINAL_MAX_WORDS = 500
};

/* Completions of the end of a line. */
struct terminal_words {
    size_t begin; /* the offset in the line of what is completed; at first 0 */
    int count;
    bool too_many; /* there are more than TERMINAL_MAX_WORDS */
    char words[TERMINAL_MAX_WORDS][TERMINAL_WORD];
};

/* Adds a completion, a word and what follows it. */
void terminal_add_word(struct terminal_words *found, const char *word, const char *end);

/* Collects the completions of a line that begins with `begun`. */
typedef void terminal_completion(void *context, const char *begun, struct terminal_words *found);

struct terminal;

/* Only one terminal can be open at a time. NULL if memory runs out. The caller closes it with terminal_close. */
struct terminal *terminal_open(terminal_completion *completion, void *context);
void terminal_close(struct terminal *terminal);

/* True if standard input is a terminal, so that a person types the lines. */
bool terminal_has_person(const struct terminal *terminal);

/* Reads a line, after printing the prompt (at most 31 bytes) if a person types it. *line has no line end
 * and no blanks at its ends; byte 0 is the text "\x00". It is valid until the next call. *line is NULL
 * at the end of the input, or after Ctrl-D. NK_E_READ. */
enum nk_status terminal_read(struct terminal *terminal, const char *prompt, const char **line,
                             struct nk_error *error);

/* Reads a line from standard input into a buffer, without a prompt or editing. *line has no line end and no blanks at
 * its ends; byte 0 is the text "\x00". It is NULL at the end of the input. NK_E_READ. */
enum nk_status terminal_read_input(char buffer[TERMINAL_LINE], const char **line, struct nk_error *error);

/* Removes blanks from both ends of a line and replaces tabs by spaces. */
void terminal_clean(char *line);

#endif
