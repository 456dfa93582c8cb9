/* A game in progress: functions that include/neutreeko.h does not declare. */
#ifndef NK_GAME_H
#define NK_GAME_H

#include "common/position.h"

/* Disables the rule of threefold repetition in a game permanently: no position then counts as having occurred, so
 * that repetition neither ends the game nor changes values. */
void nk_game_ignore_repetition(struct nk_game *game);

/* How often a position has occurred with this side to move, including the current position; 0 if the game ignores
 * repetition. */
int nk_game_occurrences(const struct nk_game *game, struct nk_position position, enum nk_colour to_move);

/* The same up to and including a ply of the game, 0 <= ply <= nk_game_known(game). */
int nk_game_occurrences_at(const struct nk_game *game, int ply, struct nk_position position,
                           enum nk_colour to_move);

/* Sets *copy to a new game with the first `ply` moves of another, 0 <= ply <= nk_game_known(game). The caller frees
 * it with nk_game_free. NK_E_MEMORY. */
enum nk_status nk_game_copy(const struct nk_game *game, int ply, struct nk_game **copy,
                            struct nk_error *error);

/* The position after a null move: the side to move passes. */
static inline struct nk_position nk_position_after_pass(struct nk_position position)
{
    return (struct nk_position){position.other, position.mover};
}

#endif
