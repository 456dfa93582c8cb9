/* The parts of neutreeko play. */
#ifndef NK_PLAY_H
#define NK_PLAY_H

#include "player/opponents.h"
#include "player/terminal.h"

/* The command line. */
struct play {
    struct nk_table *table;
    struct nk_opponent players[2]; /* by colour */
    struct nk_position start;
    enum nk_colour first; /* the side to move at the start */
    uint64_t random;      /* the state of nk_random */
    bool hints, stats, flip, colour;
};

/* The state of a game with people. */
struct session {
    struct play *play;
    const struct nk_rules *rules;
    struct nk_game *game;
    struct terminal *terminal; /* NULL without people */
    const char *argument;      /* of the command that runs */
    bool interactive;
    bool changed; /* the position has changed since it was last shown */
};

/* What a turn leads to. */
enum outcome { CONTINUE, LEAVE, FAIL };

/* Begins a game, in place of the current one. Errors as nk_game_new. */
enum nk_status session_begin(struct session *session, struct nk_error *error);

bool session_is_over(const struct session *session);
bool session_is_human(const struct session *session, enum nk_colour colour);

/* How many of the players are human. */
int session_people(const struct session *session);

/* Plays with people at the terminal or through a pipe until they leave; without people, plays one game to its end.
 * Returns the exit status. */
int play_session(struct play *play);

/* Plays one game by the four-character protocol; `first`: this program moves first. Returns the exit status. */
int play_four_character(struct play *play, bool first);

#endif
