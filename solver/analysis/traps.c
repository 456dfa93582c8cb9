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
    CERTAIN = 1 << 16,   /* probability 1 */
    FEW_DRAWS = 1 << 16, /* for fewer, a round takes less time than starting threads */
    GROUP_ORBITS = 16    /* or fewer in the last group */
};

/* A move from a draw to a draw. */
struct drawing_move {
    uint32_t from, to;
};

/* Orbits that follow each other: an item of work. */
struct draw_group {
    uint32_t first, end;                    /* draws */
    struct drawing_move *moves, *moves_end; /* of the draws, but for the first one of each */
};

/* The drawn entries as a graph. Draws are numbered in the order of the entries. */
struct nk_traps {
    struct nk_memory memory; /* of all arrays but the moves */
    const struct nk_index *index;
    const struct nk_kernel *kernel;
    struct nk_slides slides;
    /* [orbits of the other side][index->words] a bit for each configuration of the mover */
    uint64_t *is_draw;
    uint32_t *before; /* [words_of] the draws in earlier words */
    /* [slices][configurations] the losses of NK_TRAP_DEPTH - 2 plies or less, by other (solver/analysis/analysis.h). */
    nk_row_bits *near_losses;
    nk_row_bits *near_wins; /* [slices][configurations] the wins by a move to one of these, by mover */
    uint32_t count;         /* of draws */
    float *inverse;         /* [count] 1 / the number of moves that the imperfect player chooses from; or 1 */
    uint8_t *unseen;        /* [count] number of those into unseen losses; the others draw */
    /* [count] where the first drawing move of each leads: most have no other. If it has none, the number after the last
     * draw, which has no chance to lose. */
    uint32_t *first_move;
    struct draw_group *groups; /* [groups_of] with the others */
    uint16_t *loss_chance;   /* [count + 1] U, in units of 1 / CERTAIN; the discount keeps it below CERTAIN */
    uint16_t *reply_chance;  /* [count + 1] V */
    atomic_bool has_changed; /* in the last round */
    atomic_bool out_of_memory;
    uint32_t *sums; /* [threads][draws_of_group] scratch of find_loss_chance */
};

/* ---- adding codes ---- */

/* The words of is_draw. */
static uint64_t words_of(const struct nk_index *index)
{
    return (uint64_t)index->orbit_count * index->words;
}

/* Codes that are being added, and their first orbit. */
struct added {
    struct nk_traps *traps;
    const uint8_t *codes;
    uint32_t first;
};

/* Adds a loss of the configuration `mover` against the canonical one of an orbit: as one against each image that has
 * the canonical configuration of its own orbit as the mover. The rows of these images are this orbit's only, so threads
 * may add others. */
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

/* Adds the codes of an orbit. */
static void add_orbit(void *context, uint32_t item, int worker)
{
    const struct added *added = context;
    struct nk_traps *t = added->traps;
    const struct nk_index *index = t->index;
    const uint32_t orbit = added->first + item;
    const uint64_t other = nk_index_canonical_squares(index, orbit);
    const uint8_t last_near = nk_loss_to_code(NK_TRAP_DEPTH - 2);
    const uint8_t *codes = added->codes + (size_t)item * index->per_orbit;
    (void)worker;
    for (uint32_t w = 0; w < index->words; w++) {
        uint64_t draws = 0, near_losses = 0;
        for (uint64_t left = nk_index_apart(index, other, w); left; left &= left - 1) {
            const uint64_t bit = left & -left;
            const uint8_t code = *codes++;
            draws |= bit & -(uint64_t)(code == NK_CODE_DRAW);
            near_losses |= bit & -(uint64_t)(code >= NK_CODE_LOSS && code <= last_near);
        }
        t->is_draw[(size_t)orbit * index->words + w] = draws;
        for (; near_losses; near_losses &= near_losses - 1)
            add_near_loss(t, orbit, w * 64 + (uint32_t)nk_first(near_losses));
    }
}

void nk_traps_add(struct nk_traps *t, uint32_t first, uint32_t orbits, const uint8_t *codes, int threads)
{
    struct added added = {t, codes, first};
    if (t)
        nk_parallel(threads, orbits, add_orbit, &added);
}

/* ---- draws ---- */

uint64_t nk_traps_draws(const struct nk_traps *t)
{
    uint64_t draws = 0;
    for (uint64_t word = 0; word < words_of(t->index); word++)
        draws += (uint64_t)__builtin_popcountll(t->is_draw[word]);
    return draws;
}

/* The number of the draw with this bit of is_draw: how many are before it. */
static uint32_t draw_at(const struct nk_traps *t, size_t bit)
{
    const uint64_t lower = t->is_draw[bit / 64] & (nk_bit((int)(bit % 64)) - 1);
    return t->before[bit / 64] + (uint32_t)__builtin_popcountll(lower);
}

/* The first draw of an orbit or, without any, of a later one; the number of all draws for an orbit after the last. */
static uint32_t first_draw(const struct nk_traps *t, uint32_t orbit)
{
    return orbit < t->index->orbit_count ? t->before[(size_t)orbit * t->index->words] : t->count;
}

static void find_near_wins(void *context, uint32_t slice, int worker)
{
    struct nk_traps *t = context;
    const size_t first = (size_t)slice * t->index->configurations;
    nk_row_bits occupied[NK_MAX_SQUARES];
    (void)worker;
    nk_fill_occupied(t->index, slice, occupied);
    t->kernel->slide(&t->slides, NULL, nk_columns_in(t->index, slice), t->near_losses + first, false,
                     occupied, t->near_wins + first);
}

/* ---- moves ---- */

/* Lists the configurations after the moves of one in a position. Returns how many there are. */
static int list_moved(const struct nk_traps *t, uint32_t mover, uint64_t other, uint32_t moved[NK_MAX_MOVES])
{
    const uint64_t pieces = t->index->squares[mover];
    int piece = 0, count = 0;
    for (uint64_t left = pieces; left; left &= left - 1) {
        const uint32_t *rows = nk_slide_rows(&t->slides, mover, piece++);
        const int from = nk_first(left);
        for (int d = 0; d < NK_DIRECTIONS; d++) {
            const int to = nk_rules_stop(&t->index->rules, pieces | other, from, d);
            moved[count] = rows[to]; /* overwritten if it is not a move */
            count += to != from;
        }
    }
    return count;
}

/* Counts the moves of a draw, in which this configuration is to move against an orbit's canonical one, and puts those
 * that draw, but for the first one, at `moves`. Returns their end. Which moves draw is irregular: hence no branches. */
static struct drawing_move *list_moves_of(struct nk_traps *t, uint32_t orbit, uint32_t mover, uint32_t draw,
                                          struct drawing_move *moves)
{
    const struct nk_index *index = t->index;
    const uint32_t *images = index->orbits[orbit].images;
    uint32_t moved[NK_MAX_MOVES], drawing = 0, unseen = 0;
    size_t drawn[NK_MAX_MOVES]; /* bits of is_draw */
    const int count = list_moved(t, mover, nk_index_canonical_squares(index, orbit), moved);
    for (int i = 0; i < count; i++) {
        /* After the move the orbit's canonical configuration is to move: its image by the symmetry that makes the
         * configuration that has moved canonical. */
        const uint32_t column = index->orbit_of[moved[i]], row = images[index->to_canonical[moved[i]]];
        const nk_row_bits *near_wins =
            t->near_wins + (size_t)(column / NK_SLICE_COLUMNS) * index->configurations + row;
        const uint64_t near_win = near_wins->word[column % NK_SLICE_COLUMNS / 64] >> column % 64;
        const size_t bit = (size_t)column * index->words * 64 + row;
        const uint64_t is_drawn = t->is_draw[bit / 64] >> bit % 64;
        unseen += (uint32_t)(~(is_drawn | near_win) & 1);
        drawn[drawing] = bit;
        drawing += (uint32_t)(is_drawn & 1);
    }
    t->unseen[draw] = (uint8_t)unseen;
    t->inverse[draw] = 1 / (float)nk_greatest(drawing + unseen, 1);
    t->first_move[draw] = drawing ? draw_at(t, drawn[0]) : t->count;
    for (uint32_t i = 1; i < drawing; i++)
        *moves++ = (struct drawing_move){draw, draw_at(t, drawn[i])};
    return moves;
}

static void list_moves(void *context, uint32_t item, int worker)
{
    struct nk_traps *t = context;
    const struct nk_index *index = t->index;
    struct draw_group *group = &t->groups[item];
    const uint32_t first = item * GROUP_ORBITS,
                   end = (uint32_t)nk_least(first + GROUP_ORBITS, index->orbit_count);
    (void)worker;
    group->first = first_draw(t, first);
    group->end = first_draw(t, end);
    const size_t most = (group->end - group->first) * (size_t)index->rules.board.pieces * NK_DIRECTIONS;
    if (!(group->moves = group->moves_end = malloc((most + 1) * sizeof *group->moves))) {
        t->out_of_memory = true;
        return;
    }
    uint32_t draw = group->first;
    for (uint32_t orbit = first; orbit < end; orbit++)
        for (uint32_t w = 0; w < index->words; w++)
            for (uint64_t left = t->is_draw[(size_t)orbit * index->words + w]; left; left &= left - 1)
                group->moves_end =
                    list_moves_of(t, orbit, w * 64 + (uint32_t)nk_first(left), draw++, group->moves_end);
    const size_t count = (size_t)(group->moves_end - group->moves);
    struct drawing_move *shrunk = realloc(group->moves, (count + 1) * sizeof *shrunk);
    group->moves = shrunk ? shrunk : group->moves;
    group->moves_end = group->moves + count;
}

/* ---- rounds ---- */

/* No group has more draws. */
static size_t draws_of_group(const struct nk_traps *t)
{
    return (size_t)nk_least(t->count, (uint64_t)GROUP_ORBITS * t->index->per_orbit);
}

/* Computes V from U. Most draws have one drawing move: the loop over the first ones waits for nothing that it has just
 * computed. So does that of the next function. */
static void find_reply_chance(void *context, uint32_t item, int worker)
{
    struct nk_traps *t = context;
    const struct draw_group *group = &t->groups[item];
    const uint32_t *first_move = t->first_move;
    const uint16_t *loss_chance = t->loss_chance;
    uint16_t *restrict reply_chance = t->reply_chance;
    (void)worker;
    for (uint32_t n = group->first; n < group->end; n++)
        reply_chance[n] = loss_chance[first_move[n]];
    for (const struct drawing_move *move = group->moves; move < group->moves_end; move++)
        reply_chance[move->from] =
            (uint16_t)nk_greatest(reply_chance[move->from], loss_chance[move->to]); /* without a branch */
}

/* Computes U from V. */
static void find_loss_chance(void *context, uint32_t item, int worker)
{
    struct nk_traps *t = context;
    const struct draw_group *group = &t->groups[item];
    const uint32_t first = group->first, count = group->end - first;
    const uint32_t *first_move = t->first_move + first;
    const uint16_t *reply_chance = t->reply_chance;
    uint16_t *restrict loss_chance = t->loss_chance + first;
    const uint8_t *unseen = t->unseen + first;
    const float *inverse = t->inverse + first;
    uint32_t *restrict sum = t->sums + (size_t)worker * draws_of_group(t);
    uint32_t changed = 0;
    for (uint32_t i = 0; i < count; i++)
        sum[i] = (uint32_t)unseen[i] * CERTAIN + reply_chance[first_move[i]];
    for (const struct drawing_move *move = group->moves; move < group->moves_end; move++)
        sum[move->from - first] += reply_chance[move->to];
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
    t->count = (uint32_t)count;
    return count <= NK_MAX_TRAPS;
}

static uint32_t groups_of(const struct nk_index *index)
{
    return (index->orbit_count + GROUP_ORBITS - 1) / GROUP_ORBITS;
}

/* The rows of the sets. */
static uint64_t rows_of(const struct nk_index *index)
{
    return (uint64_t)nk_slice_count(index) * index->configurations;
}

/* Adds the arrays whose sizes depend on the board only. */
static void add_sets(struct nk_traps *t)
{
    nk_slides_describe(t->index, &t->slides, &t->memory);
    nk_memory_add(&t->memory, &t->is_draw, words_of(t->index), sizeof *t->is_draw);
    nk_memory_add(&t->memory, &t->near_losses, rows_of(t->index), sizeof *t->near_losses);
    nk_memory_add(&t->memory, &t->before, words_of(t->index), sizeof *t->before);
}

/* Adds the arrays whose sizes depend on the number of draws, threads and orbits. */
static void add_draws(struct nk_traps *t, int threads)
{
    nk_memory_add(&t->memory, &t->inverse, t->count, sizeof *t->inverse);
    nk_memory_add(&t->memory, &t->unseen, t->count, sizeof *t->unseen);
    nk_memory_add(&t->memory, &t->first_move, t->count, sizeof *t->first_move);
    nk_memory_add(&t->memory, &t->groups, groups_of(t->index), sizeof *t->groups);
    nk_memory_add(&t->memory, &t->loss_chance, (uint64_t)t->count + 1, sizeof *t->loss_chance);
    nk_memory_add(&t->memory, &t->reply_chance, (uint64_t)t->count + 1, sizeof *t->reply_chance);
    nk_memory_add(&t->memory, &t->sums, (uint64_t)threads * draws_of_group(t), sizeof *t->sums);
    nk_memory_add(&t->memory, &t->near_wins, rows_of(t->index), sizeof *t->near_wins);
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
    for (uint32_t i = 0; t->groups && i < groups_of(t->index); i++)
        free(t->groups[i].moves);
    nk_memory_free(&t->memory);
    free(t);
}

uint64_t nk_traps_memory(const struct nk_index *index, uint64_t draws, int threads)
{
    if (index->entries > NK_MAX_TRAP_ENTRIES)
        return 0;
    if (draws > NK_MAX_TRAPS)
        draws = 0; /* they are only counted */
    /* Where draws are few, few moves from them lead to draws: 1.2 to 1.5 on the boards of docs/BOARDS.md. Otherwise up
     * to two fifths of the directions do, where all positions of 3x7 with four pieces are draws. */
    const uint64_t directions = (uint64_t)index->rules.board.pieces * NK_DIRECTIONS;
    const uint64_t moves = draws * (draws < index->entries / 4 ? 2 : directions * 2 / 5);
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
    const uint32_t groups = groups_of(t->index);
    if (threads <= 0)
        threads = nk_system_processors();
    add_draws(t, threads);
    if (!nk_memory_allocate(&t->memory))
        return NK_E_MEMORY;
    nk_parallel(threads, nk_slice_count(t->index), find_near_wins, t);
    nk_parallel(threads, groups, list_moves, t);
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
        nk_parallel(threads, groups, find_reply_chance, t);
        nk_parallel(threads, groups, find_loss_chance, t);
    }
    for (uint32_t n = 0; n < t->count; n++)
        values[n] = (uint8_t)(t->loss_chance[n] / (CERTAIN / 256));
    *out = values;
    return NK_OK;
}
