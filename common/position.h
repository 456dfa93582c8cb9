/* Positions and moves, forwards and backwards.
 *
 * A position says who moves only by role: the mover's pieces and the other's. After a move the roles change.
 * Functions here are pure: no allocation, no state, safe in any thread.
 */
#ifndef NK_POSITION_H
#define NK_POSITION_H

#include "rules.h"

/* The moves that may have led here, written to moves[]; how many. Each is a move of the side that now waits,
 * in a position that was legal and not over. At most one for each piece, direction and square. */
enum { NK_MAX_REVERSE_MOVES = NK_MAX_PIECES * NK_DIRECTIONS * (NK_MAX_SIDE - 1) };
int nk_position_reverse_moves(const struct nk_rules *rules, struct nk_position position,
                              struct nk_move moves[NK_MAX_REVERSE_MOVES]);

/* The position in which `move` led to this one. */
static inline struct nk_position nk_position_before(struct nk_position position, struct nk_move move)
{
    return (struct nk_position){position.other ^ nk_bit(move.from) ^ nk_bit(move.to), position.mover};
}

static inline bool nk_move_equal(struct nk_move a, struct nk_move b)
{
    return a.from == b.from && a.to == b.to;
}

#endif
