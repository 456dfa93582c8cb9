/* What can be said about a move in a game: what it keeps, gives away, threatens and prevents. */
#ifndef NK_EXPLAIN_H
#define NK_EXPLAIN_H

#include "common/table.h"
#include "player/game.h"

struct nk_explanation {
    struct nk_value before; /* the position, to the mover */
    struct nk_value value;  /* the move, to the mover, counted from the position before it */
    struct nk_move best;    /* a best move; this one when it is as good as any */
    bool repeats;           /* it ends the game by repetition */
    bool only;              /* it alone, of several moves, keeps the win or the draw */
    int threat; /* plies in which the mover would win if the opponent now did nothing; 0 when it would not, or
                 * the move ends the game */
    int stopped; /* plies in which the opponent would have won, had it been its turn before the move, while
                  * now it does not, or later; 0 when there was no such win, or the move ends the game */
    int replies; /* the opponent's moves, and what they lead to for the opponent: */
    int losing, holding, winning;
    bool has_only_reply; /* one reply alone, of several, keeps the opponent's win or draw: */
    struct nk_move only_reply;
};

/* Explains a move that is legal at a ply of the game, 0 <= ply <= nk_game_known(game). The values of moves
 * and replies take the history up to this ply into account, as nk_options does; `threat` and `stopped`, which
 * suppose that a side passes, are those of the table. Errors as nk_table_code. */
enum nk_status nk_explain(struct nk_table *table, const struct nk_game *game, int ply, struct nk_move move,
                          struct nk_explanation *why, struct nk_error *error);

#endif
