/* Trap values; traps.h has their definition. The drawn entries are a graph whose edges are the drawing moves: it is
 * built from the codes, and the two formulas are then evaluated on it in rounds. */

#include "solver/analysis/traps.h"

#include "common/system/system.h"
#include "common/table/table.h"
#include "solver/analysis/analysis.h"
#include "solver/analysis/matrix.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

enum {
    CERTAIN = 1 << 16,  /* probability 1 */
    FEW_DRAWS = 1 << 16 /* for fewer, a round takes less time than starting threads */
};

/* A move from a draw to a draw. The moves of a draw follow each other; a draw without any has one to the number after
 * the last draw, which has no chance to lose. */
struct drawing_move {
    uint32_t to : 31;
    uint32_t begins_draw : 1; /* of its draw */
};

/* Those of an orbit's draws. */
struct moves {
    struct drawing_move *begin, *end;
};

/* The drawn entries as a graph. Draws are numbered in the order of the entries. */
struct nk_traps {
    struct nk_memory memory; /* of all arrays but the moves */
    const struct nk_index *index;
    const struct nk_kernel *kernel;
    struct nk_slides slides;
    uint32_t added;   /* orbits */
    uint32_t *movers; /* [per_orbit] of the orbit that is being added, by entry */
    /* A bit for every configuration of the mover of every orbit of the other side, also where they overlap. */
    uint64_t *is_draw;
    uint32_t *before; /* [words of is_draw + 1] the draws in earlier words */
    /* [slices][configurations] the same bits, by mover (solver/analysis/analysis.h): all moves to positions in which an
     * orbit's canonical configuration is to move lead to a few of these rows. */
    nk_row_bits *drawn;
    /* [slices][configurations] the losses of NK_TRAP_DEPTH - 2 plies or less, by other. */
    nk_row_bits *near_losses;
    /* The wins by a move to one of these, by mover. They replace the losses in the same memory. */
    nk_row_bits *near_wins;
    uint32_t count;         /* of draws */
    float *inverse;         /* [count] 1 / the number of moves that the imperfect player chooses from; or 1 */
    uint8_t *unseen;        /* [count] number of those into unseen losses; the others draw */
    struct moves *moves;    /* [orbit_count] */
    uint16_t *loss_chance;  /* [count + 1] U, in units of 1 / CERTAIN; the discount keeps it below CERTAIN */
    uint16_t *reply_chance; /* [count + 1] V */
    atomic_bool has_changed; /* in the last round */
    atomic_bool out_of_memory;
    uint32_t *sums;       /* [threads][configurations] scratch of find_loss_chance */
    nk_row_bits *scratch; /* [threads][configurations] of find_near_wins */
};

/* ---- adding codes ---- */

/* The words of is_draw. */
static uint64_t words_of(const struct nk_index *index)
{
    return (uint64_t)index->orbit_count * index->configurations / 64 + 1;
}

/* Adds a loss of the configuration `mover` against the canonical one of an orbit: as one against each image that has
 * the canonical configuration of its own orbit as the mover. */
static void add_near_loss(struct nk_traps *t, uint32_t orbit, uint32_t mover)
{
    const struct nk_index *index = t->index;
    const uint32_t column = index->orbit_of[mover];
    nk_row_bits *near_losses = t->near_losses + (size_t)(column / NK_SLICE_COLUMNS) * index->configurations;
    uint32_t rows[NK_SYMMETRIES];
    const int count = nk_other_rows(index, mover, orbit, rows);
    for (int i = 0; i < count; i++)
        near_losses[rows[i]].word[column % NK_SLICE_COLUMNS / 64] |= nk_bit(column % 64);
}

/* Adds the codes of the next orbit. */
static void add_orbit(struct nk_traps *t, const uint8_t *codes)
{
    static const uint64_t LOW_BITS = 0x7f7f7f7f7f7f7f7f; /* of each byte */
    const struct nk_index *index = t->index;
    const uint32_t orbit = t->added++, count = index->per_orbit;
    const uint64_t other = nk_index_canonical_squares(index, orbit),
                   begin = (uint64_t)orbit * index->configurations;
    uint32_t listed = 0;
    for (uint32_t r = 0; listed < count; r++) {
        t->movers[listed] = r; /* overwritten by the next one if the sides overlap: faster than a branch */
        listed += !(index->squares[r] & other);
    }
    /* Most codes are those of wins, which are zero: the others are found eight at a time. */
    for (uint32_t i = 0; i < count; i += 8) {
        uint8_t eight[8] = {0};
        memcpy(eight, codes + i, (size_t)nk_least(count - i, sizeof eight));
        const uint64_t word = nk_get64(eight);
        for (uint64_t left = (((word & LOW_BITS) + LOW_BITS) | word) & ~LOW_BITS; left; left &= left - 1) {
            const uint32_t mover = t->movers[i + (uint32_t)nk_first(left) / 8];
            const int code = codes[i + (uint32_t)nk_first(left) / 8];
            if (code == NK_CODE_DRAW)
                t->is_draw[(begin + mover) / 64] |= nk_bit((int)((begin + mover) % 64));
            else if (code <= nk_loss_to_code(NK_TRAP_DEPTH - 2))
                add_near_loss(t, orbit, mover);
        }
    }
}

void nk_traps_add(struct nk_traps *t, const uint8_t *codes, uint64_t count)
{
    for (; t && count; count -= t->index->per_orbit, codes += t->index->per_orbit)
        add_orbit(t, codes);
}

/* ---- draws ---- */

/* The number of draws before a bit, which is the number of a draw with this bit. */
static uint32_t draw_at(const struct nk_traps *t, uint64_t bit)
{
    const uint64_t lower = t->is_draw[bit / 64] & (nk_bit((int)(bit % 64)) - 1);
    return t->before[bit / 64] + (uint32_t)__builtin_popcountll(lower);
}

static uint32_t first_draw(const struct nk_traps *t, uint32_t orbit)
{
    return draw_at(t, (uint64_t)orbit * t->index->configurations);
}

/* The first draw at a bit or after it, which must exist. */
static uint64_t next_draw(const struct nk_traps *t, uint64_t bit)
{
    uint64_t word = bit / 64, bits = t->is_draw[word] & -nk_bit((int)(bit % 64));
    while (!bits)
        bits = t->is_draw[++word];
    return word * 64 + (uint64_t)nk_first(bits);
}

static void fill_drawn(void *context, uint32_t slice, int worker)
{
    struct nk_traps *t = context;
    const size_t rows = t->index->configurations;
    nk_row_bits *drawn = t->drawn + slice * rows;
    const uint32_t last = (slice + 1) * NK_SLICE_COLUMNS;
    (void)worker;
    for (uint32_t orbit = slice * NK_SLICE_COLUMNS; orbit < last && orbit < t->index->orbit_count; orbit++) {
        const uint64_t row = (uint64_t)orbit * rows;
        uint64_t bit = row;
        for (uint32_t n = first_draw(t, orbit), end = first_draw(t, orbit + 1); n < end; n++, bit++) {
            bit = next_draw(t, bit);
            drawn[bit - row].word[orbit % NK_SLICE_COLUMNS / 64] |= nk_bit(orbit % 64);
        }
    }
}

static void find_near_wins(void *context, uint32_t slice, int worker)
{
    struct nk_traps *t = context;
    const size_t rows = t->index->configurations;
    nk_row_bits *wins = t->scratch + (size_t)worker * rows, occupied[NK_MAX_SQUARES];
    nk_fill_occupied(t->index, slice, occupied);
    memset(wins, 0, rows * sizeof *wins);
    t->kernel->slide(&t->slides, NULL, t->near_losses + slice * rows, false, occupied, wins);
    memcpy(t->near_wins + slice * rows, wins, rows * sizeof *wins);
}

/* ---- moves ---- */

/* Counts the moves of a draw against an orbit, and puts those that draw at `moves`. Returns their end. */
static struct drawing_move *list_moves_of(struct nk_traps *t, uint32_t orbit, uint32_t mover, uint32_t draw,
                                          struct drawing_move *const moves)
{
    enum { NUMBERS = INT32_MAX };
    const struct nk_index *index = t->index;
    const uint32_t *images = index->orbits[orbit].images;
    const struct nk_position position = {index->squares[mover], nk_index_canonical_squares(index, orbit)};
    struct nk_move move[NK_MAX_MOVES];
    const int count = nk_position_moves(&index->rules, position, move);
    struct drawing_move *end = moves;
    uint32_t unseen = 0;
    for (int i = 0; i < count; i++) {
        const uint32_t moved =
            nk_index_number(index, position.mover ^ nk_bit(move[i].from) ^ nk_bit(move[i].to));
        /* After the move the orbit's canonical configuration is to move: its image by the symmetry that makes the
         * configuration that has moved canonical. */
        const uint32_t column = index->orbit_of[moved], row = images[index->to_canonical[moved]];
        const size_t place = (size_t)(column / NK_SLICE_COLUMNS) * index->configurations + row;
        const size_t word = column % NK_SLICE_COLUMNS / 64;
        const uint64_t drawn = t->drawn[place].word[word] >> column % 64;
        const uint64_t near_win = t->near_wins[place].word[word] >> column % 64;
        unseen += (uint32_t)(~(drawn | near_win) & 1);
        if (drawn & 1)
            *end++ = (struct drawing_move){.to = draw_at(t, (uint64_t)column * index->configurations + row) &
                                                 NUMBERS};
    }
    t->unseen[draw] = (uint8_t)unseen;
    if (end == moves)
        *end++ = (struct drawing_move){.to = t->count & NUMBERS};
    t->inverse[draw] = 1 / (float)((uint32_t)(end - moves) + unseen);
    moves->begins_draw = 1;
    return end;
}

/* Lists the moves of an orbit's draws. */
static void list_moves(void *context, uint32_t orbit, int worker)
{
    struct nk_traps *t = context;
    const struct nk_index *index = t->index;
    const uint32_t first = first_draw(t, orbit), end = first_draw(t, orbit + 1);
    const uint64_t row = (uint64_t)orbit * index->configurations;
    (void)worker;
    if (first == end)
        return;
    const size_t most = (size_t)(end - first) * (size_t)index->rules.board.pieces * NK_DIRECTIONS;
    struct drawing_move *moves = malloc(most * sizeof *moves), *at = moves;
    if (!moves) {
        t->out_of_memory = true;
        return;
    }
    uint64_t bit = row;
    for (uint32_t n = first; n < end; n++, bit++) {
        bit = next_draw(t, bit);
        at = list_moves_of(t, orbit, (uint32_t)(bit - row), n, at);
    }
    const size_t count = (size_t)(at - moves);
    struct drawing_move *shrunk = realloc(moves, (count + 1) * sizeof *moves);
    t->moves[orbit].begin = shrunk ? shrunk : moves;
    t->moves[orbit].end = t->moves[orbit].begin + count;
}

/* ---- rounds ---- */

/* Computes V from U. Without branches, as the next function: how many moves a draw has is irregular. Each move stores
 * the maximum so far of its draw, so the last one leaves that of all moves. */
static void find_reply_chance(void *context, uint32_t orbit, int worker)
{
    struct nk_traps *t = context;
    const struct moves *moves = &t->moves[orbit];
    uint32_t draw = first_draw(t, orbit) - 1, best = 0;
    (void)worker;
    for (const struct drawing_move *move = moves->begin; move < moves->end; move++) {
        const uint32_t chance = t->loss_chance[move->to];
        best &= move->begins_draw - 1U; /* 0 at the first move of a draw */
        best = chance > best ? chance : best;
        draw += move->begins_draw;
        t->reply_chance[draw] = (uint16_t)best;
    }
}

/* Computes U from V. */
static void find_loss_chance(void *context, uint32_t orbit, int worker)
{
    struct nk_traps *t = context;
    const struct moves *moves = &t->moves[orbit];
    const uint32_t first = first_draw(t, orbit), count = first_draw(t, orbit + 1) - first;
    uint16_t *restrict loss_chance = t->loss_chance + first;
    const uint8_t *unseen = t->unseen + first;
    const float *inverse = t->inverse + first;
    uint32_t *restrict sum = t->sums + (size_t)worker * t->index->configurations, draw = UINT32_MAX;
    uint32_t changed = 0;
    for (uint32_t i = 0; i < count; i++)
        sum[i] = (uint32_t)unseen[i] * CERTAIN;
    for (const struct drawing_move *move = moves->begin; move < moves->end; move++) {
        draw += move->begins_draw;
        sum[draw] += t->reply_chance[move->to];
    }
    for (uint32_t i = 0; i < count; i++) {
        /* Vectors of floating-point numbers are multiplied fastest. The sum plus 1/2, below 2^22, is exact, so the
         * product differs from its quotient, below 2^16, by less than 2^-7. But that is at least 1/80 from the
         * integers, as a draw has at most 40 moves. */
        const int chance = (int)(((float)(int)(sum[i] * 15 / 16) + 0.5F) * inverse[i]);
        changed |= (uint32_t)(chance ^ loss_chance[i]);
        loss_chance[i] = (uint16_t)chance;
    }
    if (changed)
        t->has_changed = true;
}

/* ---- creating and computing ---- */

/* Counts the draws. Returns false if they are more than NK_MAX_TRAPS. */
static bool count_draws(struct nk_traps *t)
{
    uint64_t count = 0;
    for (uint64_t word = 0; word < words_of(t->index); word++) {
        t->before[word] = (uint32_t)count;
        count += (uint64_t)__builtin_popcountll(t->is_draw[word]);
    }
    t->before[words_of(t->index)] = t->count = (uint32_t)count;
    return count <= NK_MAX_TRAPS;
}

/* Adds the arrays whose sizes depend on the board only. */
static void add_sets(struct nk_traps *t)
{
    const uint64_t rows = (uint64_t)nk_slice_count(t->index) * t->index->configurations;
    nk_slides_describe(t->index, &t->slides, &t->memory);
    nk_memory_add(&t->memory, &t->is_draw, words_of(t->index), sizeof *t->is_draw);
    nk_memory_add(&t->memory, &t->near_losses, rows, sizeof *t->near_losses);
    nk_memory_add(&t->memory, &t->before, words_of(t->index) + 1, sizeof *t->before);
    nk_memory_add(&t->memory, &t->movers, t->index->per_orbit, sizeof *t->movers);
}

/* Adds the arrays whose sizes depend on the number of draws, threads and orbits. */
static void add_draws(struct nk_traps *t, int threads)
{
    const uint64_t configurations = t->index->configurations, workers = (uint64_t)threads;
    nk_memory_add(&t->memory, &t->drawn, nk_slice_count(t->index) * configurations, sizeof *t->drawn);
    nk_memory_add(&t->memory, &t->inverse, t->count, sizeof *t->inverse);
    nk_memory_add(&t->memory, &t->unseen, t->count, sizeof *t->unseen);
    nk_memory_add(&t->memory, &t->moves, t->index->orbit_count, sizeof *t->moves);
    nk_memory_add(&t->memory, &t->loss_chance, (uint64_t)t->count + 1, sizeof *t->loss_chance);
    nk_memory_add(&t->memory, &t->reply_chance, (uint64_t)t->count + 1, sizeof *t->reply_chance);
    nk_memory_add(&t->memory, &t->sums, workers * configurations, sizeof *t->sums);
    nk_memory_add(&t->memory, &t->scratch, workers * configurations, sizeof *t->scratch);
}

enum nk_status nk_traps_new(const struct nk_index *index, struct nk_traps **out)
{
    *out = NULL;
    if (index->entries > NK_MAX_TRAP_ENTRIES)
        return NK_OK;
    struct nk_traps *t = calloc(1, sizeof *t);
    if (!t)
        return NK_E_MEMORY;
    t->index = index;
    t->kernel = nk_find_kernel(0);
    add_sets(t);
    if (!nk_memory_allocate(&t->memory)) {
        nk_traps_free(t);
        return NK_E_MEMORY;
    }
    nk_slides_fill(index, &t->slides);
    *out = t;
    return NK_OK;
}

void nk_traps_free(struct nk_traps *t)
{
    if (!t)
        return;
    for (uint32_t orbit = 0; t->moves && orbit < t->index->orbit_count; orbit++)
        free(t->moves[orbit].begin);
    nk_memory_free(&t->memory);
    free(t);
}

uint64_t nk_traps_memory(const struct nk_index *index, uint64_t draws, int threads)
{
    if (index->entries > NK_MAX_TRAP_ENTRIES)
        return 0;
    if (draws > NK_MAX_TRAPS)
        draws = 0; /* they are only counted */
    /* Where draws are few, few moves from them lead to draws: 1.2 to 1.5 on the boards of docs/BOARDS.md. */
    const uint64_t most_moves = (uint64_t)index->rules.board.pieces * NK_DIRECTIONS;
    const uint64_t moves = draws * (draws < index->entries / 4 ? 3 : most_moves);
    struct nk_traps t = {.index = index, .count = (uint32_t)draws};
    add_sets(&t);
    if (draws)
        add_draws(&t, threads > 0 ? threads : nk_system_processors());
    return t.memory.bytes + moves * sizeof(struct drawing_move) + draws; /* with the values */
}

enum nk_status nk_traps_compute(struct nk_traps *t, int threads, const struct nk_progress_sink *progress,
                                uint8_t **out)
{
    *out = NULL;
    if (!t || !count_draws(t) || !t->count)
        return NK_OK;
    const uint32_t orbits = t->index->orbit_count;
    if (threads <= 0)
        threads = nk_system_processors();
    add_draws(t, threads);
    if (!nk_memory_allocate(&t->memory))
        return NK_E_MEMORY;
    nk_parallel(threads, nk_slice_count(t->index), fill_drawn, t);
    t->near_wins = t->near_losses;
    nk_parallel(threads, nk_slice_count(t->index), find_near_wins, t);
    nk_parallel(threads, orbits, list_moves, t);
    uint8_t *values = t->out_of_memory ? NULL : malloc(t->count);
    if (!values)
        return NK_E_MEMORY;
    if (t->count < FEW_DRAWS)
        threads = 1;
    t->has_changed = true;
    for (int round = 0; round < NK_TRAP_ROUNDS && t->has_changed; round++) {
        t->has_changed = false;
        /* Listing the moves is one part of the work. */
        if (!nk_progress_report(progress, (round + 1.0) / (NK_TRAP_ROUNDS + 1))) {
            free(values);
            return NK_E_STOPPED;
        }
        nk_parallel(threads, orbits, find_reply_chance, t);
        nk_parallel(threads, orbits, find_loss_chance, t);
    }
    for (uint32_t n = 0; n < t->count; n++)
        values[n] = (uint8_t)(t->loss_chance[n] / (CERTAIN / 256));
    *out = values;
    return NK_OK;
}
