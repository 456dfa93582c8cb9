#include "solver/verify/verify.h"

#include "common/system/parallel.h"
#include "common/system/system.h"
#include "common/table/packing.h"
#include "common/table/open.h"
#include "solver/base/memory.h"
#include "solver/checkpoint/store.h"
#include "solver/verify/claims.h"
#include "solver/verify/kernel.h"
#include "solver/verify/traps.h"

#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

/* How it works. The codes of an orbit, a row, belong to positions in which a canonical configuration of the other side
 * does not move. A move leads from them to positions in which this configuration is to move: these have one entry in
 * nearly every row of the table. So the orbits are processed in batches. For each batch the whole table is read once,
 * in order, and what is needed from each row is copied to `after`, by configuration of the other side, with the orbits
 * of the batch in neighbouring bytes. Then the kernel
 * (kernel.h) examines all moves of 64 orbits at a time.
 *
 * The table has no distances of wins, so this happens twice. The first phase, `measure`, computes from the codes after
 * the moves everything but distances of losses, checks it, and stores the distances of wins in a row of the store, one
 * for each row of the table. The second phase, `check`, does the same with these rows instead of those of the table, to
 * compare the distances of losses.
 *
 * The bytes in `after` and `best` are values for the side that moves; the best move has the greatest:
 *   measure   those of kernel.h
 *   check     the code of the nearest loss of a win; 0: not a win */
enum {
    LANES = NK_VERIFY_LANES,
    PART = NK_VERIFY_PART,
    /* A thread reads neighbouring rows in turn: at most so many, and no more than have so many codes. Of more, fewer
     * blocks would be read by two threads, but threads would wait for each other longer. */
    NEIGHBOURS = 16,
    NEIGHBOURING_CODES = 1 << 19
};

const struct nk_store_names nk_verify_names = {"verify-state", "verify"};

enum phase { MEASURE, CHECK, PHASES };

/* Indexes of counts, besides those of struct nk_verify_counts: draws without a legal move, which are draws too. */
enum { COUNT_STALEMATES = NK_VERIFY_COUNTS, COUNTS };

/* How far the verification is: the places of the numbers in the store, which are its state. */
enum {
    AT_TABLE, /* the checksum of the table's header and list of blocks */
    AT_PHASE,
    AT_ROWS,     /* complete in this phase: those below this number */
    AT_CHECKSUM, /* of all codes, once a row is complete */
    AT_COUNTS,
    STATE_NUMBERS = AT_COUNTS + COUNTS
};

/* The orbits of a board have 1, 2, 4 or 8 configurations. */
enum { WEIGHTS = 4 };

/* Configurations that are treated separately: those that win, and those that the other side can leave without a move,
 * since they have few neighbours. */
enum kind { USUAL, WON, CRAMPED };

struct worker {
    struct nk_verify_lanes *best; /* [configurations] */
    uint8_t *rows;                /* [LANES][stride] of the table */
    uint8_t *values;              /* [stride] a row, as the values after moves into it */
    uint8_t *packed;              /* [NK_PACK_BOUND(per_orbit)] a row for the store */
    struct nk_table_pass pass;
    uint32_t *low, *high; /* [sets] what a half contributes to the number of a configuration */
    struct nk_verify_counts
        counts[WEIGHTS];   /* since the state was saved: entries by the sizes of their orbits */
    uint64_t stalemates;   /* and positions */
    uint64_t wrong;        /* the lowest entry with a disagreement, or row that cannot be read */
    struct nk_error error; /* of that entry */
};

/* What a group of the batch needs from all rows. */
struct group {
    struct nk_memory memory;
    struct nk_verify_lanes *after;   /* [configurations] */
    struct nk_verify_halves *images; /* [symmetries][LANES] of the orbits' configurations */
};

struct verifier {
    struct nk_table *table;
    const struct nk_index *index;
    const struct nk_verify_options *options;
    const struct nk_verify_kernel *kernel;
    int threads;
    int low_pieces;               /* in the lower half of a configuration */
    uint32_t low_sets, high_sets; /* how many of each half there are */
    size_t stride;                /* bytes of a row in memory: some after the last are read, but never used */
    uint8_t *kinds;               /* [configurations] enum kind */

    uint32_t groups;     /* of LANES orbits */
    uint32_t neighbours; /* rows that a thread reads in turn */

    struct group *batch; /* [groups], of which the first group_count are used */
    uint32_t first_group, group_count;
    uint32_t first_row, end_row; /* of those that are being read, for which `rows` has room */

    struct worker *workers; /* [threads] */
    struct nk_verify_lanes
        *best;       /* [threads][configurations]; this and the next ones are the scratch of all workers */
    uint8_t *rows;   /* [threads][LANES][stride] */
    uint8_t *values; /* [threads][stride] */
    uint8_t *packed; /* [threads][NK_PACK_BOUND(per_orbit)] */
    uint32_t *low, *high;    /* [threads][low_sets], [threads][high_sets] */
    struct nk_memory memory; /* of all arrays but those of groups */
    uint64_t allowed;        /* bytes to use */
    struct nk_store store;   /* a section for each row, for the second phase */
    bool is_packed;          /* its rows are packed (common/table/packing.h) */
    struct nk_trap_check *trap_check;
    uint64_t *state; /* the store's numbers */
};

static uint32_t least(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

static uint64_t lesser(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

static uint64_t greater(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

/* ---- failures in threads ---- */

/* Records a failure unless there is one for a lower entry. */
static void record(struct worker *w, uint64_t entry, const struct nk_error *error)
{
    if (entry < w->wrong) {
        w->wrong = entry;
        w->error = *error;
    }
}

/* The failure at the lowest entry, which does not depend on the number of threads. */
static enum nk_status first_failure(const struct verifier *v, struct nk_error *error)
{
    const struct worker *first = &v->workers[0];
    for (int w = 1; w < v->threads; w++)
        if (v->workers[w].wrong < first->wrong)
            first = &v->workers[w];
    return first->wrong == UINT64_MAX ? NK_OK
                                      : nk_fail(error, first->error.status, 0, "%s", first->error.text);
}

/* ---- reading all rows for a batch ---- */

static struct nk_verify_halves split(const struct verifier *v, uint64_t configuration)
{
    uint64_t low = 0;
    for (int p = 0; p < v->low_pieces; p++, configuration &= configuration - 1)
        low |= configuration & -configuration;
    return (struct nk_verify_halves){(uint16_t)nk_index_number(v->index, low),
                                     (uint16_t)nk_index_number(v->index, configuration)};
}

/* Fills `images` for a group: which configuration is against the canonical one of a row, after a symmetry has taken
 * that to where the orbit's moves lead. */
static void split_images(void *context, uint32_t item, int worker)
{
    const struct verifier *v = context;
    const struct nk_rules *rules = &v->index->rules;
    struct nk_verify_halves *images = v->batch[item].images;
    (void)worker;
    for (int g = 0; g < rules->symmetries; g++)
        for (uint32_t l = 0; l < LANES; l++) {
            const uint32_t orbit = (v->first_group + item) * LANES + l;
            if (orbit < v->index->orbit_count)
                images[(uint32_t)g * LANES + l] =
                    split(v, v->index->squares[v->index->orbits[orbit].images[rules->inverse[g]]]);
        }
}

/* Fills the terms of all sets of `pieces` squares in the number of a configuration (common/game/index.h), as its pieces
 * from the one with number `first` on. `place` is the number of each square among those that are free.
 *
 * The sets whose highest square is s have consecutive numbers, from choose[s] on, in the order of their other squares.
 * So their terms follow from those of the sets with a piece less, which are replaced from the end on. */
static void fill_terms(const struct nk_index *index, const uint8_t place[], int pieces, int first,
                       uint32_t *terms)
{
    terms[0] = 0;
    for (int p = 1; p <= pieces; p++)
        for (int s = index->rules.squares - 1; s >= p - 1; s--) {
            const uint32_t term = index->choose[place[s]][first + p];
            uint32_t *with_s = terms + index->choose[s][p];
            for (uint32_t other = index->choose[s][p - 1]; other-- > 0;)
                with_s[other] = terms[other] + term;
        }
}

/* Reads a row of the table. Returns false after a failure, which is recorded; so does the next function. */
static bool read_row(const struct verifier *v, struct worker *w, uint32_t orbit, uint8_t *row)
{
    const uint64_t entry = (uint64_t)orbit * v->index->per_orbit;
    struct nk_error error;
    const bool failed = nk_table_pass_codes(v->table, &w->pass, entry, v->index->per_orbit, row, &error);
    if (failed)
        record(w, entry, &error);
    return !failed;
}

/* Reads a row of the store. */
static enum nk_status get_stored_row(const struct verifier *v, uint32_t orbit, uint8_t *row,
                                     struct nk_error *error)
{
    const struct nk_section *section = &v->store.sections[orbit];
    const uint32_t count = v->index->per_orbit;
    uint8_t *bytes;
    enum nk_status status = nk_store_get(&v->store, section, &bytes, error);
    if (status)
        return status;
    if (!v->is_packed)
        memcpy(row, bytes, count); /* NOLINT(clang-analyzer-core.NonNullParamChecker): they were acquired */
    else if (!nk_unpack(bytes, (size_t)section->length, row, count))
        status = nk_store_damaged(&v->store, section, error);
    nk_store_release(&v->store, bytes);
    return status;
}

static bool read_stored_row(const struct verifier *v, struct worker *w, uint32_t orbit, uint8_t *row)
{
    struct nk_error error;
    const bool failed = get_stored_row(v, orbit, row, &error);
    if (failed)
        record(w, orbit, &error);
    return !failed;
}

/* Fills the terms of the halves of a configuration that the other side can have against that of an orbit. */
static void fill_halves(const struct verifier *v, const struct nk_orbit *orbit, struct worker *w)
{
    const struct nk_index *index = v->index;
    uint8_t place[NK_MAX_SQUARES] = {0}, free_squares = 0;
    for (int s = 0; s < index->rules.squares; s++) {
        place[s] = free_squares;
        free_squares = (uint8_t)(free_squares + !(index->squares[orbit->images[0]] & nk_bit(s)));
    }
    fill_terms(index, place, v->low_pieces, 0, w->low);
    fill_terms(index, place, index->rules.board.pieces - v->low_pieces, v->low_pieces, w->high);
}

/* Copies what the batch needs from the row of an orbit, w->values: where an orbit of the batch is to move. One that
 * overlaps the row's configuration gets any byte of the row; the kernel permits that. */
static void scatter_row(const struct verifier *v, struct worker *w, const struct nk_orbit *orbit)
{
    const struct nk_index *index = v->index;
    const struct group *end = v->batch + v->group_count;
    fill_halves(v, orbit, w);
    for (const struct group *group = v->batch; group < end; group++)
        for (int g = 0; g < index->rules.symmetries; g++) {
            /* Of several symmetries with this image, the one that nk_index_entry uses. */
            const uint32_t image = orbit->images[g];
            if (index->to_canonical[image] != index->rules.inverse[g])
                continue;
            /* Written next, and far from what was written last, so the processor does not foresee it. */
            if (group + 1 < end)
                __builtin_prefetch(group[1].after + image, 1);
            v->kernel->gather(w->values, w->low, w->high, group->images + (size_t)g * LANES,
                              group->after + image);
        }
}

/* Reads and scatters neighbouring rows. In the first phase, their codes stay in v->rows. */
static void scatter_rows(void *context, uint32_t item, int worker)
{
    const struct verifier *v = context;
    struct worker *w = &v->workers[worker];
    const uint32_t first = v->first_row + item * v->neighbours;
    const uint32_t end = least(first + v->neighbours, v->end_row);
    for (uint32_t row = first; row < end; row++) {
        if (v->state[AT_PHASE] == MEASURE) {
            uint8_t *codes = v->rows + (row - v->first_row) * v->stride;
            if (!read_row(v, w, row, codes))
                return;
            v->kernel->to_values(codes, v->index->per_orbit, w->values);
        } else if (!read_stored_row(v, w, row, w->values)) {
            return;
        }
        scatter_row(v, w, &v->index->orbits[row]);
    }
}

/* ---- checking the rows of a group ---- */

/* Why a code does not agree with the value of the best move, that of a draw if there is none; or NULL. The distances of
 * losses are left to the second phase. */
static const char *objection(uint8_t code, uint8_t best, bool mover_won, bool other_won)
{
    if (mover_won)
        return code == NK_CODE_WIN ? NULL : "illegal, as the mover has already won, but has a value";
    if (other_won)
        return code == NK_CODE_LOSS ? NULL : "over, but not marked a loss of 0 plies";
    if (code == NK_CODE_WIN)
        return best >= NK_VERIFY_WIN ? NULL : "marked a win, but no move leads to a loss";
    if (code == NK_CODE_DRAW && best >= NK_VERIFY_WIN)
        return "marked a draw, but a move leads to a loss";
    if (code == NK_CODE_DRAW)
        return best == NK_VERIFY_DRAW ? NULL : "marked a draw, but no move leads to a draw";
    if (code == NK_CODE_LOSS)
        return "marked a loss of 0 plies, but not over";
    return best == NK_VERIFY_LOSS ? NULL : "marked a loss, but not every move leads to a win";
}

/* One row of the group, while it is checked. */
struct lane {
    uint64_t first_entry;
    uint64_t other;
    bool has_won;        /* the other side */
    uint8_t *next, *row; /* the next code, and the first */
    uint32_t weight;     /* the positions that an entry stands for */
    struct nk_verify_counts *counts;
};

static void begin_lane(const struct verifier *v, struct worker *w, uint32_t orbit, uint8_t *row,
                       struct lane *lane)
{
    const struct nk_orbit *o = &v->index->orbits[orbit];
    const uint32_t other = o->images[0];
    *lane = (struct lane){.first_entry = (uint64_t)orbit * v->index->per_orbit,
                          .other = v->index->squares[other],
                          .has_won = v->kinds[other] == WON,
                          .next = row,
                          .row = row,
                          .weight = o->size,
                          .counts = &w->counts[nk_first(o->size)]};
}

/* Gives every lane's best move where the rules and not the moves decide: the value of a draw where there is no legal
 * move; and that of a win in one ply where the mover has already won, whose code is that of a win too. These are not
 * positions, so here they are taken off the counts. */
static void decide_by_rules(const struct verifier *v, struct worker *w, const struct lane lanes[],
                            uint32_t count)
{
    for (uint32_t r = 0; r < v->index->configurations; r++) {
        const uint64_t mover = v->index->squares[r];
        if (v->kinds[r] == USUAL)
            continue;
        const uint64_t neighbours =
            v->kinds[r] == CRAMPED ? nk_rules_neighbours(&v->index->rules, mover) & ~mover : 0;
        for (uint32_t l = 0; l < count; l++) {
            const bool counts = !(mover & lanes[l].other) && !lanes[l].has_won;
            if (v->kinds[r] == WON) {
                w->best[r].lane[l] = UINT8_MAX;
                lanes[l].counts->apart[0][NK_VERIFY_WINS + UINT8_MAX] -= counts;
            } else if (!(neighbours & ~lanes[l].other)) {
                w->best[r].lane[l] = NK_VERIFY_DRAW;
                w->stalemates += (uint64_t)counts * lanes[l].weight;
            }
        }
    }
}

static void record_wrong(const struct verifier *v, struct worker *w, uint64_t entry, const char *why)
{
    struct nk_error error;
    if (entry < w->wrong) {
        (void)nk_verify_disagree(v->index, entry, why, &error);
        record(w, entry, &error);
    }
}

/* Records the first disagreement of the next `count` codes of a lane, of which the kernel has found one. */
static void find_wrong(const struct verifier *v, struct worker *w, const struct lane *lane,
                       const uint8_t *best, uint32_t count)
{
    const uint64_t first = lane->first_entry + (uint64_t)(lane->next - lane->row);
    for (uint32_t i = 0; i < count; i++) {
        const uint64_t mover = nk_index_position(v->index, first + i).mover;
        const uint8_t code = lane->next[i];
        const char *why = NULL;
        if (v->state[AT_PHASE] == MEASURE)
            why = objection(code, best[i], nk_rules_won(&v->index->rules, mover), lane->has_won);
        else if (code >= NK_CODE_LOSS && best[i] + 1 != code)
            why = "marked a loss in another number of plies than its moves lead to";
        if (why) {
            record_wrong(v, w, first + i, why);
            return;
        }
    }
    /* The kernel and the code above disagree, so one of them is wrong: the table is not proved. */
    record_wrong(v, w, first, "two comparisons of this value, or of a later one, disagree");
}

/* Checks and counts the codes of a lane in which the other side has won, for the configurations from `first` on. */
static void measure_ends(const struct verifier *v, struct worker *w, struct lane *lane, uint32_t first,
                         uint32_t end)
{
    for (uint32_t r = first; r < end; r++) {
        const bool mover_won = v->kinds[r] == WON;
        if (v->index->squares[r] & lane->other)
            continue;
        const char *why = objection(*lane->next, 0, mover_won, true);
        if (why)
            record_wrong(v, w, lane->first_entry + (uint64_t)(lane->next - lane->row), why);
        lane->counts->apart[0][NK_CODE_LOSS] += !mover_won;
        *lane->next++ = 0;
    }
}

/* Checks the codes of a lane for the configurations from `first` on; the first phase replaces each by the code of the
 * nearest loss if it is a win, otherwise by 0. */
static void check_lane(const struct verifier *v, struct worker *w, int l, struct lane *lane, uint32_t first,
                       uint32_t count)
{
    uint8_t best[PART + 1];
    const uint32_t entries =
        v->kernel->select(v->index->squares + first, count, lane->other, w->best + first, l, best);
    const bool is_right = v->state[AT_PHASE] == MEASURE
                              ? v->kernel->measure(lane->next, best, entries, lane->counts)
                              : v->kernel->check(lane->next, best, entries);
    if (!is_right)
        find_wrong(v, w, lane, best, entries);
    lane->next += entries;
}

static void store_row(struct verifier *v, struct worker *w, uint32_t orbit, const uint8_t *row)
{
    const uint32_t count = v->index->per_orbit;
    struct nk_error error;
    size_t length = count;
    if (v->is_packed) {
        length = nk_pack(row, count, w->packed);
        row = w->packed;
    }
    if (nk_store_put(&v->store, &v->store.sections[orbit], row, length, &error))
        record(w, (uint64_t)orbit * count, &error);
}

/* Processes a group; `item` counts from the first one that is not complete. */
static void process_group(void *context, uint32_t item, int worker)
{
    struct verifier *v = context;
    const struct nk_index *index = v->index;
    struct worker *w = &v->workers[worker];
    const bool measures = v->state[AT_PHASE] == MEASURE;
    const uint32_t first = (uint32_t)v->state[AT_ROWS] + item * LANES, configurations = index->configurations;
    struct group *group = &v->batch[first / LANES - v->first_group];
    const uint32_t count = least(LANES, index->orbit_count - first);
    struct lane lanes[LANES];
    uint64_t others[LANES] = {0};
    if ((uint64_t)first * index->per_orbit > w->wrong)
        return;
    for (uint32_t l = 0; l < count; l++) {
        uint8_t *row = w->rows + l * v->stride;
        if (!read_row(v, w, first + l, row))
            return;
        begin_lane(v, w, first + l, row, &lanes[l]);
        others[l] = lanes[l].other;
    }
    v->kernel->best_moves(index, others, group->after, w->best);
    /* Before the rows are stored, which take less memory. */
    nk_memory_free(&group->memory);
    if (measures)
        decide_by_rules(v, w, lanes, count);
    for (uint32_t r = 0; r < configurations; r += PART)
        for (uint32_t l = 0; l < count; l++) {
            const uint32_t end = least(r + PART, configurations);
            if (!lanes[l].has_won)
                check_lane(v, w, (int)l, &lanes[l], r, end - r);
            else if (measures)
                measure_ends(v, w, &lanes[l], r, end);
        }
    for (uint32_t l = 0; measures && w->wrong == UINT64_MAX && l < count; l++)
        store_row(v, w, first + l, lanes[l].row);
}

/* ---- the phases ---- */

/* Reports progress. A row that is read for a batch counts one, a row of the batch HEAVY. */
static void report(const struct verifier *v, uint64_t rows_read)
{
    enum { HEAVY = 4 };
    const uint64_t orbits = v->index->orbit_count, first = (uint64_t)v->first_group * LANES;
    const uint64_t size = (uint64_t)v->group_count * LANES;
    const double work =
        (double)(rows_read + HEAVY * (v->state[AT_ROWS] - first)) / (double)(orbits + HEAVY * size);
    const double done = ((double)first + work * (double)size) / (double)orbits;
    nk_progress_report(v->options->progress,
                       ((double)v->state[AT_PHASE] + (done < 1 ? done : 1)) / (double)PHASES);
}

/* Reads all rows for a batch, as many at a time as v->rows has room for. The first batch also computes the checksum of
 * all codes. */
static enum nk_status read_batch(struct verifier *v, struct nk_error *error)
{
    const uint32_t orbits = v->index->orbit_count, most = LANES * (uint32_t)v->threads;
    const bool hashes = v->state[AT_PHASE] == MEASURE && !v->state[AT_ROWS];
    XXH3_state_t *hash = XXH3_createState();
    enum nk_status status = hash ? NK_OK : nk_verify_no_memory(error);
    if (status)
        return status;
    (void)XXH3_64bits_reset(hash);
    nk_parallel(v->threads, v->group_count, split_images, v);
    for (v->first_row = 0; !status && v->first_row < orbits; v->first_row += most) {
        const uint32_t count = least(most, orbits - v->first_row);
        v->end_row = v->first_row + count;
        nk_parallel(v->threads, (count + v->neighbours - 1) / v->neighbours, scatter_rows, v);
        for (uint32_t row = 0; hashes && row < count; row++)
            (void)XXH3_64bits_update(hash, v->rows + row * v->stride, v->index->per_orbit);
        report(v, v->end_row);
        status = first_failure(v, error);
    }
    if (hashes)
        v->state[AT_CHECKSUM] = XXH3_64bits_digest(hash);
    (void)XXH3_freeState(hash);
    return status;
}

/* Moves the counts of the threads to the state. */
static void add_counts(struct verifier *v)
{
    uint64_t *counts = v->state + AT_COUNTS;
    for (int t = 0; t < v->threads; t++) {
        struct worker *w = &v->workers[t];
        for (int weight = 0; weight < WEIGHTS; weight++)
            for (int part = 0; part < NK_VERIFY_APART; part++)
                for (int i = 0; i < NK_VERIFY_COUNTS; i++)
                    counts[i] += w->counts[weight].apart[part][i] << weight;
        counts[COUNT_STALEMATES] += w->stalemates;
        memset(w->counts, 0, sizeof w->counts);
        w->stalemates = 0;
    }
}

/* Saves the rows that were stored, then the state. */
static enum nk_status save(struct verifier *v, struct nk_error *error)
{
    const enum nk_status status = nk_store_flush(&v->store, error);
    if (status)
        return status;
    return nk_store_save(&v->store, v->index->orbit_count, error);
}

/* Processes the groups of the batch, some at a time, and saves the state after each time. */
static enum nk_status process_batch(struct verifier *v, struct nk_error *error)
{
    const uint32_t orbits = v->index->orbit_count, most = 4 * (uint32_t)v->threads;
    const uint32_t end = v->first_group + v->group_count;
    enum nk_status status = NK_OK;
    for (uint32_t group = v->first_group, step; !status && group < end; group += step) {
        step = least(most, end - group);
        nk_parallel(v->threads, step, process_group, v);
        if ((status = first_failure(v, error)))
            break;
        add_counts(v);
        v->state[AT_ROWS] = least((group + step) * LANES, orbits);
        report(v, orbits);
        status = save(v, error);
    }
    return status;
}

static void sum_up(const struct verifier *v, struct nk_verified *found)
{
    const uint64_t *counts = v->state + AT_COUNTS;
    struct nk_summary *summary = &found->summary;
    memset(found, 0, sizeof *found);
    for (int code = NK_CODE_LOSS; code <= UINT8_MAX; code++) {
        const uint64_t losses = counts[code], wins = counts[NK_VERIFY_WINS + NK_VERIFY_SUM - code];
        const int plies = 2 * (code - NK_CODE_LOSS);
        found->by_plies[plies] = losses;
        found->by_plies[plies + 1] = wins;
        summary->losses += losses;
        summary->wins += wins;
        if (losses || wins)
            summary->longest = (uint32_t)(wins ? plies + 1 : plies);
    }
    summary->stalemates = counts[COUNT_STALEMATES];
    summary->draws = counts[NK_CODE_DRAW];
    summary->placements = v->index->placements;
    summary->legal = summary->wins + summary->losses + summary->draws;
}

/* ---- memory ---- */

static void list_group(const struct verifier *v, struct group *group)
{
    const uint64_t images = (uint64_t)v->index->rules.symmetries * LANES;
    nk_memory_list(&group->memory, &group->images, images, sizeof *group->images);
    nk_memory_list(&group->memory, &group->after, v->index->configurations, sizeof *group->after);
}

/* Lists all other arrays. */
static void list_buffers(struct verifier *v)
{
    struct nk_memory *memory = &v->memory;
    const uint64_t configurations = v->index->configurations, workers = (uint64_t)v->threads;
    nk_memory_list(memory, &v->kinds, configurations, sizeof *v->kinds);
    nk_memory_list(memory, &v->batch, v->groups, sizeof *v->batch);
    nk_memory_list(memory, &v->workers, workers, sizeof *v->workers);
    nk_memory_list(memory, &v->best, workers * configurations, sizeof *v->best);
    nk_memory_list(memory, &v->rows, workers * LANES, v->stride);
    nk_memory_list(memory, &v->values, workers, v->stride);
    nk_memory_list(memory, &v->packed, workers, NK_PACK_BOUND((size_t)v->index->per_orbit));
    nk_memory_list(memory, &v->low, workers * v->low_sets, sizeof *v->low);
    nk_memory_list(memory, &v->high, workers * v->high_sets, sizeof *v->high);
}

static enum nk_status allocate_buffers(struct verifier *v, struct nk_error *error)
{
    list_buffers(v);
    if (!nk_memory_allocate(&v->memory))
        return nk_verify_no_memory(error);
    for (size_t t = 0; t < (size_t)v->threads; t++) {
        struct worker *w = &v->workers[t];
        w->wrong = UINT64_MAX;
        w->best = v->best + t * v->index->configurations;
        w->rows = v->rows + t * LANES * v->stride;
        w->values = v->values + t * v->stride;
        w->packed = v->packed + t * NK_PACK_BOUND((size_t)v->index->per_orbit);
        w->low = v->low + t * v->low_sets;
        w->high = v->high + t * v->high_sets;
    }
    return NK_OK;
}

/* The bytes of the arrays of a group, and of all others. */
static uint64_t group_memory(const struct verifier *v)
{
    struct group group = {0};
    list_group(v, &group);
    return group.memory.bytes;
}

static uint64_t fixed_memory(const struct verifier *v)
{
    struct verifier copy = *v;
    copy.memory = (struct nk_memory){0};
    list_buffers(&copy);
    return copy.memory.bytes;
}

/* The bytes in memory that the rows of a group are expected to take in the store. Packed, most have three to a byte. */
static uint64_t expected_rows(const struct verifier *v)
{
    const uint64_t entries = (uint64_t)LANES * v->index->per_orbit;
    return v->options->directory ? 0 : v->is_packed ? entries / 5 * 2 : entries;
}

/* The bytes in memory that the store has. */
static uint64_t stored_rows(const struct verifier *v)
{
    uint64_t bytes = 0;
    for (uint32_t row = 0; row < v->index->orbit_count && !v->options->directory; row++)
        bytes += v->store.sections[row].length;
    return bytes;
}

/* As many groups as fit into memory, or one. In the first phase there is less memory from batch to batch, for the rows
 * that it stores; those of a group take less than the group, which is freed first. */
static uint32_t choose_batch(const struct verifier *v)
{
    const uint64_t left = v->groups - v->first_group, used = fixed_memory(v) + stored_rows(v);
    const uint64_t room = v->allowed > used ? v->allowed - used : 0;
    return (uint32_t)greater(1, lesser(left, room / group_memory(v)));
}

/* The bytes that checking the trap values takes, at first together with the rows of the store. */
static uint64_t trap_memory(const struct verifier *v, uint64_t stored)
{
    const struct nk_index *index = v->index;
    if (!nk_table_has_traps(v->table))
        return 0;
    /* The header counts the positions of an entry separately. */
    const double positions = (double)nk_table_summary(v->table)->draws;
    const uint64_t draws = (uint64_t)(positions * (double)index->entries / (double)index->placements);
    return greater(fixed_memory(v) + stored + nk_trap_check_adding_memory(index),
                   nk_trap_check_memory(index, draws));
}

uint64_t nk_verify_usual_memory(const struct nk_index *index)
{
    return index->entries + (64 << 20);
}

/* Chooses how much memory is used, and whether rows are packed. */
static enum nk_status plan(struct verifier *v, struct nk_error *error)
{
    const uint64_t entries = v->index->entries, allowed = v->options->memory;
    const uint64_t wanted = allowed ? allowed : nk_verify_usual_memory(v->index);
    v->is_packed = v->options->directory || wanted / 3 < entries;
    const uint64_t stored = v->groups * expected_rows(v), traps = trap_memory(v, stored);
    const uint64_t needed = greater(fixed_memory(v) + stored + group_memory(v), traps);
    if (allowed && allowed < needed)
        return nk_fail(error, NK_E_MEMORY, 0,
                       "verifying this table takes %llu MiB of memory, but %llu MiB are allowed%s",
                       (unsigned long long)(needed >> 20) + 1, (unsigned long long)allowed >> 20,
                       v->options->directory || needed == traps ? "" : "; with --checkpoint it takes less");
    v->allowed = greater(wanted, needed);
    return NK_OK;
}

/* Fills what follows from the board and the options. */
static void begin(struct verifier *v)
{
    const struct nk_index *index = v->index;
    const int pieces = index->rules.board.pieces, free_squares = index->rules.squares - pieces;
    v->kernel = nk_verify_find_kernel(0);
    v->threads = v->options->threads > 0 ? v->options->threads : nk_system_processors();
    v->groups = (index->orbit_count + LANES - 1) / LANES;
    v->neighbours = least(NEIGHBOURS, 1 + NEIGHBOURING_CODES / index->per_orbit);
    v->low_pieces = pieces / 2;
    v->low_sets = nk_index_sets(index, v->low_pieces);
    v->high_sets = nk_index_sets(index, pieces - v->low_pieces);
    /* The sums of terms that scatter_row computes for overlapping configurations are below this. */
    v->stride = 1;
    for (int p = 1; p <= pieces; p++)
        v->stride += index->choose[free_squares][p];
}

/* Processes the next batch of a phase. */
static enum nk_status do_batch(struct verifier *v, struct nk_error *error)
{
    enum nk_status status = NK_OK;
    v->first_group = (uint32_t)v->state[AT_ROWS] / LANES;
    v->group_count = choose_batch(v);
    for (uint32_t group = 0; !status && group < v->group_count; group++) {
        list_group(v, &v->batch[group]);
        if (!nk_memory_allocate(&v->batch[group].memory))
            status = nk_verify_no_memory(error);
    }
    if (!status)
        status = read_batch(v, error);
    if (!status)
        status = process_batch(v, error);
    for (uint32_t group = 0; group < v->group_count; group++)
        nk_memory_free(&v->batch[group].memory);
    return status;
}

/* Does what is left of both phases. */
static enum nk_status process_all(struct verifier *v, struct nk_error *error)
{
    enum nk_status status = NK_OK;
    for (; !status && v->state[AT_PHASE] < PHASES; v->state[AT_PHASE]++, v->state[AT_ROWS] = 0)
        while (!status && v->state[AT_ROWS] < v->index->orbit_count)
            status = do_batch(v, error);
    return status;
}

static enum kind kind_of(const struct nk_rules *rules, uint64_t configuration)
{
    const uint64_t neighbours = nk_rules_neighbours(rules, configuration) & ~configuration;
    if (nk_rules_won(rules, configuration))
        return WON;
    return __builtin_popcountll(neighbours) <= rules->board.pieces ? CRAMPED : USUAL;
}

/* Compares all values with each other, and counts them in the state. */
static enum nk_status verify_values(struct verifier *v, struct nk_error *error)
{
    const struct nk_index *index = v->index;
    for (uint32_t o = 0; o < index->orbit_count; o++) {
        const uint32_t *images = index->orbits[o].images;
        const enum kind kind = kind_of(&index->rules, index->squares[images[0]]);
        for (int g = 0; g < index->rules.symmetries; g++)
            v->kinds[images[g]] = (uint8_t)kind;
    }
    return process_all(v, error);
}

/* ---- trap values ---- */

/* Reads neighbouring rows once more, and the distances of their wins, for the check of trap values. */
static void add_traps(void *context, uint32_t item, int worker)
{
    const struct verifier *v = context;
    struct worker *w = &v->workers[worker];
    const uint32_t first = item * v->neighbours, end = least(first + v->neighbours, v->index->orbit_count);
    for (uint32_t row = first; row < end; row++) {
        if (!read_row(v, w, row, w->rows) || !read_stored_row(v, w, row, w->values))
            return;
        nk_trap_check_add(v->trap_check, row, w->rows, w->values);
    }
}

/* Compares the trap values. What was needed so far is freed as soon as it is not, since they take memory. */
static enum nk_status verify_traps(struct verifier *v, struct nk_error *error)
{
    const uint32_t items = (v->index->orbit_count + v->neighbours - 1) / v->neighbours;
    enum nk_status status = nk_trap_check_new(v->index, &v->trap_check, error);
    if (!status) {
        nk_parallel(v->threads, items, add_traps, v);
        status = first_failure(v, error);
    }
    nk_memory_free(&v->memory);
    nk_store_clear(&v->store);
    if (!status)
        status = nk_trap_check_run(v->trap_check, v->table, v->threads, error);
    nk_trap_check_free(v->trap_check);
    return status;
}

/* Opens the store, and continues from the state that a former run left there. */
static enum nk_status open_store(struct verifier *v, struct nk_error *error)
{
    const uint64_t rows = v->index->orbit_count, checksum = v->table->header.checksum;
    v->store = (struct nk_store){.directory = v->options->directory,
                                 .names = nk_verify_names,
                                 .number_count = STATE_NUMBERS,
                                 .section_count = rows};
    const enum nk_status status = nk_store_open(&v->store, error);
    if (status)
        return status;
    const bool has_state = v->store.found >= 0;
    v->state = v->store.numbers; /* zeros if there is none */
    if (has_state && v->state[AT_TABLE] != checksum)
        return nk_fail(error, NK_E_CORRUPT, 0,
                       NK_PATH
                       "/verify-state: the verification of another table, or of this one before it was "
                       "changed: remove it, or name another directory",
                       NK_PATH_OF(v->options->directory));
    const bool is_between_groups =
        v->state[AT_ROWS] % LANES == 0 ? v->state[AT_ROWS] <= rows : v->state[AT_ROWS] == rows;
    if (has_state && ((uint64_t)v->store.found != rows || v->state[AT_PHASE] >= PHASES || !is_between_groups))
        return nk_store_damaged(&v->store, NULL, error);
    v->state[AT_TABLE] = checksum;
    return nk_store_begin(&v->store, error);
}

enum nk_status nk_verify(struct nk_table *table, const struct nk_verify_options *options,
                         struct nk_verified *verified, struct nk_error *error)
{
    struct verifier v = {.table = table, .index = nk_table_index(table), .options = options};
    struct nk_verified found;
    enum nk_status status;
    begin(&v);
    if ((status = plan(&v, error)))
        return status;
    status = open_store(&v, error);
    if (!status)
        status = allocate_buffers(&v, error);
    if (!status)
        status = verify_values(&v, error);
    if (!status) {
        sum_up(&v, &found);
        status = nk_verify_counts(nk_table_summary(table), &found.summary, error);
    }
    if (!status && v.state[AT_CHECKSUM] != nk_table_codes_checksum(table))
        status =
            nk_fail(error, NK_E_CORRUPT, 0, "the table is wrong: the checksum of all codes does not match");
    if (!status && nk_table_has_traps(table))
        status = verify_traps(&v, error);
    nk_memory_free(&v.memory);
    nk_store_clear(&v.store);
    if (status)
        return status;
    nk_store_remove(&v.store);
    found.codes_checksum = nk_table_codes_checksum(table);
    *verified = found;
    return NK_OK;
}
