/* A slow solver written straight from the definition of the game, to judge the fast one by. It shares nothing
 * with the rest of the project, so it is a second, independent statement of the rules:
 *
 *   - Both sides have the same number of pieces. A move slides one of them in one of the eight directions
 *     until the next square is off the board or holds a piece of either side; it goes at least one square.
 *   - A side that has its line, whatever the win rule calls a line, has won.
 *   - A position is a pair {mover, other} of disjoint configurations, with the mover to move. It is
 *       illegal         if the mover already has its line;
 *       lost in 0 plies if only the other side has its line: the game is over;
 *       won in d plies  if a move leads to a position lost in d - 1, and none to one lost in fewer;
 *       lost in d plies if there is a move, all lead to won positions, and the farthest takes d - 1;
 *       drawn           if none of these, so also with no legal moves in a game that is not over.
 *
 * Configurations are masks: bit file + width * rank, a1 = bit 0.
 */
#ifndef REFERENCE_H
#define REFERENCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum ref_win {
    REF_WIN_LINE,        /* `row` own pieces side by side in any of the eight directions; more do no harm */
    REF_WIN_ORTHOGONAL,  /* the same, along a rank or a file only */
    REF_WIN_DIAGONAL,    /* the same, along a diagonal only */
    REF_WIN_EQUIDISTANT, /* a piece exactly halfway between two others, in any direction, at any distance */
    REF_WIN_CENTRE,      /* a piece on the square in the middle of the board */
};

struct ref_board {
    int width, height; /* 3..8; both odd for REF_WIN_CENTRE */
    int pieces;        /* a side, 2..5, with room for both sides; 3 for REF_WIN_EQUIDISTANT */
    int row_length;    /* 2..pieces; of no effect for REF_WIN_EQUIDISTANT and REF_WIN_CENTRE */
    enum ref_win win;
};

/* What a position is worth to the mover: REF_WON - d if it is won in d plies, d - REF_WON if it is lost in d plies. */
enum { REF_DRAWN = 0, REF_WON = 10000, REF_ILLEGAL = REF_WON + 1 };

/* Configurations are numbered in ascending order of their masks, and {mover, other} is position number
 * mover * count + other. Overlapping pairs have a number too, and count as illegal. */
struct ref_solution {
    uint64_t *masks; /* of the configurations */
    bool *has_win;
    size_t count;
    int16_t *values; /* of the positions */
    /* One move leads from position p to children[first_child[p]] ... children[first_child[p + 1] - 1], where the
     * opponent is the mover. There is none if the game is over. */
    size_t *first_child;
    uint32_t *children;
    size_t child_count, child_room;
};

/* Solves the whole game of a board with at most 65,535 configurations of a side. It takes some 50 bytes for every pair
 * of configurations, 250 MB and 5 seconds for the standard board; without enough memory it ends the program. The caller
 * frees the result with ref_free. */
struct ref_solution *ref_solve(struct ref_board board);
void ref_free(struct ref_solution *solution);

/* The trap values of the drawn positions; 0 for all others. The caller frees them.
 *
 * An imperfect player sees every result that is decided within 7 plies, avoids the losses that it sees, and plays each
 * other move with equal probability. A perfect one keeps every draw. The trap value of a drawn position q is U(q), the
 * discounted probability that the imperfect player, to move, loses in the end:
 *
 *     U(q) = 15/16 * (unseen + sum of V(p)) / (unseen + moves)      0 if the divisor is 0
 *     V(p) = the greatest U(q) after a drawing move from p          0 if there is none
 *
 * with the number of moves into losses that it does not see, and the drawing moves of q, which lead to positions p. All
 * U are 0 at first; 64 times all V and then all U are computed, in units of 1/65536 and rounded down. The values are in
 * units of 1/256, rounded down. */
uint8_t *ref_traps(const struct ref_solution *solution);

/* The number of a position. */
size_t ref_number(const struct ref_solution *solution, uint64_t mover, uint64_t other);

#endif
