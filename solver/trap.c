#include "solver/trap.h"

#include "common/table_format.h"
#include "common/parallel.h"
#include "solver/memory.h"

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

/* A configuration: the place of its orbit's row in the sets of bits, and the symmetry that makes it canonical. A row
 * after the last one, without bits, stands for no move. */
struct target {
    uint64_t row;
    uint8_t symmetry;
};

/* The slides of a piece in one direction. */
struct ray {
    uint64_t path; /* the squares up to the next piece of its side */
    bool is_rising;
    struct target stops[NK_MAX_SQUARES]; /* by the number that `place_of` gives */
};

/* The state of a thread. It processes the positions after the moves from an orbit's draws: the side to move has the
 * orbit's canonical configuration. */
struct worker {
    struct ray rays[NK_MAX_PIECES * NK_DIRECTIONS]; /* of its pieces */
    int ray_count;
    uint32_t *known; /* [configurations] outcome of moving into this configuration; part of traps->known */
};

/* The drawn entries as a graph. Sets of entries have a bit for every configuration of the mover (row) of every orbit of
 * the other side, also where they overlap. Draws are numbered in this order, which is that of the entries. */
struct nk_traps {
    struct nk_memory memory; /* of all arrays but the elements of `to` */
    const struct nk_index *index;
    uint32_t (*images)[NK_SYMMETRIES]; /* [configurations] */
    uint64_t added;                    /* bits */
    uint64_t *is_draw, *is_near;       /* a draw; a loss of NK_SIGHT - 2 plies or less */
    uint32_t *before;                  /* [words of is_draw + 1] the draws in earlier words */
    uint32_t count;                    /* of draws */
    uint8_t *drawing;                  /* [count] number of its drawing moves */
    uint8_t *unseen;                   /* [count] number of its moves into unseen losses */
    uint32_t **to;           /* [orbit_count] the draws that the drawing moves of the orbit's draws lead to */
    uint16_t *loss_chance;   /* [count] U, in units of 1 / CERTAIN; the discount keeps it below CERTAIN */
    uint16_t *reply_chance;  /* [count] V */
    atomic_bool has_changed; /* in the last round */
    atomic_bool out_of_memory;
    struct worker *workers;
    uint32_t *known;                             /* [threads][configurations] */
    uint64_t ray[NK_DIRECTIONS][NK_MAX_SQUARES]; /* the squares in a direction */
    int8_t last[NK_DIRECTIONS][NK_MAX_SQUARES];  /* the last of them, or the square itself */
};

/* The words of a set of entries, with the row after the last one. */
static uint64_t words_of(const struct nk_index *index)
{
    return ((uint64_t)index->orbit_count + 1) * index->configurations / 64 + 1;
}

static uint64_t canonical(const struct nk_traps *t, uint32_t orbit)
{
    return t->index->squares[t->index->orbits[orbit].images[0]];
}

void nk_traps_add(struct nk_traps *t, const uint8_t *codes, uint64_t count)
{
    const uint64_t *const end = t ? t->index->squares + t->index->configurations : NULL;
    while (t && count) {
        const uint64_t other = canonical(t, (uint32_t)(t->added / t->index->configurations));
        uint64_t bit = t->added;
        for (const uint64_t *mover = t->index->squares + bit % t->index->configurations; mover < end && count;
             mover++, bit++) {
            /* Without branches: which configurations overlap, and what is a draw, is irregular. */
            const uint64_t is_entry = !(*mover & other), is_draw = *codes == NK_CODE_DRAW;
            const uint64_t is_near = *codes >= NK_CODE_LOSS && *codes <= nk_code_loss(NK_SIGHT - 2);
            t->is_draw[bit / 64] |= (is_entry & is_draw) << bit % 64;
            t->is_near[bit / 64] |= (is_entry & is_near) << bit % 64;
            codes += is_entry;
            count -= is_entry;
        }
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

uint32_t nk_traps_count(const struct nk_traps *t)
{
    return t->count;
}

uint64_t nk_traps_entry(const struct nk_traps *t, uint32_t draw)
{
    uint64_t bit = next_draw(t, 0);
    for (; draw; draw--)
        bit = next_draw(t, bit + 1);
    const uint64_t other = canonical(t, (uint32_t)(bit / t->index->configurations));
    return nk_index_entry(t->index,
                          (struct nk_position){t->index->squares[bit % t->index->configurations], other});
}

static bool has_bit(const uint64_t *bits, uint64_t bit)
{
    return bits[bit / 64] >> bit % 64 & 1;
}

/* Fills what follows from the board. */
static void fill(struct nk_traps *t)
{
    const struct nk_rules *rules = &t->index->rules;
    for (uint32_t r = 0; r < t->index->configurations; r++)
        for (int g = 0; g < rules->symmetries; g++)
            t->images[r][g] = nk_index_rank(t->index, nk_rules_image(rules, g, t->index->squares[r]));
    for (int d = 0; d < NK_DIRECTIONS; d++)
        for (int s = 0; s < rules->squares; s++) {
            int on = s;
            for (int next; (next = rules->next[d][on]) != NK_NO_SQUARE; on = next)
                t->ray[d][s] |= nk_bit(next);
            t->last[d][s] = (int8_t)on;
        }
}

/* Where a piece stops that slides from a square; the square itself if it cannot move. */
static inline int slide(const struct nk_traps *t, int direction, int from, uint64_t occupied)
{
    const uint64_t blockers = t->ray[direction][from] & occupied;
    if (!blockers)
        return t->last[direction][from];
    const int lowest = nk_first(blockers), blocker = lowest > from ? lowest : 63 - __builtin_clzll(blockers);
    return t->index->rules.next[(direction + 4) % NK_DIRECTIONS][blocker];
}

static struct target target_of(const struct nk_index *index, uint32_t configuration)
{
    return (struct target){(uint64_t)index->orbit_of[configuration] * index->configurations,
                           index->to_canonical[configuration]};
}

/* A number for the first piece of the other side on a ray, or for none, without branches that nothing could predict. A
 * rising ray never reaches the lowest square, and a falling one never the highest. */
static int place_of(const struct ray *ray, uint64_t other)
{
    const uint64_t blockers = ray->path & other;
    return ray->is_rising ? nk_first(blockers >> 1 | nk_bit(63)) : 63 - __builtin_clzll(blockers << 1 | 1);
}

static void fill_rays(const struct nk_index *index, uint64_t pieces, struct worker *w)
{
    w->ray_count = 0;
    for (int dir = 0; dir < NK_DIRECTIONS; dir++)
        for (uint64_t left = pieces; left; left &= left - 1) {
            const int8_t *next = index->rules.next[dir];
            const int from = nk_first(left);
            struct ray *ray = &w->rays[w->ray_count];
            struct target stop = {(uint64_t)index->orbit_count * index->configurations, 0};
            ray->path = 0;
            ray->is_rising = next[from] > from;
            for (int to = next[from]; to != NK_NO_SQUARE && !(pieces & nk_bit(to)); to = next[to]) {
                ray->path |= nk_bit(to);
                ray->stops[place_of(ray, nk_bit(to))] = stop;
                stop = target_of(index, nk_index_rank(index, pieces ^ nk_bit(from) ^ nk_bit(to)));
            }
            ray->stops[place_of(ray, 0)] = stop;
            w->ray_count += ray->path != 0;
        }
}

/* Whether the imperfect player does not see that its move to this configuration loses: in the position after it, a win
 * for the mover, no move leads to a near loss. The mover has the canonical configuration of the worker's orbit. */
static bool is_unseen(const struct nk_traps *t, const struct worker *w, uint32_t other)
{
    for (const struct ray *ray = w->rays; ray < w->rays + w->ray_count; ray++) {
        const struct target *stop = &ray->stops[place_of(ray, t->index->squares[other])];
        if (has_bit(t->is_near, stop->row + t->images[other][stop->symmetry]))
            return false;
    }
    return true;
}

/* The outcome of a move to a configuration, after which the canonical configuration of an orbit is to move. */
static uint32_t outcome_of(const struct nk_traps *t, const struct worker *w, uint32_t orbit, uint32_t moved)
{
    const struct target target = target_of(t->index, moved);
    const uint64_t bit = target.row + t->images[t->index->orbits[orbit].images[0]][target.symmetry];
    if (has_bit(t->is_draw, bit))
        return draw_at(t, bit);
    return is_unseen(t, w, moved) ? unseen_loss : seen_loss;
}

/* Counts the moves of a draw against an orbit, and adds those that draw to `to`. Returns its new end. */
static uint32_t *list_moves_of(struct nk_traps *t, const struct worker *w, uint32_t orbit, uint64_t mover,
                               uint32_t draw, uint32_t *to)
{
    const uint64_t occupied = mover | canonical(t, orbit);
    for (uint64_t left = mover; left; left &= left - 1)
        for (int dir = 0; dir < NK_DIRECTIONS; dir++) {
            const int from = nk_first(left), end = slide(t, dir, from, occupied);
            if (end == from)
                continue;
            const uint32_t moved = nk_index_rank(t->index, mover ^ nk_bit(from) ^ nk_bit(end));
            uint32_t *known = &w->known[moved];
            if (*known == unknown)
                *known = outcome_of(t, w, orbit, moved);
            if (*known == unseen_loss) {
                t->unseen[draw]++;
            } else if (*known != seen_loss) {
                t->drawing[draw]++;
                *to++ = *known;
            }
        }
    return to;
}

/* Lists the moves of an orbit's draws. After each of them the orbit's canonical configuration is to move, against a
 * configuration that other draws lead to as well, so outcomes are kept in `known`. */
static void list_moves(void *context, uint32_t orbit, int worker)
{
    struct nk_traps *t = context;
    struct worker *w = &t->workers[worker];
    const struct nk_index *index = t->index;
    const uint32_t first = first_draw(t, orbit), end = first_draw(t, orbit + 1);
    const uint64_t row = (uint64_t)orbit * index->configurations;
    if (first == end)
        return;
    const size_t most = (size_t)(end - first) * (size_t)index->rules.pieces * NK_DIRECTIONS;
    uint32_t *to = malloc(most * sizeof *to), *at = to;
    if (!to) {
        t->out_of_memory = true;
        return;
    }
    fill_rays(index, canonical(t, orbit), w);
    memset(w->known, 0xff, index->configurations * sizeof *w->known);
    uint64_t bit = row;
    for (uint32_t n = first; n < end; n++, bit++) {
        bit = next_draw(t, bit);
        at = list_moves_of(t, w, orbit, t->index->squares[bit - row], n, at);
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
        uint64_t sum = (uint64_t)t->unseen[n] * CERTAIN;
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

/* Allocates the arrays whose sizes depend on the board only. */
static void allocate_sets(struct nk_traps *t)
{
    t->images = nk_memory_get(&t->memory, t->index->configurations, sizeof *t->images);
    t->is_draw = nk_memory_get(&t->memory, words_of(t->index), sizeof *t->is_draw);
    t->is_near = nk_memory_get(&t->memory, words_of(t->index), sizeof *t->is_near);
    t->before = nk_memory_get(&t->memory, words_of(t->index) + 1, sizeof *t->before);
}

/* Allocates the arrays whose sizes depend on the number of draws, threads and orbits. */
static void allocate_draws(struct nk_traps *t, int threads)
{
    const uint64_t configurations = t->index->configurations, workers = (uint64_t)threads;
    t->drawing = nk_memory_get(&t->memory, t->count, sizeof *t->drawing);
    t->unseen = nk_memory_get(&t->memory, t->count, sizeof *t->unseen);
    t->to = nk_memory_get(&t->memory, t->index->orbit_count, sizeof *t->to);
    t->loss_chance = nk_memory_get(&t->memory, t->count, sizeof *t->loss_chance);
    t->reply_chance = nk_memory_get(&t->memory, t->count, sizeof *t->reply_chance);
    t->workers = nk_memory_get(&t->memory, workers, sizeof *t->workers);
    t->known = nk_memory_get(&t->memory, workers * configurations, sizeof *t->known);
    for (uint64_t w = 0; nk_memory_is_ready(&t->memory) && w < workers; w++)
        t->workers[w].known = t->known + w * configurations;
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
    allocate_sets(t);
    if (!nk_memory_is_ready(&t->memory)) {
        nk_traps_free(t);
        return NK_E_MEMORY;
    }
    fill(t);
    *out = t;
    return NK_OK;
}

void nk_traps_free(struct nk_traps *t)
{
    if (!t)
        return;
    for (uint32_t orbit = 0; t->to && orbit < t->index->orbit_count; orbit++)
        free(t->to[orbit]);
    nk_memory_clear(&t->memory);
    free(t);
}

uint64_t nk_traps_memory(const struct nk_index *index, uint32_t draws, uint64_t moves, int threads)
{
    struct nk_traps t = {.memory = {.is_plan = true}, .index = index, .count = draws};
    allocate_sets(&t);
    if (draws)
        allocate_draws(&t, threads > 0 ? threads : nk_processors());
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
        threads = nk_processors();
    allocate_draws(t, threads);
    if (!nk_memory_is_ready(&t->memory))
        return NK_E_MEMORY;
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
