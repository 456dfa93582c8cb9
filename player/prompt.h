/* The prompt of neutreeko play and of neutreeko puzzle (prompt.c). */
#ifndef NK_PLAYER_PROMPT_H
#define NK_PLAYER_PROMPT_H

#include "common/game/game.h"
#include "common/play/play.h"
#include "player/terminal/terminal.h"

#include <stdarg.h>
#include <stdio.h>

/* The prompt takes turns, in which people type lines. A line is a move, in which spaces are ignored, or a command with
 * an argument. The first letters of a command are enough if no other command begins with them, and letters may be
 * capital. An exclamation mark after a command keeps it from asking. '?' is 'help'. */

/* What a prompt does after a turn or a line. FAIL: after an error message. */
enum next_step { CONTINUE, LEAVE, FAIL };

enum { PROMPT_TEXT = 16 };

struct prompt {
    void *context;
    struct terminal *terminal;

    /* Begins a turn: shows what has changed, and writes what asks for a line. If it writes nothing the turn is over. */
    enum next_step (*begin_turn)(void *context, char text[PROMPT_TEXT]);

    /* Carries out the line. */
    enum next_step (*carry_out)(void *context, const char *line);
};

/* Takes turns until one leaves or fails, or the input ends. Returns LEAVE or, after an error message, FAIL. */
enum next_step prompt_take_turns(const struct prompt *prompt);

/* Reports an error, as report_error does. Returns FAIL. */
enum next_step prompt_fail(const struct nk_error *error);

/* ---- what people type ---- */

/* A command. Those without a description are left out of the list; they come last but for PROMPT_LAST_COMMAND. */
struct prompt_command {
    const char *name, *argument, *about; /* the argument as in the list, or "" if there is none */
    bool can_be_forced;                  /* with an exclamation mark */
    void (*complete)(const char *typed, struct terminal_words *found); /* the argument, or NULL */
    enum next_step (*run)(void *context);
};

/* Ends an array of commands. */
#define PROMPT_LAST_COMMAND \
    {                       \
        .name = NULL        \
    }

/* A line with a command. */
struct prompt_line {
    const struct prompt_command *command;
    const char *argument; /* or "" */
    bool forced;
};

enum { PROMPT_MESSAGE = 512 };

/* Whether a line of less than TERMINAL_LINE bytes is meant as a move: then writes it without blanks, and cut if it is
 * longer than any move. */
bool prompt_is_move(const char *line, char move[TERMINAL_LINE]);

/* Writes why a text that is meant as a move in a position was rejected: by nk_move_parse or, with NK_E_MOVE, when the
 * move was played. Returns the message. */
const char *prompt_move_error(const struct nk_rules *rules, struct nk_position position, const char *typed,
                              const struct nk_error *error, char message[PROMPT_MESSAGE]);

/* Reads a line that is not meant as a move. Returns false, with a message, if it is not a command. */
bool prompt_read(const struct prompt_command commands[], const char *line, struct prompt_line *read,
                 char message[PROMPT_MESSAGE]);

/* Add the moves in a position that begin with what was typed, with the hyphen or without, and the commands or the
 * arguments that do. */
void prompt_complete_moves(const struct nk_rules *rules, struct nk_position position, const char *typed,
                           struct terminal_words *found);
void prompt_complete_commands(const struct prompt_command commands[], const char *typed,
                              struct terminal_words *found);

/* Lists for a person at a prompt what can be typed: moves, with a legal one as the example, which is not `hidden` (may
 * be NULL) if there is another one, and commands. */
void prompt_list(const struct prompt_command commands[], const struct nk_rules *rules,
                 struct nk_position position, const struct nk_move *hidden);

/* Lists the commands in a help text. */
void prompt_print_help(const struct prompt_command commands[]);

/* ---- answers ---- */

enum { SENTENCE = 512 };

/* Prints a sentence to a stream, formatted as by vfprintf, and ends its line. */
void print_sentence_to(FILE *stream, const char *format, va_list arguments);

/* The same to standard output. */
__attribute__((format(printf, 1, 2))) void print_sentence(const char *format, ...);

/* Prints what can be typed at a terminal, with a move of the position as an example: any but `hidden`, which may be
 * NULL, if there is another one. */
void print_invitation(const struct nk_rules *rules, struct nk_position position,
                      const struct nk_move *hidden);

/* ---- hints ---- */

/* The hints, in their order. */
enum { HINT_PIECE, HINT_MOVE, HINT_WHY, HINT_LIST };

/* Gives the hint with this number for a move: which piece to move, or which move to play. Returns false, without a
 * hint, for a later one. */
bool hint_give(const struct nk_rules *rules, int number, struct nk_move move);

/* Explains the best move of a game that is not over, the first of its choices. */
enum next_step hint_explain(struct nk_table *table, const struct nk_game *game,
                            const struct nk_choice choices[], int count);

#endif
