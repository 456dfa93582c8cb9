/* The kernel: the functions in which the analysis spends its time. Compiled once for each width of vectors, with
 * VECTOR_BYTES and the instructions for it (solver/analysis/meson.build). */

#include "solver/analysis/analysis.h"

#include <string.h>

enum { PARTS = NK_SLICE_COLUMNS / 8 / VECTOR_BYTES }; /* vectors of a nk_row_bits */

typedef uint64_t vector __attribute__((vector_size(VECTOR_BYTES), may_alias));

/* A function that is compiled again for the constants of each caller, so that vectors stay in registers. */
#define SPECIALISED static inline __attribute__((always_inline))

/* ---- slides ---- */

/* A square of the board while one piece of a side slides and the others stay. */
struct square {
    vector target[PARTS];  /* columns with a target where the sliding piece is on this square */
    vector blocked[PARTS]; /* columns in which this square is occupied */
    vector origin[PARTS];  /* columns in which a slide from this square leads to a target */
};

/* Finds the slides along a line of `length` squares, in the first `parts` vectors of each square.
 *
 * A slide ends on a square only if the next square in its direction is blocked or missing, and it can have started on
 * any square before it, back to the first blocked one. So one walk along the line, against the direction of the
 * slides, finds all origins: it carries the targets met so far until a blocked square stops them. The second walk is
 * for slides in the other direction. */
SPECIALISED void walk(struct square *board, int parts, const uint8_t *line, int length)
{
    for (int p = 0; p < parts; p++) {
        vector target[NK_MAX_SIDE], blocked[NK_MAX_SIDE], origin[NK_MAX_SIDE];
        NK_UNROLL
        for (int i = 0; i < length; i++) {
            target[i] = board[line[i]].target[p];
            blocked[i] = board[line[i]].blocked[p];
            origin[i] = board[line[i]].origin[p];
        }
        vector carried = {0};
        vector stop = ~carried; /* columns in which the square visited before is blocked or missing */
        NK_UNROLL
        for (int i = length - 1; i >= 0; i--) {
            origin[i] |= carried;
            carried = (carried | (target[i] & stop)) & ~blocked[i];
            stop = blocked[i];
        }
        carried = (vector){0}, stop = ~carried;
        NK_UNROLL
        for (int i = 0; i < length; i++) {
            board[line[i]].origin[p] = origin[i] | carried;
            carried = (carried | (target[i] & stop)) & ~blocked[i];
            stop = blocked[i];
        }
    }
}

SPECIALISED void walk_all(const struct nk_slides *slides, struct square *board, int parts)
{
    for (const struct nk_line *line = slides->lines; line < slides->lines + slides->line_count; line++)
        switch (line->length) {
        case 2:
            walk(board, parts, line->square, 2);
            break;
        case 3:
            walk(board, parts, line->square, 3);
            break;
        case 4:
            walk(board, parts, line->square, 4);
            break;
        case 5:
            walk(board, parts, line->square, 5);
            break;
        case 6:
            walk(board, parts, line->square, 6);
            break;
        case 7:
            walk(board, parts, line->square, 7);
            break;
        default:
            walk(board, parts, line->square, NK_MAX_SIDE);
        }
}

/* Adds to `to` every position in which a slide of one piece leads to a target, while the given set of stationary
 * pieces stays. The targets are the positions of `from` with the bits of `invert` flipped. `from` and `to` are slices
 * of matrices, [configurations]. `board` has the squares that the other side blocks, occupied[s], before and after.
 * `to` also receives positions in which the two sides overlap or the game is over: the caller must mask them. */
SPECIALISED void slide(const struct nk_slides *slides, uint32_t stationary, const nk_row_bits *from,
                       vector invert, const nk_row_bits *occupied, int parts, struct square *board,
                       nk_row_bits *to)
{
    const uint32_t *row_of = slides->row_of + (size_t)stationary * (size_t)slides->squares;
    const uint32_t *prefetched = row_of + (stationary + 1 < slides->stationary_count ? slides->squares : 0);
    for (int s = 0; s < slides->squares; s++) {
        const vector *targets = (const vector *)&from[row_of[s]], *origins = (const vector *)&to[row_of[s]];
        for (int p = 0; p < parts; p++) {
            board[s].target[p] = targets[p] ^ invert;
            board[s].origin[p] = origins[p];
        }
        __builtin_prefetch(&from[prefetched[s]]);
        __builtin_prefetch(&to[prefetched[s]], 1);
    }
    for (uint64_t left = slides->stationary[stationary]; left; left &= left - 1)
        memset(board[nk_first(left)].blocked, 0xff, sizeof board->blocked);
    walk_all(slides, board, parts);
    for (uint64_t left = slides->stationary[stationary]; left; left &= left - 1)
        memcpy(board[nk_first(left)].blocked, &occupied[nk_first(left)], sizeof board->blocked);
    /* Stationary squares are skipped: they collect bits too, but the row that row_of has for them is not theirs. */
    for (uint64_t left = slides->board & ~slides->stationary[stationary]; left; left &= left - 1)
        memcpy(&to[row_of[nk_first(left)]], board[nk_first(left)].origin, (size_t)parts * sizeof(vector));
}

/* Marks the stationary pieces of all configurations whose row is not empty: only their slides end or begin there. */
static void mark_active(const struct nk_analysis *a, struct nk_worker *worker, const uint8_t *nonempty)
{
    uint32_t r;
    memset(worker->active, 0, a->slides.stationary_count);
    NK_FOR_MARKED(r, nonempty, a->rows)
        for (int p = 0; p < a->slides.pieces; p++)
            worker->active[a->slides.stationary_of[r * (size_t)a->slides.pieces + (size_t)p]] = 1;
}

/* Whether a slide with active stationary pieces ends or begins in this row. */
static bool is_active(const struct nk_analysis *a, const struct nk_worker *worker, uint32_t row)
{
    const uint32_t *stationary = a->slides.stationary_of + (size_t)row * (size_t)a->slides.pieces;
    uint8_t active = 0;
    for (int p = 0; p < a->slides.pieces; p++)
        active |= worker->active[stationary[p]];
    return active;
}

SPECIALISED void slide_all(const struct nk_slides *slides, const uint8_t *active, const nk_row_bits *from,
                           bool inverted, const nk_row_bits *occupied, int parts, nk_row_bits *to)
{
    const vector none = {0}, invert = inverted ? ~none : none;
    struct square board[NK_MAX_SQUARES] = {0};
    for (int s = 0; s < slides->squares; s++)
        memcpy(board[s].blocked, &occupied[s], sizeof board->blocked);
    for (uint32_t i = 0; i < slides->stationary_count; i++)
        if (!active || active[i])
            slide(slides, i, from, invert, occupied, parts, board, to);
}

/* The last slice may have no columns in the last vector: that of the standard board has 319. */
static void slide_active(const struct nk_slides *slides, const uint8_t *active, uint32_t columns,
                         const nk_row_bits *from, bool inverted, const nk_row_bits *occupied, nk_row_bits *to)
{
    if (PARTS > 1 && columns <= NK_SLICE_COLUMNS - 8 * VECTOR_BYTES)
        slide_all(slides, active, from, inverted, occupied, PARTS - 1, to);
    else
        slide_all(slides, active, from, inverted, occupied, PARTS, to);
}

/* ---- what a pass decides ---- */

static void find_predecessors(struct nk_analysis *a, uint32_t slice, struct nk_worker *worker)
{
    const struct nk_bitset next = nk_slice_of(a, &a->next, slice);
    const struct nk_bitset frontier = nk_slice_of(a, &a->frontier, slice);
    uint32_t r;
    mark_active(a, worker, frontier.nonempty);
    for (r = 0; r < a->rows; r++)
        next.nonempty[r] = is_active(a, worker, r);
    NK_FOR_MARKED(r, next.nonempty, a->rows)
        next.rows[r] = nk_no_bits;
    slide_active(&a->slides, worker->active, nk_columns_in(a->index, a->range.first_slice + slice),
                 frontier.rows, false, nk_occupied_in(a, slice), next.rows);
    NK_FOR_MARKED(r, next.nonempty, a->rows) {
        nk_row_and(&next.rows[r], &worker->undecided[r]);
        next.nonempty[r] = nk_row_any(&next.rows[r]);
    }
}

static void find_losses(struct nk_analysis *a, uint32_t slice, struct nk_worker *worker)
{
    const struct nk_bitset next = nk_slice_of(a, &a->next, slice);
    const struct nk_bitset frontier = nk_slice_of(a, &a->frontier, slice);
    uint32_t r;
    NK_FOR_MARKED(r, frontier.nonempty, a->rows)
        nk_row_or(&worker->almost_win[r], &frontier.rows[r]);
    /* It first receives the escapes. */
    memset(next.rows, 0, a->rows * sizeof *next.rows);
    memset(worker->active, 1, a->slides.stationary_count); /* any undecided position may be a loss */
    slide_active(&a->slides, worker->active, nk_columns_in(a->index, a->range.first_slice + slice),
                 worker->almost_win, true, nk_occupied_in(a, slice), next.rows);
    for (r = 0; r < a->rows; r++) {
        nk_row_bits losses = worker->undecided[r];
        nk_row_andnot(&losses, &next.rows[r]);
        next.rows[r] = losses;
        next.nonempty[r] = nk_row_any(&losses);
    }
}

/* The lowest entry of `next`, given the columns that any row has. Entries are sorted by column, then by row. */
static uint64_t lowest_entry(const struct nk_analysis *a, uint32_t slice, const nk_row_bits *columns)
{
    const struct nk_bitset next = nk_slice_of(a, &a->next, slice);
    uint32_t w = 0, r = 0;
    while (w < NK_ROW_WORDS && !columns->word[w])
        w++;
    if (w == NK_ROW_WORDS)
        return UINT64_MAX;
    const uint32_t column = w * 64 + (uint32_t)nk_first(columns->word[w]);
    while (!next.nonempty[r] || !(next.rows[r].word[w] >> column % 64 & 1))
        r++;
    const uint64_t other =
        nk_index_canonical_squares(a->index, a->range.first_orbit + slice * NK_SLICE_COLUMNS + column);
    return nk_index_entry(a->index, (struct nk_position){a->index->squares[r], other});
}

/* Counts the bits in some columns. */
static uint64_t count_bits(const nk_row_bits *bits, const nk_row_bits *columns)
{
    uint64_t count = 0;
    for (int w = 0; w < NK_ROW_WORDS; w++)
        count += (uint64_t)__builtin_popcountll(bits->word[w] & columns->word[w]);
    return count;
}

/* In how many of the rows that were added each column has a bit, as a binary number: digit d of it is a bit of
 * digit[d]. Counting the bits of the digits takes less time than counting those of each row. */
enum { DIGITS = 6, MOST_ROWS = (1 << DIGITS) - 1 };
struct vertical_counter {
    nk_row_bits digit[DIGITS];
    int rows;
};

static inline void add_row(struct vertical_counter *counter, const nk_row_bits *row)
{
    for (int p = 0; p < PARTS; p++) {
        vector carry = ((const vector *)row)[p];
        NK_UNROLL
        for (int d = 0; d < DIGITS; d++) {
            vector *digit = (vector *)&counter->digit[d] + p;
            const vector before = *digit;
            *digit ^= carry;
            carry &= before;
        }
    }
    counter->rows++;
}

/* Returns how many positions of the game the added rows have, adds their columns to *columns, and begins again. A
 * bit stands for as many positions as there are symmetries, less 1/2, 1/4 and 1/8 of them for smaller orbits. */
static uint64_t count_positions(const struct nk_analysis *a, uint32_t slice, struct vertical_counter *counter,
                                nk_row_bits *columns)
{
    const nk_row_bits *symmetric_orbits = a->symmetric_orbits + (size_t)slice * NK_SYMMETRIC_ORBITS;
    const uint64_t symmetries = (uint64_t)a->index->rules.symmetries;
    uint64_t positions = 0;
    for (int d = 0; d < DIGITS; d++) {
        const nk_row_bits *digit = &counter->digit[d];
        uint64_t count = count_bits(digit, digit) * symmetries;
        for (int i = 0; i < NK_SYMMETRIC_ORBITS; i++)
            count -= count_bits(digit, &symmetric_orbits[i]) * symmetries >> (i + 1);
        positions += count << d;
        nk_row_or(columns, digit);
    }
    *counter = (struct vertical_counter){0};
    return positions;
}

static uint64_t remove_decided(struct nk_analysis *a, uint32_t slice, struct nk_worker *worker,
                               uint64_t *example)
{
    const struct nk_bitset next = nk_slice_of(a, &a->next, slice);
    struct vertical_counter counter = {0};
    nk_row_bits columns = nk_no_bits;
    uint64_t decided = 0;
    uint32_t r;
    NK_FOR_MARKED(r, next.nonempty, a->rows) {
        nk_row_andnot(&worker->undecided[r], &next.rows[r]);
        add_row(&counter, &next.rows[r]);
        if (counter.rows == MOST_ROWS)
            decided += count_positions(a, slice, &counter, &columns);
    }
    decided += count_positions(a, slice, &counter, &columns);
    *example = lowest_entry(a, slice, &columns);
    return decided;
}

/* ---- the transposition ---- */

/* The transposition turns positions by mover into the same positions by other. A bit in row m and column o is a
 * position in which the mover has the configuration m and the other side the canonical configuration of orbit o. Let g
 * be a symmetry that takes m to the canonical configuration of its own orbit, c. By the other view, the position then
 * has the row g(o) and the column c.
 *
 * All of this is done for 64 orbits of the mover and 64 orbits of the other side at once. For one symmetry g, the rows
 * of these 64 movers, each the configuration that g takes to the canonical one of its orbit, have one word each with a
 * bit for each orbit of the other side: a tile of 64 x 64 bits. In the other view the rows are g of the 64 canonical
 * configurations of the other side, and have one word each with a bit for each orbit of the mover. So the words of the
 * target are the columns of the tile: the tile has to be transposed. */

/* Transposes a tile: bit j of word i becomes bit i of word j. It swaps the two quarters that are not on the diagonal,
 * and then does the same in each quarter, and so on down to single bits. With 4 x 4 bits, the lowest on the left:
 *
 *     word 0   a b c d         a b i j         a e i m
 *     word 1   e f g h   ->    c d k l   ->    b f j n
 *     word 2   i j k l         e f m n         c g k o
 *     word 3   m n o p         g h o p         d h l p
 *
 * The first step swaps c d of word 0 with i j of word 2, and g h of word 1 with m n of word 3. It also moves word i to
 * word 2 i, and the one that it was paired with, half a tile further, to word 2 i + 1. So the next step again has pairs
 * half a tile apart, (a b i j) with (e f m n), and swaps the second bits of each two with the first ones. That keeps
 * words that are treated alike next to each other, as vectors need them. When the last step has moved its words, all
 * are back in their order. */
static void transpose_tile(uint64_t tile[64])
{
    uint64_t low = UINT32_MAX, before[64];
    for (uint32_t size = 32; size; size /= 2, low ^= low << size) {
        memcpy(before, tile, sizeof before);
        for (size_t i = 0; i < 32; i++) {
            const uint64_t swap = (before[i] >> size ^ before[i + 32]) & low;
            tile[2 * i] = before[i] ^ swap << size;
            tile[2 * i + 1] = before[i + 32] ^ swap;
        }
    }
}

/* A word of the rows of `frontier`: a column for each of 64 orbits of the mover, or fewer at the end. */
struct target {
    uint64_t *word; /* of row 0 */
    uint8_t *nonempty;
    uint32_t orbits;
};

/* Adds bits to a row of the target. */
static inline void add_to_target(const struct target *target, uint32_t row, uint64_t bits)
{
    target->word[(size_t)row * NK_ROW_WORDS] |= bits;
    target->nonempty[row] = 1;
}

/* The rows of a source that are not empty, of those that belong to the orbits of a target. An empty one is not counted,
 * and the next one takes its place. */
struct gathered {
    const uint64_t *row[64];
    uint8_t column[64]; /* bits of the target's word: the orbits of the rows */
    uint32_t count;
};

static void gather(const struct nk_source *source, const uint32_t rows[64], uint32_t orbits,
                   struct gathered *gathered)
{
    gathered->count = 0;
    for (uint32_t i = 0; i < orbits; i++) {
        gathered->row[gathered->count] = source->rows[rows[i]].word;
        gathered->column[gathered->count] = (uint8_t)i;
        gathered->count += source->nonempty[rows[i]] != 0;
    }
}

/* Adds word w of each row to the target, bit by bit. `others` are the orbits of its bits. */
static void scatter_bits(const struct gathered *gathered, uint32_t w, const struct nk_orbit *others,
                         int symmetry, const struct target *target)
{
    for (uint32_t i = 0; i < gathered->count; i++)
        for (uint64_t left = gathered->row[i][w]; left; left &= left - 1)
            add_to_target(target, others[nk_first(left)].images[symmetry], nk_bit(gathered->column[i]));
}

/* The same with all bits at once: the words become a tile, and those of the transposed tile are the bits to add.
 * `columns` has the bits that are set in any of the words, so that words without bits are skipped. */
static void scatter_transposed(const struct gathered *gathered, uint32_t w, uint64_t columns,
                               const struct nk_orbit *others, int symmetry, const struct target *target)
{
    uint64_t tile[64] = {0};
    for (uint32_t i = 0; i < gathered->count; i++)
        tile[gathered->column[i]] = gathered->row[i][w];
    transpose_tile(tile);
    for (; columns; columns &= columns - 1)
        add_to_target(target, others[nk_first(columns)].images[symmetry], tile[nk_first(columns)]);
}

/* Transposes word w of the gathered rows. If few of these words have bits, copying single bits is faster than
 * transposing the tile. */
static void transpose_word(const struct gathered *gathered, uint32_t w, const struct nk_orbit *others,
                           int symmetry, const struct target *target)
{
    enum { FEW_WORDS = 10 };
    uint64_t columns = 0;
    uint32_t words = 0;
    for (uint32_t i = 0; i < gathered->count; i++) {
        columns |= gathered->row[i][w];
        words += gathered->row[i][w] != 0;
    }
    if (words >= FEW_WORDS)
        scatter_transposed(gathered, w, columns, others, symmetry, target);
    else if (words)
        scatter_bits(gathered, w, others, symmetry, target);
}

/* The column words of a slice of `frontier`. */
struct targets {
    uint32_t count;
    struct target target[NK_ROW_WORDS];
    uint32_t rows[NK_ROW_WORDS][64]; /* of a source: the image of each of their orbits */
};

/* Transposes the rows of a source for one image of each orbit's canonical configuration; `symmetry` takes the image to
 * the canonical configuration. All targets get a word of the rows before the next one: on large boards the rows that
 * these bits belong to are far from each other, so each is brought to the cache once instead of for each target. */
static void transpose_source(const struct nk_index *index, const struct nk_source *source,
                             const struct targets *targets, int symmetry)
{
    const struct nk_orbit *others = &index->orbits[(size_t)source->slice * NK_SLICE_COLUMNS];
    const uint32_t last = (index->orbit_count - source->slice * NK_SLICE_COLUMNS + 63) / 64;
    struct gathered gathered[NK_ROW_WORDS];
    for (uint32_t t = 0; t < targets->count; t++)
        gather(source, targets->rows[t], targets->target[t].orbits, &gathered[t]);
    for (uint32_t w = 0; w < NK_ROW_WORDS && w < last; w++, others += 64)
        for (uint32_t t = 0; t < targets->count; t++)
            transpose_word(&gathered[t], w, others, symmetry, &targets->target[t]);
}

/* Transposes a->exchange.sources into a slice of `frontier`. */
static void transpose(void *context, uint32_t slice, int worker)
{
    (void)worker;
    const struct nk_analysis *a = context;
    const struct nk_index *index = a->index;
    const uint32_t orbits = a->range.orbits - slice * NK_SLICE_COLUMNS; /* from the first of the slice on */
    const struct nk_orbit *movers = &index->orbits[a->range.first_orbit + slice * NK_SLICE_COLUMNS];
    const struct nk_bitset frontier = nk_slice_of(a, &a->frontier, slice);
    const uint32_t *row_of = a->exchange.row_of;
    struct targets targets = {0};
    for (uint32_t t = 0; t < NK_ROW_WORDS && t * 64 < orbits; t++) {
        const uint32_t left = orbits - t * 64;
        targets.target[targets.count++] =
            (struct target){(uint64_t *)frontier.rows + t, frontier.nonempty, left < 64 ? left : 64};
    }
    /* All symmetries, even if several take the same configuration to the canonical one: they take the configuration
     * of the other side to different ones. */
    for (int g = 0; g < index->rules.symmetries; g++) {
        for (uint32_t t = 0; t < targets.count; t++)
            for (uint32_t i = 0; i < targets.target[t].orbits; i++) {
                const uint32_t image = movers[t * 64 + i].images[g];
                targets.rows[t][i] = row_of ? row_of[image] : image;
            }
        for (uint32_t s = 0; s < a->exchange.source_count; s++)
            transpose_source(index, &a->exchange.sources[s], &targets, index->rules.inverse[g]);
    }
}

/* ---- the kernel ---- */

#define PASTE(name, bytes) name##bytes
#define NAME(name, bytes) PASTE(name, bytes)

const struct nk_kernel NAME(nk_kernel_, VECTOR_BYTES) = {
    .find_predecessors = find_predecessors,
    .find_losses = find_losses,
    .remove_decided = remove_decided,
    .transpose = transpose,
    .slide = slide_active,
};
