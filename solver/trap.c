#include "solver/trap.h"

#include "common/table_format.h"
#include "common/parallel.h"

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

/* The configuration after a slide of one piece of an orbit's canonical configuration, for computing the entries of
 * the positions in which its side has just moved: transforming it to its own canonical configuration takes a square s
 * of the other side to free square number place[s]. */
struct target {
    uint64_t first; /* entry of its orbit */
    uint8_t place[NK_MAX_SQUARES];
};

/* The state of a thread. It processes the positions after the moves from an orbit's draws: the side to move stands on
 * the squares of the orbit's canonical configuration. */
struct worker {
    struct target targets[NK_MAX_PIECES][NK_DIRECTIONS][NK_MAX_SIDE - 1]; /* by piece, direction, steps - 1 */
    uint32_t *known; /* [configurations] outcome of moving into this configuration; part of draws.known */
};

/* The drawn entries as a graph. Draws are numbered in the order of their entries, so those of an orbit follow each
 * other. */
struct draws {
    const struct nk_index *index;
    const uint8_t *codes;
    uint32_t count;
    uint32_t *first;  /* [orbit_count + 1] number of the orbit's first draw */
    uint32_t *rank;   /* [count] which of the orbit's entries it is */
    uint8_t *drawing; /* [count] number of its drawing moves */
    uint8_t *unseen;  /* [count] number of its moves into unseen losses */
    uint32_t **to; /* [orbit_count] the draws that the drawing moves of the orbit's draws lead to, in order */
    uint16_t *loss_chance;   /* [count] U, in units of 1 / CERTAIN; the discount keeps it below CERTAIN */
    uint16_t *reply_chance;  /* [count] V */
    atomic_bool has_changed; /* in the last round */
    atomic_bool out_of_memory;
    struct worker *workers;
    uint32_t *known; /* [threads][configurations] */
};

static uint64_t first_entry(const struct draws *d, uint32_t orbit)
{
    return (uint64_t)d->index->per_orbit * orbit;
}

static void count_draws(void *context, uint32_t orbit, int worker)
{
    struct draws *d = context;
    (void)worker;
    d->first[orbit + 1] = (uint32_t)nk_count_draws(d->codes + first_entry(d, orbit), d->index->per_orbit);
}

static void list_draws(void *context, uint32_t orbit, int worker)
{
    struct draws *d = context;
    const uint8_t *codes = d->codes + first_entry(d, orbit);
    uint32_t n = d->first[orbit];
    (void)worker;
    for (uint32_t rank = 0; n < d->first[orbit + 1]; rank++)
        if (codes[rank] == NK_CODE_DRAW)
            d->rank[n++] = rank;
}

/* The number of the draw with this entry, by binary search. */
static uint32_t draw_at(const struct draws *d, uint64_t entry)
{
    const uint32_t orbit = (uint32_t)(entry / d->index->per_orbit);
    const uint32_t rank = (uint32_t)(entry % d->index->per_orbit);
    uint32_t low = d->first[orbit], high = d->first[orbit + 1];
    while (high - low > 1) {
        const uint32_t middle = low + (high - low) / 2;
        if (d->rank[middle] <= rank)
            low = middle;
        else
            high = middle;
    }
    return low;
}

static void fill_target(const struct nk_index *index, uint64_t configuration, struct target *target)
{
    const uint32_t number = nk_index_rank(index, configuration);
    const int symmetry = index->to_canonical[number];
    const uint8_t *back = index->rules.image[index->rules.inverse[symmetry]];
    const uint64_t canonical = nk_rules_image(&index->rules, symmetry, configuration);
    uint8_t place = 0;
    target->first = (uint64_t)index->orbit_of[number] * index->per_orbit;
    for (int square = 0; square < index->rules.squares; square++)
        if (!(canonical & nk_bit(square)))
            target->place[back[square]] = place++;
}

static void fill_targets(const struct nk_index *index, uint64_t pieces, struct worker *w)
{
    int p = 0;
    for (uint64_t left = pieces; left; left &= left - 1, p++)
        for (int dir = 0; dir < NK_DIRECTIONS; dir++) {
            const int8_t *next = index->rules.next[dir];
            const int from = nk_first(left);
            struct target *target = w->targets[p][dir];
            for (int to = next[from]; to != NK_NO_SQUARE && !(pieces & nk_bit(to)); to = next[to])
                fill_target(index, pieces ^ nk_bit(from) ^ nk_bit(to), target++);
        }
}

/* The same as nk_index_entry for the position after the slide to this target, in which `others` are to move. */
static uint64_t entry_after(const struct nk_index *index, const struct target *target, uint64_t others)
{
    uint64_t packed = 0;
    for (; others; others &= others - 1)
        packed |= nk_bit(target->place[nk_first(others)]);
    return target->first + nk_index_rank(index, packed);
}

/* Whether the imperfect player does not see that its move into this position, a win for the mover, loses: the mover
 * has no move to a loss of NK_SIGHT - 2 plies or less. The mover must stand on the squares of the canonical
 * configuration of the worker's orbit. */
static bool is_unseen(const struct draws *d, const struct worker *w, struct nk_position position)
{
    const uint64_t occupied = position.mover | position.other;
    int p = 0;
    for (uint64_t left = position.mover; left; left &= left - 1, p++)
        for (int dir = 0; dir < NK_DIRECTIONS; dir++) {
            const int8_t *next = d->index->rules.next[dir];
            const struct target *target = w->targets[p][dir];
            int on = next[nk_first(left)], steps = 0;
            for (; on != NK_NO_SQUARE && !(occupied & nk_bit(on)); on = next[on])
                steps++;
            if (!steps)
                continue;
            const uint8_t code = d->codes[entry_after(d->index, &target[steps - 1], position.other)];
            if (code >= NK_CODE_LOSS && code <= nk_code_loss(NK_SIGHT - 2))
                return false;
        }
    return true;
}

/* The outcome of a move into this position. Requirements as for is_unseen. */
static uint32_t outcome_of(const struct draws *d, const struct worker *w, struct nk_position position,
                           uint64_t entry)
{
    if (d->codes[entry] == NK_CODE_DRAW)
        return draw_at(d, entry);
    return is_unseen(d, w, position) ? unseen_loss : seen_loss;
}

/* Lists the moves of an orbit's draws. After each of them the orbit's canonical configuration is to move, against a
 * configuration that other draws lead to as well, so outcomes are kept in `known`. Most of the time goes into waiting
 * for codes from random places in memory, so those for all moves of a draw are prefetched. */
static void list_moves(void *context, uint32_t orbit, int worker)
{
    struct draws *d = context;
    struct worker *w = &d->workers[worker];
    const struct nk_index *index = d->index;
    const uint32_t first = d->first[orbit], end = d->first[orbit + 1];
    const uint64_t entry = first_entry(d, orbit);
    if (first == end)
        return;
    const size_t most = (size_t)(end - first) * (size_t)index->rules.pieces * NK_DIRECTIONS;
    uint32_t *to = malloc(most * sizeof *to);
    if (!to) {
        d->out_of_memory = true;
        return;
    }
    fill_targets(index, nk_index_position(index, entry).other, w);
    memset(w->known, 0xff, index->configurations * sizeof *w->known);
    size_t used = 0;
    for (uint32_t n = first; n < end; n++) {
        struct nk_move moves[NK_MAX_MOVES];
        uint32_t *known[NK_MAX_MOVES];
        const struct nk_position position = nk_index_position(index, entry + d->rank[n]);
        const int count = nk_position_moves(&index->rules, position, moves);
        uint64_t entries[NK_MAX_MOVES];
        for (int m = 0; m < count; m++) {
            const struct nk_position after = nk_position_after(position, moves[m]);
            known[m] = &w->known[nk_index_rank(index, after.other)];
            entries[m] = 0;
            if (*known[m] == unknown) {
                entries[m] = nk_index_entry(index, after);
                __builtin_prefetch(&d->codes[entries[m]]);
            }
        }
        for (int m = 0; m < count; m++) {
            if (*known[m] == unknown)
                *known[m] = outcome_of(d, w, nk_position_after(position, moves[m]), entries[m]);
            if (*known[m] == unseen_loss) {
                d->unseen[n]++;
            } else if (*known[m] != seen_loss) {
                d->drawing[n]++;
                to[used++] = *known[m];
            }
        }
    }
    uint32_t *shrunk = realloc(to, (used + 1) * sizeof *to);
    d->to[orbit] = shrunk ? shrunk : to;
}

/* Computes V from U. */
static void find_reply_chance(void *context, uint32_t orbit, int worker)
{
    struct draws *d = context;
    const uint32_t *to = d->to[orbit];
    (void)worker;
    for (uint32_t n = d->first[orbit]; n < d->first[orbit + 1]; n++) {
        uint16_t best = 0;
        for (int m = 0; m < d->drawing[n]; m++, to++)
            if (d->loss_chance[*to] > best)
                best = d->loss_chance[*to];
        d->reply_chance[n] = best;
    }
}

/* Computes U from V. */
static void find_loss_chance(void *context, uint32_t orbit, int worker)
{
    struct draws *d = context;
    const uint32_t *to = d->to[orbit];
    bool changed = false;
    (void)worker;
    for (uint32_t n = d->first[orbit]; n < d->first[orbit + 1]; n++) {
        uint64_t sum = (uint64_t)d->unseen[n] * CERTAIN;
        const uint32_t moves = (uint32_t)d->drawing[n] + d->unseen[n];
        for (int m = 0; m < d->drawing[n]; m++)
            sum += d->reply_chance[*to++];
        const uint16_t chance = moves ? (uint16_t)(sum * 15 / 16 / moves) : 0;
        changed = changed || chance != d->loss_chance[n];
        d->loss_chance[n] = chance;
    }
    if (changed)
        d->has_changed = true;
}

/* Allocates the arrays whose sizes depend on the number of draws, threads and orbits. */
static bool allocate(struct draws *d, int threads)
{
    const uint32_t configurations = d->index->configurations;
    d->rank = malloc(d->count * sizeof *d->rank);
    d->drawing = calloc(d->count, 1);
    d->unseen = calloc(d->count, 1);
    d->to = calloc(d->index->orbit_count, sizeof *d->to);
    d->loss_chance = calloc(d->count, sizeof *d->loss_chance);
    d->reply_chance = malloc(d->count * sizeof *d->reply_chance);
    d->workers = malloc((size_t)threads * sizeof *d->workers);
    d->known = malloc((size_t)threads * configurations * sizeof *d->known);
    if (!d->rank || !d->drawing || !d->unseen || !d->to || !d->loss_chance || !d->reply_chance ||
        !d->workers || !d->known)
        return false;
    for (int t = 0; t < threads; t++)
        d->workers[t].known = d->known + (size_t)t * configurations;
    return true;
}

static void free_all(struct draws *d)
{
    for (uint32_t orbit = 0; d->to && orbit < d->index->orbit_count; orbit++)
        free(d->to[orbit]);
    free(d->first);
    free(d->rank);
    free(d->drawing);
    free(d->unseen);
    free(d->to);
    free(d->loss_chance);
    free(d->reply_chance);
    free(d->workers);
    free(d->known);
}

enum nk_status nk_traps(const struct nk_index *index, const uint8_t *codes, int threads,
                        const struct nk_progress_sink *progress, uint8_t **out)
{
    struct draws d = {.index = index, .codes = codes, .has_changed = true};
    const uint32_t orbits = index->orbit_count;
    uint64_t count = 0;
    enum nk_status status = NK_OK;
    *out = NULL;
    if (index->entries > NK_MAX_TRAP_ENTRIES)
        return NK_OK;
    if (threads <= 0)
        threads = nk_processors();
    d.first = calloc((size_t)orbits + 1, sizeof *d.first);
    if (!d.first)
        return NK_E_MEMORY;
    nk_parallel(threads, orbits, count_draws, &d);
    for (uint32_t orbit = 0; orbit < orbits; orbit++) {
        count += d.first[orbit + 1];
        d.first[orbit + 1] = (uint32_t)count;
    }
    if (!count || count > NK_MAX_TRAPS)
        goto done;
    d.count = (uint32_t)count;
    uint8_t *traps = malloc(count);
    if (!traps || !allocate(&d, threads)) {
        status = NK_E_MEMORY;
        free(traps);
        goto done;
    }
    nk_parallel(threads, orbits, list_draws, &d);
    nk_parallel(threads, orbits, list_moves, &d);
    if (d.out_of_memory) {
        status = NK_E_MEMORY;
        free(traps);
        goto done;
    }
    if (count < FEW_DRAWS)
        threads = 1;
    for (int round = 0; round < NK_TRAP_ROUNDS && d.has_changed; round++) {
        d.has_changed = false;
        nk_progress_report(progress,
                           (round + 1.0) / (NK_TRAP_ROUNDS + 1)); /* listing the moves is one part */
        nk_parallel(threads, orbits, find_reply_chance, &d);
        nk_parallel(threads, orbits, find_loss_chance, &d);
    }
    for (uint32_t n = 0; n < d.count; n++)
        traps[n] = (uint8_t)(d.loss_chance[n] / (CERTAIN / 256));
    *out = traps;
done:
    free_all(&d);
    return status;
}

uint64_t nk_traps_memory(const struct nk_index *index, int threads)
{
    const uint64_t draws = index->entries < NK_MAX_TRAPS ? index->entries : NK_MAX_TRAPS;
    const uint64_t workers = (uint64_t)(threads > 0 ? threads : nk_processors());
    return draws * 64 + workers * (sizeof(struct worker) + index->configurations * sizeof(uint32_t));
}
