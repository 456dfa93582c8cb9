/* Game tree search without the table, as textbooks have it. */
#ifndef NK_SEARCH_H
#define NK_SEARCH_H

#include "common/position.h"

enum {
    NK_MAX_SEARCH = 20,    /* plies */
    NK_SCORE_WIN = 1000000 /* a win after n plies scores NK_SCORE_WIN - n; every evaluation is smaller */
};

struct nk_move_score {
    struct nk_move move;
    int score; /* to the mover */
};

/* h0 - h1: lines that hold pieces of the mover only, minus lines that hold pieces of the other only. A line
 * is a winning configuration of `row` squares (48 on the standard board); for a rule without lines the score
 * is 0. */
int nk_evaluate(const struct nk_rules *rules, struct nk_position position);

/* The exact minimax score of every move of a position that is not over, in the order of nk_position_moves,
 * looking `plies` (1..NK_MAX_SEARCH) moves ahead; with `prune`, by alpha-beta, which gives the same scores
 * and visits fewer positions. Returns how many moves; *visited (may be NULL) grows by the positions visited.
 */
int nk_search(const struct nk_rules *rules, struct nk_position position, int plies, bool prune,
              struct nk_move_score scores[NK_MAX_MOVES], uint64_t *visited);

#endif
