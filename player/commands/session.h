/* A session of neutreeko play: the people, their terminal, and the game they are at. */
#ifndef NK_SESSION_H
#define NK_SESSION_H

#include "player/commands/play.h"
#include "player/terminal.h"

struct session {
    struct play *play;
    const struct nk_rules *rules;
    struct nk_game *game;
    struct terminal *terminal; /* NULL without people */
    bool interactive;
    bool moved; /* the position is another than when it was last shown */
};

/* What a turn leads to. */
enum outcome { GO_ON, LEAVE, FAIL };

/* Begins a game, in the place of the one there was. */
enum outcome session_begin(struct session *session);

bool session_is_over(const struct session *session);
bool session_is_human(const struct session *session, enum nk_colour colour);

/* How many of the players are human. */
int session_people(const struct session *session);

#endif
