/* Positions and moves, forwards and backwards, beyond what include/neutreeko.h has. The functions do not
 * allocate and have no state, so any number of threads may call them. */
#ifndef NK_POSITION_H
#define NK_POSITION_H

#include "common/game/rules.h"

/* Whether each side has its number of pieces and all pieces are on different squares of the board. */
static inline bool nk_position_is_placement(const struct nk_rules *rules, struct nk_position position)
{
    uint64_t mover = position.mover, other = position.other;
    if ((mover | other) & ~rules->all_squares || mover & other)
        return false;
    /* All pieces of each side but one are removed. The processors for which this is compiled may lack an instruction
     * that counts them. */
    for (int piece = 1; piece < rules->board.pieces; piece++) {
        mover &= mover - 1;
        other &= other - 1;
    }
    return mover && !(mover & (mover - 1)) && other && !(other & (other - 1));
}

/* Checks any position if the colour of the side to move is not known: it is legal if each side has its number of
 * pieces, all pieces are on different squares of the board, and the side to move has not already won. Otherwise
 * NK_E_POSITION, with a message that names the sides as the side to move and the opponent. */
enum nk_status nk_position_check_sides(const struct nk_rules *rules, struct nk_position position,
                                       struct nk_error *error);

/* Writes the slides of a piece of the opponent that end in this position to moves[] and returns their number, also
 * those from a position that is illegal or in which the game is over: at most one for each piece, direction and
 * square. */
enum { NK_MAX_REVERSE_MOVES = NK_MAX_PIECES * NK_DIRECTIONS * (NK_MAX_SIDE - 1) };
int nk_position_reverse_slides(const struct nk_rules *rules, struct nk_position position,
                               struct nk_move moves[NK_MAX_REVERSE_MOVES]);

/* The position before `move`, one of those that nk_position_reverse_slides lists. */
static inline struct nk_position nk_position_before(struct nk_position position, struct nk_move move)
{
    return (struct nk_position){position.other ^ nk_bit(move.from) ^ nk_bit(move.to), position.mover};
}

/* "Black" or "White". */
static inline const char *nk_colour_name(enum nk_colour colour)
{
    return colour == NK_BLACK ? "Black" : "White";
}

/* The squares of one colour in a position with this side to move. */
static inline uint64_t nk_pieces_of(struct nk_position position, enum nk_colour to_move,
                                    enum nk_colour colour)
{
    return colour == to_move ? position.mover : position.other;
}

static inline bool nk_position_equal(struct nk_position a, struct nk_position b)
{
    return a.mover == b.mover && a.other == b.other;
}

/* A hash of the squares of both sides, of which the low bits are to be used. */
static inline uint64_t nk_position_hash(struct nk_position position)
{
    const uint64_t mixed =
        (position.mover * UINT64_C(0x9e3779b97f4a7c15)) ^ (position.other * UINT64_C(0xc2b2ae3d27d4eb4f));
    return mixed ^ (mixed >> 29);
}

/* The direction of a move between two squares on a straight line. */
int nk_move_direction(const struct nk_rules *rules, struct nk_move move);

static inline bool nk_move_equal(struct nk_move a, struct nk_move b)
{
    return a.from == b.from && a.to == b.to;
}

/* The index of a move in a list of `count` structs of `size` bytes that begin with a move; one of them has it. */
int nk_move_find(const void *list, size_t size, int count, struct nk_move move);

#endif
