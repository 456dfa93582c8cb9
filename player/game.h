/* A game in progress: the rest is in include/neutreeko.h. */
#ifndef NK_GAME_H
#define NK_GAME_H

#include "common/position.h"

/* How often a position, with this side to move, has occurred so far, the position now included. */
int nk_game_occurrences(const struct nk_game *game, struct nk_position position, enum nk_colour to_move);

#endif
