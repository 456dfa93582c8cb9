/* The state of neutreeko play: the players, their terminal, and the current game. */
#ifndef NK_SESSION_H
#define NK_SESSION_H

#include "player/commands/play.h"
#include "player/terminal.h"

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

#endif
