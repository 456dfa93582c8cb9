/* The conversation of neutreeko play, and its prompt, which neutreeko puzzle has too (prompt.c). */
#ifndef NK_PLAYER_PLAY_H
#define NK_PLAYER_PLAY_H

#include "common/game/game.h"
#include "common/play/play.h"
#include "player/player.h"
#include "player/terminal/terminal.h"

#include <stdarg.h>

/* The prompt takes turns, in which people type lines. A line is a move, in which spaces are ignored, or a command with
 * an argument. The first letters of a command are enough if no other command begins with them, and letters may be
 * capital. An exclamation mark after a command keeps it from asking. '?' is 'help'. */

/* What a prompt does after a turn or a line. FAIL: after an error message. */
enum next_step { CONTINUE, LEAVE, FAIL };

enum { PROMPT_TEXT = 16 };

struct prompt {
    void *context;
    struct terminal *terminal; /* NULL if no line is ever wanted */

    /* Begins a turn: shows what has changed, and writes what asks for a line. If it writes nothing the turn is over. */
    enum next_step (*begin_turn)(void *context, char text[PROMPT_TEXT]);

    /* Carries out the line. */
    enum next_step (*carry_out)(void *context, const char *line);
};

/* Takes turns until one leaves or fails, or the input ends. Returns LEAVE or, after an error message, FAIL. */
enum next_step prompt_take_turns(const struct prompt *prompt);

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

/* Lists for a person at a prompt what can be typed: moves, with that from one square to another as the example, and
 * commands. */
void prompt_list(const struct prompt_command commands[], const char *from, const char *to);

/* Lists the commands in a help text. */
void prompt_print_help(const struct prompt_command commands[]);

/* ---- answers ---- */

enum { SENTENCE = 512 };

/* Prints a sentence to a stream, formatted as by vfprintf, and ends its line. */
void print_sentence_to(FILE *stream, const char *format, va_list arguments);

/* The same to standard output. */
__attribute__((format(printf, 1, 2))) void print_sentence(const char *format, ...);

/* Prints what can be typed at a terminal, with an example move that is neither good nor bad. */
void print_invitation(void);

/* ---- hints ---- */

/* The hints, in their order. */
enum { HINT_PIECE, HINT_MOVE, HINT_WHY, HINT_LIST };

/* Gives the hint with this number for a move: which piece to move, or which move to play. Returns false, without a
 * hint, for a later one. */
bool hint_give(const struct nk_rules *rules, int number, struct nk_move move);

/* Explains the best move of a game that is not over, the first of its choices. */
enum next_step hint_explain(struct nk_table *table, const struct nk_game *game,
                            const struct nk_choice choices[], int count);

/* ---- the session of neutreeko play (play.c) ---- */

/* What the command line asks for. Nothing changes it once a session has begun. */
struct play_settings {
    struct nk_table *table;
    struct nk_opponent players[2]; /* by colour */
    /* What the options set, which --load then does not change: the players of the colours, or the side of the person
     * and the opponent of this side. */
    struct given_players {
        bool colours[2], side, opponent;
    } given_on_command_line;
    enum nk_colour side;
    struct nk_position start;
    enum nk_colour first; /* the side to move at the start */
    const char *load;     /* the file to begin with, or NULL */
    uint64_t game;        /* the number of the game in this file, or 0 for the only one */
    uint64_t seed;
    bool resumes;    /* `load` is a game from the state directory, where it is continued */
    bool unrecorded; /* games are not recorded in the state directory */
    bool hints, stats;
    struct board_view view;
};

enum { PROPOSED_NAME = 32 };

/* The game, what a person has asked for, and the files that keep it. */
struct session {
    const struct play_settings *settings;
    const struct nk_rules *rules;
    struct nk_opponent players[2]; /* by colour */
    struct nk_position start;      /* of the next game, with `first` to move */
    enum nk_colour first;
    uint64_t random; /* the state of nk_random */
    struct board_view view;
    struct nk_game *game;        /* NULL before the first one */
    struct nk_headers headers;   /* event and date of the game */
    struct terminal *terminal;   /* NULL without people */
    const char *argument;        /* of the command that runs */
    bool forced;                 /* this command was followed by an exclamation mark */
    bool interactive;            /* a person types the lines */
    bool prints_typed_moves;     /* because the output does not show what a person types */
    bool has_rejected_line;      /* a line could not be carried out */
    bool changed_since_shown;    /* the position has changed since it was last shown */
    bool changed_since_recorded; /* the game has changed since it was recorded in the state directory */
    bool person_has_moved;       /* since the game began or was loaded, or has resigned */
    int hints;                   /* that were given since the position changed */

    /* The command that runs if the next line is 'yes', or NULL. */
    enum next_step (*to_confirm)(void *session);

    char proposed_name[PROPOSED_NAME]; /* the name that the next 'save' without one takes, or empty */
    char *saved_as;                    /* the file of the last `save` of this game, or NULL */

    /* The record in the state directory. */
    bool is_recorded;     /* games are recorded there */
    char *record;         /* its file, or NULL if there is none yet */
    char *resumed_record; /* the file of the game that was resumed, removed once it is recorded, or NULL */
    bool has_reported_unrecorded; /* a person knows that the game cannot be recorded */
};

/* Begins a game, in place of the current one. NK_E_POSITION, NK_E_MEMORY. */
enum nk_status session_begin(struct session *session, struct nk_error *error);

/* Continues a game from a file, in place of the current one, with the players that the file names. `number` is that of
 * the game in the file, from 1, or 0 for the only one. NK_E_READ, NK_E_MEMORY; NK_E_RULES if the game has another
 * board; NK_E_SYNTAX if there are fewer games or, for 0, several; NK_E_SYNTAX, NK_E_POSITION or NK_E_MOVE for an
 * invalid record. *error then has a message for a person that begins with the name of the file, and the current game
 * remains. */
enum nk_status session_load(struct session *session, const char *path, uint64_t number,
                            struct nk_error *error);

/* The game as a record. The caller frees it. NULL if memory runs out. */
char *session_text(const struct session *session);

/* The game has changed. */
void session_change(struct session *session);

bool session_is_over(const struct session *session);

/* How many of the players are human. */
int session_people(const struct session *session);

/* ---- the messages of neutreeko play ---- */

/* Prints a sentence for a line that cannot be carried out, to standard error. */
__attribute__((format(printf, 2, 3))) void reject_line(struct session *session, const char *format, ...);

void print_rules(const struct session *session);
void print_players(const struct session *session);
void print_board(const struct session *session);

/* Prints how the game ended, and what can be done next. */
void print_end(const struct session *session);

/* Whether there are several moves, best first, which all lose in the same number of plies: none is to be advised. */
bool all_lose_equally(const struct nk_choice choices[], int count);

/* ---- the commands of neutreeko play (play_commands.c) ---- */

/* Runs the command in a line that is not a move, or prints an error message. An empty line shows the board to a person.
 * If a command has been asked about, it runs if the line is 'yes'. */
enum next_step play_commands_run(struct session *session, const char *line);

/* Adds the commands that begin with what was typed. */
void play_commands_complete(const char *typed, struct terminal_words *found);

/* Prints the part of the help text that lists the commands. */
void play_commands_print(void);

#endif
