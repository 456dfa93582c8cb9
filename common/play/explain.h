/* Facts that explain the value of a move in a game: what it keeps, loses, threatens and prevents. */
#ifndef NK_EXPLAIN_H
#define NK_EXPLAIN_H

#include "common/table/lookup.h"
#include "common/game/game.h"

struct nk_explanation {
    struct nk_value before; /* of the position before the move, to the side that moves */
    struct nk_value value;  /* of the move, to the same side; its plies include the move */
    struct nk_move best;    /* a best move; the move itself if no other is better */
    bool repeats;           /* whether it ends the game by threefold repetition */
    bool only;              /* whether there are several moves and only this one keeps the win or the draw */
    /* Plies in which the side that moves would win if the opponent passed; 0 if it would not win or the move ends the
     * game. */
    int threat;
    /* Plies in which the opponent would have won if the side that moves had passed, if it now wins later or not at all;
     * 0 if it would not have won or the move ends the game. */
    int prevented;
    int replies;                  /* number of the opponent's moves; 0 if the move ends the game */
    int losing, holding, winning; /* how many of these lose, draw and win for the opponent */
    bool has_only_reply; /* whether there are several replies and only one keeps the opponent's win or draw */
    struct nk_move only_reply; /* this one */
};

/* Explains a move that is legal at a ply of the game, 0 <= ply <= nk_game_known(game). The values of moves and
 * replies are those in a game with the moves up to this ply, as nk_choices has them. `threat` and `prevented` assume
 * that a side passes and are values of the table. NK_E_RULES if the game has another board than the table, NK_E_READ,
 * NK_E_CORRUPT, NK_E_MEMORY. */
enum nk_status nk_explain(struct nk_table *table, const struct nk_game *game, int ply, struct nk_move move,
                          struct nk_explanation *why, struct nk_error *error);

#endif
