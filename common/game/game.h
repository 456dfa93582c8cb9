/* A game in progress: functions that include/neutreeko.h does not declare. */
#ifndef NK_GAME_H
#define NK_GAME_H

#include "common/game/position.h"

/* NK_E_RULES if the game has another board than `rules`, that of a table. */
enum nk_status nk_game_check_board(const struct nk_game *game, const struct nk_rules *rules,
                                   struct nk_error *error);

/* NK_E_MOVE, with the end, if the game is over. */
enum nk_status nk_game_check_open(const struct nk_game *game, struct nk_error *error);

/* How often the position of a ply has occurred with this side to move, up to and including the ply,
 * 0 <= ply <= nk_game_plies_with_undone(game). */
int nk_game_occurrences_at(const struct nk_game *game, int ply);

/* How often a position with this side to move has occurred up to and including a ply,
 * 0 <= ply <= nk_game_plies_with_undone(game). */
int nk_game_occurrences(const struct nk_game *game, int ply, struct nk_position position,
                        enum nk_colour to_move);

/* Whether any position had occurred twice up to and including a ply, 0 <= ply <= nk_game_plies_with_undone(game). */
bool nk_game_has_repeated(const struct nk_game *game, int ply);

/* How often the position after a legal move at a ply has occurred up to that ply. */
int nk_game_repeats_at(const struct nk_game *game, int ply, struct nk_move move);

/* Sets *copy to a new game with the first `ply` moves of another,
 * 0 <= ply <= nk_game_plies_with_undone(game). The caller frees it with nk_game_free. NK_E_MEMORY. */
enum nk_status nk_game_prefix(const struct nk_game *game, int ply, struct nk_game **copy,
                              struct nk_error *error);

/* The position after a null move: the side to move passes. */
static inline struct nk_position nk_position_after_pass(struct nk_position position)
{
    return (struct nk_position){position.other, position.mover};
}

#endif
