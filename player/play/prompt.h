/* The prompt of neutreeko play and of neutreeko puzzle: the turns, and the rules for what people type.
 *
 * A line is a move, in which spaces are ignored, or a command with an argument. The first letters of a command are
 * enough if no other command begins with them, and letters may be capital. An exclamation mark after a command keeps it
 * from asking. '?' is 'help'. */
#ifndef NK_PROMPT_H
#define NK_PROMPT_H

#include "player/commands/common.h"
#include "player/terminal/terminal.h"

/* What a line or a turn of a prompt leads to. FAIL: after an error message. */
enum after_turn { CONTINUE, LEAVE, FAIL };

enum { PROMPT_TEXT = 16 };

struct prompt {
    void *context;
    struct terminal *terminal; /* NULL if no line is ever wanted */

    /* Begins a turn: shows what has changed, and writes what asks for a line. If it writes nothing the turn is over. */
    enum after_turn (*begin_turn)(void *context, char text[PROMPT_TEXT]);

    /* Carries out the line. */
    enum after_turn (*carry_out)(void *context, const char *line);
};

/* Takes turns until one leaves or fails, or the input ends. Returns LEAVE or, after an error message, FAIL. */
enum after_turn prompt_take_turns(const struct prompt *prompt);

/* ---- what people type ---- */

/* A command. Those without a description are left out of the list; they come last but for PROMPT_LAST_COMMAND. */
struct prompt_command {
    const char *name, *argument, *about; /* the argument as in the list, or "" if there is none */
    bool can_be_forced;                  /* with an exclamation mark */
    void (*complete)(const char *typed, struct terminal_words *found); /* the argument, or NULL */
    enum after_turn (*run)(void *context);
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

enum { PROMPT_MOVE = 32, PROMPT_MESSAGE = 512 };

/* Whether a line is meant as a move: then copies it without blanks. */
bool prompt_is_move(const char *line, char move[PROMPT_MOVE]);

/* Writes why a text that is meant as a move in a position was rejected: by nk_move_parse or, with NK_E_MOVE, when the
 * move was played. */
void prompt_move_error(const struct nk_rules *rules, struct nk_position position, const char *typed,
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

/* Lists for a person at a prompt what can be typed: moves, with that from one square to another as the example, and
 * commands. */
void prompt_list(const struct prompt_command commands[], const char *from, const char *to);

/* Lists the commands in a help text. */
void prompt_print_help(const struct prompt_command commands[]);

#endif
