/* The conversation of neutreeko play. */
#ifndef NK_PLAYER_PLAY_H
#define NK_PLAYER_PLAY_H

#include "common/game/game.h"
#include "common/play/play.h"
#include "player/prompt.h"
#include "player/terminal/terminal.h"

/* ---- the session of neutreeko play (play.c) ---- */

enum { PROPOSED_NAME = 32 };

/* The game, what a person has asked for, and the files that keep it. */
struct session {
    struct nk_table *table;
    const struct nk_rules *rules;
    struct nk_opponent players[2]; /* by colour */
    struct nk_position start;      /* of the next game, with `first` to move */
    enum nk_colour first;
    uint64_t random; /* the state of nk_random */
    struct board_view view;
    struct nk_game *game;        /* NULL before the first one */
    struct nk_headers headers;   /* event and date of the game */
    struct terminal *terminal;   /* NULL before it is open */
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

/* Whether a person plays a colour. */
bool session_is_person(const struct session *session, enum nk_colour colour);

/* How many of the players are people: 1 or 2. */
int session_people(const struct session *session);

/* ---- the messages of neutreeko play ---- */

/* Prints a sentence for a line that cannot be carried out, to standard error. */
__attribute__((format(printf, 2, 3))) void reject_line(struct session *session, const char *format, ...);

/* Rejects a line that only a game which is not over allows. Returns whether the game is over. */
bool reject_if_over(struct session *session);

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

extern const struct prompt_command play_commands[];

#endif
