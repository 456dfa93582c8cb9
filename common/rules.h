/* The rules of the game as a value: the board, how a piece slides, what wins, the board's symmetries.
 *
 * A set of squares is a 64-bit mask. Bit = file + width * rank, a1 = bit 0; on the standard board:
 *
 *     5 | 20 21 22 23 24
 *     4 | 15 16 17 18 19
 *     3 | 10 11 12 13 14
 *     2 |  5  6  7  8  9
 *     1 |  0  1  2  3  4
 *          a  b  c  d  e
 *
 * A struct nk_rules never changes once it is made: any number of threads may share one.
 * Source of the rules: J. K. Haugland, Neutreeko (2001).
 */
#ifndef NK_RULES_H
#define NK_RULES_H

#include "status.h"

#include <stdbool.h>
#include <stdint.h>

enum {
    NK_MIN_SIDE = 3,
    NK_MAX_SIDE = 8,
    NK_MAX_SQUARES = NK_MAX_SIDE * NK_MAX_SIDE,
    NK_MIN_PIECES = 2,
    NK_MAX_PIECES = 5,
    NK_DIRECTIONS = 8,
    NK_SYMMETRIES = 8,                            /* at most; a rectangle has 4 */
    NK_MAX_MOVES = NK_MAX_PIECES * NK_DIRECTIONS, /* a piece stops at one square in each direction */
    NK_NO_SQUARE = -1
};

/* North is up the ranks. The direction opposite to d is (d + 4) % 8. */
enum nk_direction {
    NK_NORTH,
    NK_NORTH_EAST,
    NK_EAST,
    NK_SOUTH_EAST,
    NK_SOUTH,
    NK_SOUTH_WEST,
    NK_WEST,
    NK_NORTH_WEST
};

/* What makes a side's pieces a winning arrangement. */
enum nk_win {
    NK_WIN_LINE,        /* `row` pieces in an unbroken orthogonal or diagonal line: the standard game */
    NK_WIN_ORTHOGONAL,  /* the same, orthogonal lines only */
    NK_WIN_DIAGONAL,    /* the same, diagonal lines only */
    NK_WIN_EQUIDISTANT, /* of three pieces one is exactly halfway between the other two */
    NK_WIN_CENTRE,      /* a piece on the centre square */
    NK_WIN_RULES        /* how many there are */
};

struct nk_position {
    uint64_t mover; /* squares of the side to move */
    uint64_t other; /* squares of the side that waits */
};

struct nk_rules {
    int width, height; /* squares; 3..8 */
    int pieces;        /* a side; 2..5 */
    int row;           /* pieces in a winning line; 2..pieces */
    enum nk_win win;

    /* Derived from the above. */
    int squares;                                /* width * height */
    uint64_t board;                             /* every square */
    int8_t next[NK_DIRECTIONS][NK_MAX_SQUARES]; /* the neighbour that way, or NK_NO_SQUARE */
    int symmetries;                             /* 8 on a square board, 4 on a rectangle */
    uint8_t image[NK_SYMMETRIES]
                 [NK_MAX_SQUARES];  /* where symmetry g takes a square; symmetry 0 is the identity */
    uint8_t inverse[NK_SYMMETRIES]; /* the symmetry that undoes symmetry g */
};

/* Fills *rules. NK_E_RULES, with the reason in *error (may be NULL), for a board that cannot be:
 * a number out of range, two armies that fill the board, `equidistant` without exactly 3 pieces, `centre` on
 * a board without a centre square or smaller than 5x5. For the last two, which know no rows, `row` must equal
 * `pieces`. */
NK_API enum nk_status nk_rules_make(struct nk_rules *rules, int width, int height, int pieces, int row,
                                    enum nk_win win, struct nk_error *error);

/* Fills *rules with the standard game: 5x5, three pieces a side, three in a row. */
NK_API void nk_rules_standard(struct nk_rules *rules);

/* True when both describe the same game. */
NK_API bool nk_rules_equal(const struct nk_rules *a, const struct nk_rules *b);

/* The start position, Black to move: of the standard game and of every other win rule on its board, and of
 * 7x7 with three pieces. False, with *start untouched, for a board that has none. */
NK_API bool nk_rules_start(const struct nk_rules *rules, struct nk_position *start);

/* True when these pieces of one side win. */
NK_API bool nk_rules_won(const struct nk_rules *rules, uint64_t pieces);

/* The set of squares after symmetry g, 0 <= g < rules->symmetries. */
NK_API uint64_t nk_rules_image(const struct nk_rules *rules, int g, uint64_t squares);

/* The name of a win rule, as --win takes it: "line", "orthogonal", ... */
NK_API const char *nk_win_name(enum nk_win win);

static inline uint64_t nk_bit(int square)
{
    return UINT64_C(1) << square;
}

/* The lowest square of a set that is not empty. */
static inline int nk_first(uint64_t squares)
{
    return __builtin_ctzll(squares);
}

#endif
