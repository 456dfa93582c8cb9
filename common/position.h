/* Positions and moves, forwards and backwards.
 *
 * A position says who moves only by role: the mover's pieces and the other's. After a move the roles change.
 * Functions here are pure: no allocation, no state, safe in any thread.
 */
#ifndef NK_POSITION_H
#define NK_POSITION_H

#include "rules.h"

enum nk_colour { NK_BLACK, NK_WHITE };

struct nk_move {
    uint8_t from, to; /* squares */
};

/* NK_OK when the position can occur with that colour to move: both sides have their number of pieces, on the
 * board, on squares of their own, and the mover has not already won. Otherwise NK_E_POSITION with the reason
 * in *error (may be NULL). The colour is only for the words. */
NK_API enum nk_status nk_position_check(const struct nk_rules *rules, struct nk_position position,
                                        enum nk_colour to_move, struct nk_error *error);

/* The mover's moves, written to moves[]; how many. 0 when the other side has won or when no piece can move.
 * Order: pieces by square, then directions from north clockwise. */
NK_API int nk_position_moves(const struct nk_rules *rules, struct nk_position position,
                             struct nk_move moves[NK_MAX_MOVES]);

/* The moves that may have led here, written to moves[]; how many. Each is a move of the side that now waits,
 * in a position that was legal and not over. At most one for each piece, direction and square. */
enum { NK_MAX_UNMOVES = NK_MAX_PIECES * NK_DIRECTIONS * (NK_MAX_SIDE - 1) };
NK_API int nk_position_unmoves(const struct nk_rules *rules, struct nk_position position,
                               struct nk_move moves[NK_MAX_UNMOVES]);

/* The position after the mover's move. */
static inline struct nk_position nk_position_after(struct nk_position position, struct nk_move move)
{
    return (struct nk_position){position.other, position.mover ^ nk_bit(move.from) ^ nk_bit(move.to)};
}

/* The position in which `move` led to this one. */
static inline struct nk_position nk_position_before(struct nk_position position, struct nk_move move)
{
    return (struct nk_position){position.other ^ nk_bit(move.from) ^ nk_bit(move.to), position.mover};
}

static inline enum nk_colour nk_colour_other(enum nk_colour colour)
{
    return colour == NK_BLACK ? NK_WHITE : NK_BLACK;
}

#endif
