/* Minimax search of the game tree without the table. */
#ifndef NK_SEARCH_H
#define NK_SEARCH_H

#include "common/game/position.h"

enum {
    NK_MAX_SEARCH = 20,    /* plies */
    NK_SCORE_WIN = 1000000 /* a win after n plies scores NK_SCORE_WIN - n; every evaluation is smaller */
};

/* A question to the caller of a search, which may take long: whether to stop. */
struct nk_stop {
    bool (*is_wanted)(void *context); /* called by the thread that searches */
    void *context;
};

/* The static evaluation of a position for the side to move: the number of winning lines with pieces of that side
 * only, minus those with pieces of the opponent only. The standard board has 48 lines. The score is 0 under rules
 * that do not win by lines. */
int nk_evaluate(const struct nk_rules *rules, struct nk_position position);

/* Computes the minimax score of every move of a position that is not over, for the side that moves and in the order of
 * nk_position_moves, with a search of `plies` (1..NK_MAX_SEARCH). `prune` selects alpha-beta pruning, which visits
 * fewer positions and gives the same scores. Returns the number of moves. *visited (may be NULL) is increased by the
 * number of positions visited.
 *
 * With `stop` (may be NULL), it searches 1 ply, then 2, and so on up to `plies`, and asks after every 65,536 positions
 * whether to stop. The scores are then those of the last search that was completed, of 1 ply at least. */
int nk_search(const struct nk_rules *rules, struct nk_position position, int plies, bool prune,
              const struct nk_stop *stop, int scores[NK_MAX_MOVES], uint64_t *visited);

#endif
