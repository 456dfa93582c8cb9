/* The rules of the game as a value: the board, how a piece slides, what wins, the board's symmetries. Squares have the
 * numbers of include/neutreeko.h. A struct nk_rules does not change after nk_rules_init: any number of threads may
 * share one. Source of the rules: J. K. Haugland, Neutreeko (2001). */
#ifndef NK_RULES_H
#define NK_RULES_H

#include "common/base/status.h"

enum {
    NK_MIN_SIDE = 3,
    NK_MIN_PIECES = 2,
    NK_MIN_ROW_LENGTH = 2,
    NK_USUAL_ROW_LENGTH = 3,
    NK_SYMMETRIES = 8, /* at most; a rectangle has 4 */
    NK_MAX_WINS = 480, /* equidistant on 8x8 */
    NK_NO_SQUARE = -1
};

/* The bits of a symmetry, done in this order; the last one on square boards only. */
enum { NK_MIRROR_FILES = 1, NK_MIRROR_RANKS = 2, NK_SWAP_FILES_AND_RANKS = 4 };

/* North is towards the higher ranks of the board. The direction opposite to d is (d + 4) % 8. */
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

struct nk_rules {
    struct nk_board board; /* the variant, from which the rest is derived */

    int squares; /* width * height */
    uint64_t all_squares;
    int8_t next[NK_DIRECTIONS][NK_MAX_SQUARES];  /* the neighbour in a direction, or NK_NO_SQUARE */
    uint64_t ray[NK_DIRECTIONS][NK_MAX_SQUARES]; /* all squares in a direction */
    int symmetries;                              /* 8 on a square board, 4 on a rectangle */
    uint8_t inverse[NK_SYMMETRIES];              /* the symmetry that undoes symmetry g */

    /* A side wins when it occupies one of these sets of squares. Those with the lowest square s are the sets from
     * wins_from[s] to before wins_from[s + 1]. */
    uint64_t wins[NK_MAX_WINS];
    int win_count;
    int wins_from[NK_MAX_SQUARES + 1];

    /* Where a symmetry, a set of NK_MIRROR_FILES and the others, takes a square; 0 is the identity. */
    uint8_t image[NK_SYMMETRIES][NK_MAX_SQUARES];

    /* For positions such as `fair:17`: the table whose rules these are, and nk_fair_start. NULL in other rules. */
    struct nk_table *table;
    enum nk_status (*fair_start)(struct nk_table *table, uint64_t number, struct nk_position *position,
                                 struct nk_error *error);
};

/* Fills *rules with those of a board, or of the standard game for NULL. NK_E_RULES, with the reason in *error (may be
 * NULL), for an impossible board: a number out of range, pieces that fill the board, `equidistant` without exactly 3
 * pieces, `centre` on a board without a centre square or smaller than 5x5. These two have no winning line, so
 * `row_length` must equal `pieces`. */
enum nk_status nk_rules_init(struct nk_rules *rules, const struct nk_board *board, struct nk_error *error);

/* The name of what makes a board impossible, with the message of nk_rules_init in *error (may be NULL): "size",
 * "pieces", "full" (the pieces fill the board), "row" (the row length), "win", "equidistant" or "centre" (the condition
 * does not fit the board). NULL if the board is possible. */
const char *nk_rules_fault(const struct nk_board *board, struct nk_error *error);

/* True when both describe the same game. */
bool nk_rules_equal(const struct nk_rules *a, const struct nk_rules *b);

/* Whether a board is that of the standard game. */
bool nk_board_is_standard(const struct nk_board *board);

/* The squares next to some of these in any direction, without these. */
uint64_t nk_rules_neighbours(const struct nk_rules *rules, uint64_t squares);

/* The set of squares after symmetry g, 0 <= g < rules->symmetries. */
uint64_t nk_rules_image(const struct nk_rules *rules, int g, uint64_t squares);

/* The name of a winning condition, as in --win: "line", "orthogonal", ... */
const char *nk_win_name(enum nk_win win);

/* Write a board, whose winning condition must exist: as people and records name it, "5x5, 3 pieces, row 3, line"; and
 * as options of the solver, "--board 5x5 --pieces 3 --row 3 --win line". */
struct nk_text nk_board_name(const struct nk_board *board);
struct nk_text nk_board_options(const struct nk_board *board);

/* The winning condition with this name, or NK_WIN_RULES if there is none. */
enum nk_win nk_win_named(const char *name);

/* Whether lines win. If not, the row length must equal the number of pieces. */
bool nk_win_has_lines(enum nk_win win);

/* The row length of a board for which none is given: NK_USUAL_ROW_LENGTH, or as many as there are pieces if that is
 * less or if no line wins. */
int nk_win_usual_row_length(enum nk_win win, int pieces);

static inline uint64_t nk_bit(int square)
{
    return UINT64_C(1) << square;
}

/* The lowest square of a set that is not empty. */
static inline int nk_first(uint64_t squares)
{
    return __builtin_ctzll(squares);
}

/* The highest square of a set that is not empty. */
static inline int nk_last(uint64_t squares)
{
    return 63 - __builtin_clzll(squares);
}

/* The square where a piece that slides from a square in a direction stops, given all occupied squares; the same square
 * if it cannot move. Without branches that depend on the pieces, since nothing could predict them. */
static inline int nk_rules_stop(const struct nk_rules *rules, uint64_t occupied, int from, int direction)
{
    const uint64_t ray = rules->ray[direction][from], blocked = ray & occupied;
    if (direction <= NK_EAST ||
        direction == NK_NORTH_WEST) /* to higher squares, below the lowest blocked one */
        return nk_last(nk_bit(from) | (ray & ((blocked & -blocked) - 1)));
    const int above = nk_last(blocked << 1 | 1); /* the highest blocked one; 0 if there is none */
    return nk_first(nk_bit(from) | (ray >> above << above));
}

#endif
