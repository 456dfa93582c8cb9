/* What people see and type at a terminal or through a pipe: boards, texts in its width, lines of input. */
#ifndef NK_TERMINAL_H
#define NK_TERMINAL_H

#include "common/base/base.h"
#include "common/game/game.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* ---- boards as text diagrams on standard output ---- */

/* Display options. All zero: without colour, in ASCII, seen by Black. */
struct board_view {
    bool colour;
    bool unicode;               /* the pieces are circles, filled for Black, not the letters b and w */
    bool flip;                  /* seen by White: a1 in the upper right corner */
    const struct nk_move *last; /* the last move, to be marked, or NULL */
};

/* How the board shows a piece. */
const char *display_piece_text(enum nk_colour colour, bool unicode);

/* A text about a result, of at most 70 bytes, with the escape sequences for a colour around it if there is to be one:
 * wins are green, draws yellow, losses red. */
struct nk_text display_result_text(enum nk_result result, bool colour, const char *text);

/* Prints the board with coordinates. The last move is marked: `+` where it started, `[w]` where it ended. */
void display_board(const struct nk_rules *rules, struct nk_position position, enum nk_colour to_move,
                   struct board_view view);

/* Prints the board at a ply of a game, 0 <= ply <= nk_game_plies_with_undone(game), with the move before it as the last
 * move. */
void display_game(const struct nk_game *game, int ply, struct board_view view);

/* ---- printing for people, in the width of a terminal ---- */

/* Prints a text. If the stream is a terminal, long lines are wrapped between words, and the continuation lines are
 * indented by `indent` columns, at most half of the width. */
void terminal_print(FILE *stream, int indent, const char *text);

/* Prints a formatted text to standard output, as terminal_print does. A text of more than 32,767 bytes is cut. */
__attribute__((format(printf, 2, 3))) void terminal_printf(int indent, const char *format, ...);

/* Prints `count` short texts, each in an array of `size` bytes, to standard output: column by column in as many columns
 * as fit on a terminal, otherwise one per line. */
void terminal_print_columns(const char *texts, size_t size, int count);

/* ---- reading lines from untrusted input with bounded memory ---- */

enum { LINE_BYTES = 65536 }; /* the longest accepted line, not counting its end */

/* An input, the last line, and the bytes that have been read ahead. Initialise it with `file`, a file descriptor, and
 * zero for the rest. */
struct line_input {
    /* The line without its end, the newline and any carriage returns before it. A zero follows it. */
    char text[LINE_BYTES + 1];
    size_t length; /* of the line; LINE_BYTES + 1 for a longer line, whose rest is skipped */
    int file;
    bool ended;
    int failed;        /* why it could not be read, a value of errno; otherwise 0 */
    size_t begin, end; /* of the bytes read ahead in bytes[] */
    char bytes[LINE_BYTES];
};

/* Reads a line, which may contain byte 0. Returns false at the end of the input, or if it cannot be read. */
bool line_read(struct line_input *in);

/* Whether the whole next line has been read ahead, so that line_read does not wait for it. Before it waits, the
 * answers to earlier lines must be written, because the writer of the next line may be waiting for them. */
bool line_is_ready(const struct line_input *in);

/* Reads ahead without waiting, as far as there is room. */
void line_read_ahead(struct line_input *in);

/* Whether a whole line that has been read ahead consists of this word, apart from blanks. */
bool line_is_ahead(const struct line_input *in, const char *word);

/* ---- line input from a person or a program ---- */

/* If the program is built with libedit and standard input and output are both terminals, lines can be edited with
 * cursor keys, history and completion by the tab key. Ctrl-C then clears a line that is being edited; otherwise it
 * restores the terminal and ends the program with status 130. If only standard input is a terminal, there is a prompt
 * but no editing, and without a terminal neither. */

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

/* Reads a line from standard input into a buffer, as terminal_read does, without editing and, for NULL, without a
 * prompt. */
enum nk_status terminal_read_input(const char *prompt, char buffer[TERMINAL_LINE], const char **line,
                                   struct nk_error *error);

/* Removes blanks from both ends of a line and replaces tabs by spaces. */
void terminal_clean(char *line);

#endif
