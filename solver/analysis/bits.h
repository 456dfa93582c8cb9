/* Sets of positions as rows of bits, and what sliding such sets along moves needs. */
#ifndef NK_BITS_H
#define NK_BITS_H

#include "common/game/game.h"
#include "common/system/system.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* ---- rows of bits ---- */

/* A set of positions is a bit matrix with one row for every configuration of one side, and one column for every orbit
 * of configurations of the other side. Columns are divided into slices of NK_SLICE_COLUMNS; a nk_row_bits is one row of
 * a slice. */

enum { NK_SLICE_COLUMNS = 512, NK_ROW_WORDS = NK_SLICE_COLUMNS / 64 };

/* A bit for each column of a slice. */
typedef struct {
    _Alignas(NK_SLICE_COLUMNS / 8) uint64_t word[NK_ROW_WORDS];
} nk_row_bits;

static const nk_row_bits nk_no_bits = {{0}};

/* The slices of a whole matrix. */
static inline uint32_t nk_slice_count(const struct nk_index *index)
{
    return (index->orbit_count + NK_SLICE_COLUMNS - 1) / NK_SLICE_COLUMNS;
}

static inline void nk_row_and(nk_row_bits *bits, const nk_row_bits *mask)
{
    for (int w = 0; w < NK_ROW_WORDS; w++)
        bits->word[w] &= mask->word[w];
}

static inline void nk_row_andnot(nk_row_bits *bits, const nk_row_bits *mask)
{
    for (int w = 0; w < NK_ROW_WORDS; w++)
        bits->word[w] &= ~mask->word[w];
}

static inline void nk_row_or(nk_row_bits *bits, const nk_row_bits *more)
{
    for (int w = 0; w < NK_ROW_WORDS; w++)
        bits->word[w] |= more->word[w];
}

/* Whether any bit is set. */
static inline bool nk_row_any(const nk_row_bits *bits)
{
    uint64_t any = 0;
    for (int w = 0; w < NK_ROW_WORDS; w++)
        any |= bits->word[w];
    return any;
}

/* ---- slides ---- */

/* What a board needs for sliding sets of positions backwards along moves (kernel_tmpl.c). All passes of the analysis
 * consist of this operation. A move changes the configuration of the side that moves, so it changes the row of a set
 * and keeps the column. */

struct nk_line {
    uint8_t length, square[NK_MAX_SIDE];
};

/* A slide moves one piece of a side; its other pieces are the stationary pieces. The arrays never change after
 * nk_slides_fill, so threads may share them. */
struct nk_slides {
    uint32_t stationary_count; /* sets of stationary pieces */
    uint64_t *stationary;      /* [stationary_count] their squares */
    /* [stationary_count][squares] row of the configuration with the sliding piece on that square; 0 if a stationary
     * piece occupies the square */
    uint32_t *row_of;
    uint32_t *stationary_of; /* [configurations][pieces] the sets that are left without one of the pieces */
    struct nk_line lines[6 * NK_MAX_SIDE]; /* each line of the board once, in one of its two directions */
    int line_count;
    uint64_t board; /* all squares */
    int squares, pieces;
};

/* Adds the arrays for the board of `index` to `memory`; fills them after they have been allocated. */
void nk_slides_describe(const struct nk_index *index, struct nk_slides *slides, struct nk_memory *memory);
void nk_slides_fill(const struct nk_index *index, struct nk_slides *slides);

/* ---- what is constant in a slice ---- */

/* Sets occupied[s] to the columns of a slice of the whole matrix whose canonical configuration has the square s. */
void nk_fill_occupied(const struct nk_index *index, uint32_t slice, nk_row_bits occupied[NK_MAX_SQUARES]);

/* Sets won[r], [configurations], to whether configuration r wins. */
void nk_fill_won(const struct nk_index *index, uint8_t *won);

/* The columns of a slice of the whole matrix in which the other side has won, or has not. won[] is what nk_fill_won
 * has set. */
nk_row_bits nk_columns_by_win(const struct nk_index *index, uint32_t slice, const uint8_t *won, bool has_won);

/* Those of the columns in which the other side is on none of the squares. */
static inline nk_row_bits nk_columns_avoiding(nk_row_bits columns, const nk_row_bits *occupied,
                                              uint64_t squares)
{
    for (; squares; squares &= squares - 1)
        nk_row_andnot(&columns, &occupied[nk_first(squares)]);
    return columns;
}

#endif
