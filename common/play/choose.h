/* The values of moves in a game by the rule that include/neutreeko.h states, at any ply of it. */
#ifndef NK_CHOOSE_H
#define NK_CHOOSE_H

#include "common/game/game.h"
#include "common/table/lookup.h"

/* Lists the legal moves of the position at a ply of a game, 0 <= ply <= nk_game_plies_with_undone(game), with their
 * values after the moves up to this ply, in the order of nk_table_moves. *count is their number, 0 if the position has
 * none. The boards of the game and the table must be the same (nk_game_check_board). NK_E_READ, NK_E_CORRUPT or
 * NK_E_MEMORY if the table cannot be read. */
enum nk_status nk_game_moves(struct nk_table *table, const struct nk_game *game, int ply,
                             struct nk_move_value moves[NK_MAX_MOVES], int *count, struct nk_error *error);

/* Lists the replies to a legal move at a ply of a game, which need not be the one that was played there, with their
 * values after the moves up to this ply and the move, in the order of nk_table_moves. *count is their number, 0 if the
 * position after the move has none. The boards of the game and the table must be the same (nk_game_check_board).
 * NK_E_READ, NK_E_CORRUPT or NK_E_MEMORY if the table cannot be read. */
enum nk_status nk_game_replies(struct nk_table *table, const struct nk_game *game, int ply,
                               struct nk_move move, struct nk_move_value replies[NK_MAX_MOVES], int *count,
                               struct nk_error *error);

#endif
