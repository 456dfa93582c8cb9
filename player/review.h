/* What a game's moves were worth: where a win or a draw was given away. */
#ifndef NK_REVIEW_H
#define NK_REVIEW_H

#include "player/choose.h"

enum nk_mark {
    NK_MARK_NONE,
    NK_MARK_ERROR,  /* ? a draw or a win given away to less */
    NK_MARK_BLUNDER /* ?? a win turned into a loss */
};

struct nk_reviewed {
    struct nk_move move;
    enum nk_colour mover;
    struct nk_value before; /* the position, to the mover */
    struct nk_value after;  /* the move, to the mover, counted from the position before it */
    enum nk_mark mark;
    struct nk_move better; /* the best move; the move played when nothing was given away */
    int plies_lost;        /* a win delayed or a loss hastened by so many plies, the result being kept */
};

/* Reviews move number `ply` of the game by the table alone (repetition does not count), except that a move
 * which ended the game by repetition is a draw. 0 <= ply < nk_game_plies(game). Errors as nk_table_code. */
enum nk_status nk_review(struct nk_table *table, const struct nk_game *game, int ply,
                         struct nk_reviewed *reviewed, struct nk_error *error);

#endif
