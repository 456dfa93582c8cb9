/* Sets of positions as matrices of bits: their rows, what sliding such sets along moves needs, and the cluster, whose
 * processes divide the columns and exchange what each of them has decided. */
#ifndef NK_MATRIX_H
#define NK_MATRIX_H

#include "common/game/game.h"
#include "common/system/system.h"
#include "common/table/table.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

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

/* The columns of a slice of the whole matrix: fewer in the last one, whose other bits stay zero. */
static inline uint32_t nk_columns_in(const struct nk_index *index, uint32_t slice)
{
    return (uint32_t)nk_least(index->orbit_count - slice * NK_SLICE_COLUMNS, NK_SLICE_COLUMNS);
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

/* The words that are not zero, a bit for each. Which ones are zero is irregular: a branch for each takes longer. */
static inline uint32_t nk_row_words(const nk_row_bits *bits)
{
    uint32_t words = 0;
    for (int w = 0; w < NK_ROW_WORDS; w++)
        words |= (uint32_t)(bits->word[w] != 0) << w;
    return words;
}

/* The column behind the last bit that is set; 0 if none is. */
static inline uint32_t nk_row_end(const nk_row_bits *bits)
{
    for (int w = NK_ROW_WORDS - 1; w >= 0; w--)
        if (bits->word[w])
            return (uint32_t)(w * 64 + 64 - __builtin_clzll(bits->word[w]));
    return 0;
}

/* The marks, 0 or 1, of the eight rows from `row` on: the lowest bits of eight bytes, zero for rows that do not exist.
 */
static inline uint64_t nk_eight_marks(const uint8_t *marks, uint32_t row, uint32_t rows)
{
    uint8_t eight[8] = {0};
    if (rows - row < 8)
        memcpy(eight, marks + row, rows - row);
    return nk_get64(rows - row < 8 ? eight : marks + row);
}

/* A loop over the rows that are marked, of `rows` in all; `row` is a variable of type uint32_t. Which rows these are is
 * irregular, so a branch for each mark would take longer. */
#define NK_FOR_MARKED(row, marks, rows)                                                     \
    for (uint32_t from_##row = 0; from_##row < (rows); from_##row += 8)                     \
        for (uint64_t left_##row = nk_eight_marks(marks, from_##row, rows);                 \
             left_##row && ((row) = from_##row + (uint32_t)nk_first(left_##row) / 8, true); \
             left_##row &= left_##row - 1)

/* The rows that a position by mover, in this row and column, has by other: its images by the symmetries that make the
 * configuration of the mover canonical. The column is the orbit of that. Returns how many there are; some may be the
 * same. */
static inline int nk_other_rows(const struct nk_index *index, uint32_t row, uint32_t column,
                                uint32_t rows[NK_SYMMETRIES])
{
    const struct nk_orbit *mover = &index->orbits[index->orbit_of[row]], *other = &index->orbits[column];
    int count = 0;
    if (mover->size == (uint32_t)index->rules.symmetries) {
        rows[0] = other->images[index->to_canonical[row]];
        return 1;
    }
    for (int g = 0; g < index->rules.symmetries; g++)
        if (mover->images[g] == row)
            rows[count++] = other->images[index->rules.inverse[g]];
    return count;
}

/* Positions one by one. */
struct nk_list {
    uint64_t *elements; /* each a row and a column of the whole matrix */
    size_t count, room;
};

/* ---- slides (analysis.c) ---- */

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

/* The part of row_of, [squares], for one piece of a row: the rows in which it is on each square and the others stay.
 * Piece 0 is the one on the lowest square. */
static inline const uint32_t *nk_slide_rows(const struct nk_slides *slides, uint32_t row, int piece)
{
    const uint32_t stationary = slides->stationary_of[(size_t)row * (size_t)slides->pieces + (size_t)piece];
    return slides->row_of + (size_t)stationary * (size_t)slides->squares;
}

/* ---- what is constant in a slice (analysis.c) ---- */

/* Sets occupied[s] to the columns of a slice of the whole matrix whose canonical configuration has the square s. */
void nk_fill_occupied(const struct nk_index *index, uint32_t slice, nk_row_bits occupied[NK_MAX_SQUARES]);

/* The columns of a slice of the whole matrix in which the other side has won, or has not. won[] is what
 * nk_index_fill_won has set. */
nk_row_bits nk_columns_by_win(const struct nk_index *index, uint32_t slice, const bool *won, bool has_won);

/* The columns with legal positions of a row, none if its side has won: those of `columns` in which the other side is on
 * none of its squares. won[] is what nk_index_fill_won has set, occupied[] what nk_fill_occupied has. */
static inline nk_row_bits nk_legal_in_row(const struct nk_index *index, const bool *won,
                                          const nk_row_bits *occupied, nk_row_bits columns, uint32_t row)
{
    if (won[row])
        return nk_no_bits;
    for (uint64_t squares = index->squares[row]; squares; squares &= squares - 1)
        nk_row_andnot(&columns, &occupied[nk_first(squares)]);
    return columns;
}

/* ---- the cluster ---- */

/* The cluster: the processes that share one analysis. They are numbered from 0, the first one, which reads and writes
 * what belongs to all. A function that gets NULL as the cluster works for a process that is alone; several are those
 * that mpirun started (solver/cluster_mpi.c).
 *
 * Processes divide the slices of the matrices among themselves, and exchange after each pass what it decided: each has
 * the rows of its slices of `next`, and the transposition (analysis.h) needs, from all slices of the matrix, the rows
 * of the configurations whose orbits this process owns. A process that is alone has them all already. Several send each
 * other their rows in rounds of one slice from each, so that buffers do not grow with the number of slices.
 *
 * All processes call the functions that communicate in the same order, each from one thread only. None of them returns
 * an error: when communication fails, MPI ends all processes. A function that fails in one process returns its error
 * there only, up to main, which reports it and ends the other processes. They wait for this one meanwhile. */

/* Rows of a slice. */
struct nk_source {
    uint32_t slice; /* among all slices of the matrix */
    /* By configuration in the slices that are sent; see row_of in those that are received. */
    const nk_row_bits *rows;
    const uint8_t *nonempty; /* [rows] zero where the row is empty; such a row has undefined contents */
};

struct nk_cluster;

struct nk_exchange {
    const struct nk_cluster *cluster; /* or NULL */
    const struct nk_index *index;

    /* What the round has brought; of a process that is alone, its own slices. */
    const struct nk_source *sources; /* [source_count] */
    uint32_t source_count;
    /* [configurations] the row of each configuration in a source; NULL if that is its number */
    uint32_t *row_of;
    uint64_t sent; /* bytes that this process has sent to others in all rounds */

    /* For several processes. */
    uint32_t *row_order;           /* [configurations] sorted by the process that owns their orbit */
    uint32_t *first_row;           /* [size + 1] where the rows of each process begin in row_order */
    uint8_t *masks_out, *masks_in; /* for each row, a bit for each of its words that is not zero */
    uint64_t *words_out, *words_in;
    nk_row_bits *rows;          /* the received rows */
    struct nk_source *received; /* [size] */
    int *counts;                /* [4][2][size] items for each process or from it, and where they begin */
};

/* Several processes, and what they do together. */
struct nk_cluster {
    int process;    /* the number of this one */
    int size;       /* how many there are */
    int local_size; /* how many of them are on this machine, including this one */

    /* Replaces each of the `count` values by the sum over all processes. */
    void (*sum)(uint64_t *values, size_t count);

    /* Returns the minimum over all processes. */
    uint64_t (*min)(uint64_t value);

    /* Copies the `length` bytes of one process to `bytes` of the first; `bytes` of other processes is not used. */
    void (*gather)(int from, uint8_t *bytes, size_t length);

    /* Adds what the exchange needs to `memory`; fills it after it has been allocated. */
    void (*add_exchange)(struct nk_exchange *exchange, struct nk_memory *memory);
    void (*fill_exchange)(struct nk_exchange *exchange);

    /* Runs a round, which all processes do in order. `own` are the slices of this process, all of them, from which it
     * sends. Fills the sources, valid until the next round. */
    void (*run_round)(struct nk_exchange *exchange, uint32_t round, const struct nk_source *own);

    /* Replaces a list by those of all processes, in their order, for which it has room. */
    void (*join)(struct nk_exchange *exchange, struct nk_list *list);
};

static inline int nk_cluster_process(const struct nk_cluster *cluster)
{
    return cluster ? cluster->process : 0;
}

static inline bool nk_cluster_is_first(const struct nk_cluster *cluster)
{
    return nk_cluster_process(cluster) == 0;
}

static inline int nk_cluster_size(const struct nk_cluster *cluster)
{
    return cluster ? cluster->size : 1;
}

/* ---- which slices a process has ---- */

/* Slices that follow each other, and the orbits of their columns. */
struct nk_slice_range {
    uint32_t first_slice, slices;
    uint32_t first_orbit, orbits;
};

static inline uint32_t nk_cluster_first_slice(const struct nk_cluster *cluster, const struct nk_index *index,
                                              int process)
{
    return (uint32_t)((uint64_t)nk_slice_count(index) * (uint64_t)process /
                      (uint64_t)nk_cluster_size(cluster));
}

/* What a process owns. The ranges follow each other in the order of the processes and differ by at most one slice; a
 * range may be empty. None has more slices than that of the last process. */
static inline struct nk_slice_range nk_cluster_range_of(const struct nk_cluster *cluster,
                                                        const struct nk_index *index, int process)
{
    const uint32_t first = nk_cluster_first_slice(cluster, index, process);
    const uint32_t slices = nk_cluster_first_slice(cluster, index, process + 1) - first;
    const uint32_t first_orbit = first * NK_SLICE_COLUMNS, orbits = slices * NK_SLICE_COLUMNS;
    const uint32_t left = index->orbit_count > first_orbit ? index->orbit_count - first_orbit : 0;
    return (struct nk_slice_range){first, slices, first_orbit, (uint32_t)nk_least(orbits, left)};
}

/* What this process owns. */
static inline struct nk_slice_range nk_cluster_range(const struct nk_cluster *cluster,
                                                     const struct nk_index *index)
{
    return nk_cluster_range_of(cluster, index, nk_cluster_process(cluster));
}

/* A range that is as large as any. */
static inline struct nk_slice_range nk_cluster_largest_range(const struct nk_cluster *cluster,
                                                             const struct nk_index *index)
{
    return nk_cluster_range_of(cluster, index, nk_cluster_size(cluster) - 1);
}

/* ---- what all processes do together ---- */

static inline void nk_cluster_sum(const struct nk_cluster *cluster, uint64_t *values, size_t count)
{
    if (cluster)
        cluster->sum(values, count);
}

static inline uint64_t nk_cluster_min(const struct nk_cluster *cluster, uint64_t value)
{
    return cluster ? cluster->min(value) : value;
}

/* Whether the value is the same in all processes. */
static inline bool nk_cluster_same(const struct nk_cluster *cluster, uint64_t value)
{
    const uint64_t min = nk_cluster_min(cluster, value);
    return nk_cluster_min(cluster, ~value) == ~min; /* the maximum equals the minimum */
}

#endif
