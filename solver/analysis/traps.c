#include "solver/analysis/traps.h"

#include "common/table/format.h"
#include "common/system/parallel.h"
#include "common/system/system.h"
#include "solver/analysis/kernel.h"
#include "solver/base/memory.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

enum {
    CERTAIN = 1 << 16,  /* probability 1 */
    FEW_DRAWS = 1 << 16 /* for fewer, a round takes less time than starting threads */
};

/* The outcome of a move from a drawn position, if it is not the number of a draw that the move leads to: not yet
 * computed, a loss that the imperfect player sees, or one that it does not see. */
static const uint32_t unknown = UINT32_MAX, seen_loss = UINT32_MAX - 1, unseen_loss = UINT32_MAX - 2;

/* The state of a thread. */
struct worker {
    uint32_t *known; /* [configurations] outcome of moving into this configuration; part of traps->known */
    nk_lanes *near;  /* [configurations] part of traps->scratch */
};

/* The drawn entries as a graph. Draws are numbered in the order of the entries. */
struct nk_traps {
    struct nk_memory memory; /* of all arrays but the elements of `to` */
    const struct nk_index *index;
    const struct nk_kernel *kernel;
    struct nk_slides slides;
    uint64_t added; /* bits */
    /* A bit for every configuration of the mover of every orbit of the other side, also where they overlap. */
    uint64_t *is_draw;
    uint32_t *before; /* [words of is_draw + 1] the draws in earlier words */
    /* [slices][configurations] the same bits, by mover (solver/analysis/analysis.h): all moves to positions in which an
     * orbit's canonical configuration is to move lead to a few of these rows. */
    nk_lanes *drawn;
    /* [slices][configurations] the losses of NK_SIGHT - 2 plies or less, by other; then the wins by a move to one of
     * them, by mover. */
    nk_lanes *near;
    uint32_t count;          /* of draws */
    uint8_t *drawing;        /* [count] number of its drawing moves */
    uint8_t *unseen;         /* [count] number of its moves into unseen losses */
    uint32_t **to;           /* [orbit_count] the draws that the drawing moves of the orbit's draws lead to */
    uint16_t *loss_chance;   /* [count] U, in units of 1 / CERTAIN; the discount keeps it below CERTAIN */
    uint16_t *reply_chance;  /* [count] V */
    atomic_bool has_changed; /* in the last round */
    atomic_bool out_of_memory;
    struct worker *workers;
    uint32_t *known;                             /* [threads][configurations] */
    nk_lanes *scratch;                           /* [threads][configurations] */
    uint64_t ray[NK_DIRECTIONS][NK_MAX_SQUARES]; /* the squares in a direction */
    /* Where a slide stops, by the number that `place_of` gives. */
    uint8_t stop[NK_DIRECTIONS][NK_MAX_SQUARES][NK_MAX_SQUARES];
};

/* The words of is_draw. */
static uint64_t words_of(const struct nk_index *index)
{
    return (uint64_t)index->orbit_count * index->configurations / 64 + 1;
}

static uint64_t canonical(const struct nk_traps *t, uint32_t orbit)
{
    return t->index->squares[t->index->orbits[orbit].images[0]];
}

/* Adds a loss of the configuration `mover` against the canonical one of an orbit: as one against each image that has
 * the canonical configuration of its own orbit as the mover. */
static void add_near_loss(struct nk_traps *t, uint32_t orbit, uint32_t mover)
{
    const struct nk_index *index = t->index;
    const uint32_t column = index->orbit_of[mover];
    nk_lanes *rows = t->near + (size_t)(column / NK_LANES) * index->configurations;
    for (int g = 0; g < index->rules.symmetries; g++)
        if (index->orbits[column].images[g] == mover) {
            const uint32_t row = index->orbits[orbit].images[index->rules.inverse[g]];
            rows[row].word[column % NK_LANES / 64] |= nk_bit(column % 64);
        }
}

void nk_traps_add(struct nk_traps *t, const uint8_t *codes, uint64_t count)
{
    while (t && count) {
        const uint32_t orbit = (uint32_t)(t->added / t->index->configurations);
        const uint64_t other = canonical(t, orbit), begin = (uint64_t)orbit * t->index->configurations;
        const uint64_t word = t->added / 64, row_end = begin + t->index->configurations,
                       end = row_end < (word + 1) * 64 ? row_end : (word + 1) * 64;
        uint64_t bit = t->added, draws = 0, near = 0;
        /* Without branches: which configurations overlap, and what is a draw, is irregular. */
        for (; bit < end && count; bit++) {
            const uint64_t is_entry = !(t->index->squares[bit - begin] & other);
            const uint64_t is_near = *codes >= NK_CODE_LOSS && *codes <= nk_code_loss(NK_SIGHT - 2);
            draws |= (is_entry & (*codes == NK_CODE_DRAW)) << bit % 64;
            near |= (is_entry & is_near) << bit % 64;
            codes += is_entry;
            count -= is_entry;
        }
        t->is_draw[word] |= draws;
        for (; near; near &= near - 1)
            add_near_loss(t, orbit, (uint32_t)(word * 64 + (uint64_t)nk_first(near) - begin));
        t->added = bit;
    }
}

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

/* A number for the first piece on a ray, or for none, without branches that nothing could predict. A ray to higher
 * squares never reaches the lowest one, and one to lower squares never the highest. */
static int place_of(int direction, uint64_t pieces)
{
    const bool is_rising = direction <= NK_EAST || direction == NK_NORTH_WEST;
    return is_rising ? nk_first(pieces >> 1 | nk_bit(63)) : 63 - __builtin_clzll(pieces << 1 | 1);
}

static void fill_stops(struct nk_traps *t)
{
    for (int d = 0; d < NK_DIRECTIONS; d++)
        for (int s = 0; s < t->index->rules.squares; s++) {
            int on = s;
            for (int next; (next = t->index->rules.next[d][on]) != NK_NO_SQUARE; on = next) {
                t->ray[d][s] |= nk_bit(next);
                t->stop[d][s][place_of(d, nk_bit(next))] = (uint8_t)on;
            }
            t->stop[d][s][place_of(d, 0)] = (uint8_t)on;
        }
}

static void fill_drawn(void *context, uint32_t slice, int worker)
{
    struct nk_traps *t = context;
    const size_t rows = t->index->configurations;
    nk_lanes *drawn = t->drawn + slice * rows;
    const uint32_t last = (slice + 1) * NK_LANES;
    (void)worker;
    for (uint32_t orbit = slice * NK_LANES; orbit < last && orbit < t->index->orbit_count; orbit++) {
        const uint64_t row = (uint64_t)orbit * rows;
        uint64_t bit = row;
        for (uint32_t n = first_draw(t, orbit), end = first_draw(t, orbit + 1); n < end; n++, bit++) {
            bit = next_draw(t, bit);
            drawn[bit - row].word[orbit % NK_LANES / 64] |= nk_bit(orbit % 64);
        }
    }
}

static void find_near_wins(void *context, uint32_t slice, int worker)
{
    struct nk_traps *t = context;
    const size_t rows = t->index->configurations;
    nk_lanes *near = t->near + slice * rows, *wins = t->workers[worker].near, occupied[NK_MAX_SQUARES];
    nk_fill_occupied(t->index, slice, occupied);
    memset(wins, 0, rows * sizeof *wins);
    t->kernel->slide(&t->slides, NULL, near, false, occupied, wins);
    memcpy(near, wins, rows * sizeof *wins);
}

/* The outcome of a move to a configuration, after which the canonical configuration of an orbit is to move. */
static uint32_t outcome_of(const struct nk_traps *t, uint32_t orbit, uint32_t moved)
{
    const struct nk_index *index = t->index;
    const uint32_t column = index->orbit_of[moved];
    const uint32_t row = index->orbits[orbit].images[index->to_canonical[moved]];
    const size_t place = (size_t)(column / NK_LANES) * index->configurations + row,
                 word = column % NK_LANES / 64;
    if (t->drawn[place].word[word] >> column % 64 & 1)
        return draw_at(t, (uint64_t)column * index->configurations + row);
    return t->near[place].word[word] >> column % 64 & 1 ? seen_loss : unseen_loss;
}

/* Counts the moves of a draw against an orbit, and adds those that draw to `to`. Returns its new end. */
static uint32_t *list_moves_of(struct nk_traps *t, uint32_t *known, uint32_t orbit, uint32_t mover,
                               uint32_t draw, uint32_t *to)
{
    const uint32_t *const begin = to,
                          *stationary = t->slides.stationary_of + (size_t)mover * (size_t)t->slides.pieces;
    const uint64_t pieces = t->index->squares[mover], occupied = pieces | canonical(t, orbit);
    const size_t squares = (size_t)t->index->rules.squares;
    const uint32_t known_mover = known[mover];
    uint32_t unseen = 0;
    known[mover] = seen_loss; /* where a piece that cannot move stays: it is not counted */
    for (uint64_t left = pieces; left; left &= left - 1, stationary++)
        for (int d = 0; d < NK_DIRECTIONS; d++) {
            const int from = nk_first(left), end = t->stop[d][from][place_of(d, t->ray[d][from] & occupied)];
            const uint32_t moved = t->slides.row_of[(size_t)*stationary * squares + (size_t)end];
            if (known[moved] == unknown)
                known[moved] = outcome_of(t, orbit, moved);
            unseen += known[moved] == unseen_loss;
            *to = known[moved]; /* overwritten by the next one if it is not a draw */
            to += known[moved] < unseen_loss;
        }
    t->drawing[draw] = (uint8_t)(to - begin);
    t->unseen[draw] = (uint8_t)unseen;
    known[mover] = known_mover;
    return to;
}

/* Lists the moves of an orbit's draws. After each of them the orbit's canonical configuration is to move, against a
 * configuration that other draws lead to as well, so outcomes are kept in `known`. */
static void list_moves(void *context, uint32_t orbit, int worker)
{
    struct nk_traps *t = context;
    uint32_t *known = t->workers[worker].known;
    const struct nk_index *index = t->index;
    const uint32_t first = first_draw(t, orbit), end = first_draw(t, orbit + 1);
    const uint64_t row = (uint64_t)orbit * index->configurations;
    if (first == end)
        return;
    const size_t most = (size_t)(end - first) * (size_t)index->rules.board.pieces * NK_DIRECTIONS;
    uint32_t *to = malloc(most * sizeof *to), *at = to;
    if (!to) {
        t->out_of_memory = true;
        return;
    }
    memset(known, 0xff, index->configurations * sizeof *known);
    uint64_t bit = row;
    for (uint32_t n = first; n < end; n++, bit++) {
        bit = next_draw(t, bit);
        at = list_moves_of(t, known, orbit, (uint32_t)(bit - row), n, at);
    }
    uint32_t *shrunk = realloc(to, ((size_t)(at - to) + 1) * sizeof *to);
    t->to[orbit] = shrunk ? shrunk : to;
}

/* Computes V from U. */
static void find_reply_chance(void *context, uint32_t orbit, int worker)
{
    struct nk_traps *t = context;
    const uint32_t *to = t->to[orbit];
    const uint32_t end = first_draw(t, orbit + 1);
    (void)worker;
    for (uint32_t n = first_draw(t, orbit); n < end; n++) {
        uint16_t best = 0;
        for (int m = 0; m < t->drawing[n]; m++, to++)
            if (t->loss_chance[*to] > best)
                best = t->loss_chance[*to];
        t->reply_chance[n] = best;
    }
}

/* Computes U from V. */
static void find_loss_chance(void *context, uint32_t orbit, int worker)
{
    struct nk_traps *t = context;
    const uint32_t *to = t->to[orbit];
    bool changed = false;
    const uint32_t end = first_draw(t, orbit + 1);
    (void)worker;
    for (uint32_t n = first_draw(t, orbit); n < end; n++) {
        uint32_t sum = (uint32_t)t->unseen[n] * CERTAIN; /* a side has at most 40 moves */
        const uint32_t moves = (uint32_t)t->drawing[n] + t->unseen[n];
        for (int m = 0; m < t->drawing[n]; m++)
            sum += t->reply_chance[*to++];
        const uint16_t chance = moves ? (uint16_t)(sum * 15 / 16 / moves) : 0;
        changed = changed || chance != t->loss_chance[n];
        t->loss_chance[n] = chance;
    }
    if (changed)
        t->has_changed = true;
}

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

/* Lists the arrays whose sizes depend on the board only. */
static void list_sets(struct nk_traps *t)
{
    const uint64_t rows = (uint64_t)nk_slice_count(t->index) * t->index->configurations;
    nk_slides_list(t->index, &t->slides, &t->memory);
    nk_memory_list(&t->memory, &t->is_draw, words_of(t->index), sizeof *t->is_draw);
    nk_memory_list(&t->memory, &t->near, rows, sizeof *t->near);
    nk_memory_list(&t->memory, &t->before, words_of(t->index) + 1, sizeof *t->before);
}

/* Lists the arrays whose sizes depend on the number of draws, threads and orbits. */
static void list_draws(struct nk_traps *t, int threads)
{
    const uint64_t configurations = t->index->configurations, workers = (uint64_t)threads;
    nk_memory_list(&t->memory, &t->drawn, nk_slice_count(t->index) * configurations, sizeof *t->drawn);
    nk_memory_list(&t->memory, &t->drawing, t->count, sizeof *t->drawing);
    nk_memory_list(&t->memory, &t->unseen, t->count, sizeof *t->unseen);
    nk_memory_list(&t->memory, &t->to, t->index->orbit_count, sizeof *t->to);
    nk_memory_list(&t->memory, &t->loss_chance, t->count, sizeof *t->loss_chance);
    nk_memory_list(&t->memory, &t->reply_chance, t->count, sizeof *t->reply_chance);
    nk_memory_list(&t->memory, &t->workers, workers, sizeof *t->workers);
    nk_memory_list(&t->memory, &t->known, workers * configurations, sizeof *t->known);
    nk_memory_list(&t->memory, &t->scratch, workers * configurations, sizeof *t->scratch);
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
    list_sets(t);
    if (!nk_memory_allocate(&t->memory)) {
        nk_traps_free(t);
        return NK_E_MEMORY;
    }
    nk_slides_fill(index, &t->slides);
    fill_stops(t);
    *out = t;
    return NK_OK;
}

void nk_traps_free(struct nk_traps *t)
{
    if (!t)
        return;
    for (uint32_t orbit = 0; t->to && orbit < t->index->orbit_count; orbit++)
        free(t->to[orbit]);
    nk_memory_free(&t->memory);
    free(t);
}

uint64_t nk_traps_memory(const struct nk_index *index, uint32_t draws, uint64_t moves, int threads)
{
    struct nk_traps t = {.index = index, .count = draws};
    list_sets(&t);
    if (draws)
        list_draws(&t, threads > 0 ? threads : nk_system_processors());
    return t.memory.bytes + moves * sizeof(uint32_t) + draws; /* with the values */
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
    list_draws(t, threads);
    if (!nk_memory_allocate(&t->memory))
        return NK_E_MEMORY;
    for (size_t w = 0; w < (size_t)threads; w++)
        t->workers[w] = (struct worker){t->known + w * t->index->configurations,
                                        t->scratch + w * t->index->configurations};
    nk_parallel(threads, nk_slice_count(t->index), fill_drawn, t);
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
        nk_progress_report(progress,
                           (round + 1.0) / (NK_TRAP_ROUNDS + 1)); /* listing the moves is one part */
        nk_parallel(threads, orbits, find_reply_chance, t);
        nk_parallel(threads, orbits, find_loss_chance, t);
    }
    for (uint32_t n = 0; n < t->count; n++)
        values[n] = (uint8_t)(t->loss_chance[n] / (CERTAIN / 256));
    *out = values;
    return NK_OK;
}
