#include "solver/verify.h"

#include "common/table_format.h"
#include "common/parallel.h"
#include "solver/trap.h"
#include "solver/verify_moves.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <xxhash.h>

/* The longest distance with narrow scores: a win whose nearest loss has the greatest code below a draw. */
enum { NARROW_PLIES = 2 * (NARROW_DRAW - 1 - NK_CODE_LOSS) + 1 };

static void set_score(const struct nk_verifier *v, uint64_t entry, nk_score score)
{
    if (v->wide)
        __atomic_store_n(&v->wide[entry], (uint16_t)score, __ATOMIC_RELAXED);
    else
        __atomic_store_n(&v->narrow[entry], (uint8_t)score, __ATOMIC_RELAXED);
}

/* Converts the code of a loss to its score, and back. */
static nk_score mirror(const struct nk_verifier *v, int value)
{
    return (nk_score)(2 * v->draw + 1 - value);
}

static nk_score score_of_code(const struct nk_verifier *v, uint8_t code)
{
    return code == NK_CODE_WIN ? unmeasured_win : code == NK_CODE_DRAW ? v->draw : mirror(v, code);
}

static enum nk_status disagree(const struct nk_verifier *v, struct nk_position position, const char *why,
                               struct nk_error *error)
{
    char text[NK_POSITION_TEXT];
    nk_position_print(&v->index->rules, position, NK_BLACK, text);
    return nk_fail(error, NK_E_CORRUPT, 0, "the table is wrong: %s: %s", text, why);
}

/* ---- checking against the moves ---- */

/* The score of a position, from that of its best move. */
static nk_score backed_up(const struct nk_verifier *v, nk_score best)
{
    if (best == no_move || best == v->draw)
        return v->draw;
    return best > v->draw ? mirror(v, best) : mirror(v, best + 1);
}

/* Describes why a score that is not the backed up one is wrong. */
static const char *describe_disagreement(const struct nk_verifier *v, nk_score own, nk_score best)
{
    if (own == mirror(v, NK_CODE_LOSS))
        return "marked a loss of 0 plies, but not over";
    if (own == v->draw)
        return best > v->draw ? "marked a draw, but a move leads to a loss"
                              : "marked a draw, but no move leads to a draw";
    return best == no_move || best >= v->draw
               ? "marked a loss, but not every move leads to a win"
               : "marked a loss in another number of plies than its moves lead to";
}

/* Processes the entries of an orbit. The first time measures the wins: computes their scores from their moves. The
 * second time (`is_measured`) compares the scores of all positions with their moves and counts them. */
static enum nk_status process_orbit(const struct nk_verifier *v, uint32_t orbit, bool is_measured,
                                    struct verify_worker *w, struct nk_error *error)
{
    const struct nk_index *index = v->index;
    const uint32_t configuration = index->orbits[orbit].images[0], weight = index->orbits[orbit].size;
    const uint64_t other = v->squares[configuration];
    const bool is_over = v->won[configuration];
    uint64_t entry = (uint64_t)orbit * index->per_orbit;
    if (is_over)
        memset(w->best, 0, index->per_orbit * sizeof *w->best);
    else
        best_moves(v, orbit, w);
    const nk_score *next_best = w->best;
    for (uint32_t r = 0; r < index->configurations; r++) {
        const struct nk_position position = {v->squares[r], other};
        if (position.mover & other)
            continue;
        const nk_score own = nk_verify_score(v, entry), best = *next_best++;
        if (v->won[r]) {
            if (own != unmeasured_win)
                return disagree(v, position, "illegal, as the mover has already won, but has a value", error);
        } else if (!is_measured) {
            if (own == unmeasured_win && best <= v->draw)
                return disagree(v, position, "marked a win, but no move leads to a loss", error);
            if (own == unmeasured_win)
                set_score(v, entry, backed_up(v, best));
        } else if (is_over && own != mirror(v, NK_CODE_LOSS)) {
            return disagree(v, position, "over, but not marked a loss of 0 plies", error);
        } else if (!is_over && own != backed_up(v, best)) {
            return disagree(v, position, describe_disagreement(v, own, best), error);
        } else {
            w->count[own] += weight;
            w->stalemates += best == no_move && !is_over ? weight : 0;
        }
        entry++;
    }
    return NK_OK;
}

/* Skips orbits after one with a disagreement: only the lowest counts. */
static void process_as_worker(const struct nk_verifier *v, uint32_t orbit, int number, bool is_measured)
{
    struct verify_worker *worker = &v->workers[number];
    struct nk_error error;
    if (orbit < worker->wrong_orbit && process_orbit(v, orbit, is_measured, worker, &error)) {
        worker->wrong_orbit = orbit;
        worker->error = error;
    }
}

static void measure_orbit(void *context, uint32_t orbit, int number)
{
    process_as_worker(context, orbit, number, false);
}

static void check_orbit(void *context, uint32_t orbit, int number)
{
    process_as_worker(context, orbit, number, true);
}

/* Processes all orbits. Returns the disagreement in the lowest one, which does not depend on the threads. */
static enum nk_status process_all(struct nk_verifier *v, nk_work *work, struct nk_error *error)
{
    const struct verify_worker *first = &v->workers[0];
    nk_parallel(v->threads, v->index->orbit_count, work, v);
    for (int w = 1; w < v->threads; w++)
        if (v->workers[w].wrong_orbit < first->wrong_orbit)
            first = &v->workers[w];
    return first->wrong_orbit == UINT32_MAX ? NK_OK
                                            : nk_fail(error, NK_E_CORRUPT, 0, "%s", first->error.text);
}

/* ---- comparing with the header and the traps ---- */

/* Adds up the counts of the threads. */
static void sum_up(const struct nk_verifier *v, struct nk_verified *found)
{
    struct nk_summary *summary = &found->summary;
    memset(found, 0, sizeof *found);
    for (int w = 0; w < v->threads; w++) {
        const uint64_t *count = v->workers[w].count;
        for (int code = NK_CODE_LOSS; code < v->draw; code++) {
            const uint64_t losses = count[mirror(v, code)], wins = count[code];
            const int plies = 2 * (code - NK_CODE_LOSS);
            found->by_distance[plies] += losses;
            found->by_distance[plies + 1] += wins;
            summary->losses += losses;
            summary->wins += wins;
        }
        summary->draws += count[v->draw];
        summary->stalemates += v->workers[w].stalemates;
    }
    summary->placements = v->index->placements;
    summary->legal = summary->wins + summary->losses + summary->draws;
    for (uint32_t plies = 0; plies <= NK_MAX_PLIES; plies++)
        if (found->by_distance[plies])
            summary->longest = plies;
}

/* Opening a table has already checked the number of placements. */
static enum nk_status compare_counts(const struct nk_summary *header, const struct nk_summary *found,
                                     struct nk_error *error)
{
    const struct {
        const char *name;
        uint64_t found, header;
    } counts[] = {
        {"legal positions", found->legal, header->legal},
        {"wins", found->wins, header->wins},
        {"losses", found->losses, header->losses},
        {"draws", found->draws, header->draws},
        {"draws without a move", found->stalemates, header->stalemates},
        {"plies at most", found->longest, header->longest},
    };
    for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++)
        if (counts[i].found != counts[i].header)
            return nk_fail(error, NK_E_CORRUPT, 0, "the table is wrong: %s: %llu in its header, counted %llu",
                           counts[i].name, (unsigned long long)counts[i].header,
                           (unsigned long long)counts[i].found);
    return NK_OK;
}

/* Recomputes the trap values, if there are any, from the codes. The codes overwrite the scores to save memory. */
static enum nk_status compare_traps(const struct nk_verifier *v, struct nk_table *table,
                                    struct nk_error *error)
{
    const uint64_t entries = v->index->entries;
    uint8_t *codes = v->wide ? (uint8_t *)v->wide : v->narrow, *expected, *traps = NULL;
    uint64_t draw = 0, draws;
    enum nk_status status;
    if (!nk_table_has_traps(table))
        return NK_OK;
    if ((status = nk_table_codes(table, 0, entries, codes, error)))
        return status;
    if (nk_traps(v->index, codes, v->threads, NULL, &expected))
        return nk_fail(error, NK_E_MEMORY, 0, "out of memory for the traps");
    if (!expected)
        return nk_fail(error, NK_E_CORRUPT, 0,
                       "the table is wrong: it has trap values, but the board has none");
    draws = nk_count_draws(codes, entries);
    assert(draws); /* otherwise `expected` is NULL */
    traps = malloc(draws);
    status = traps ? nk_table_traps(table, traps, error)
                   : nk_fail(error, NK_E_MEMORY, 0, "out of memory for the traps");
    for (uint64_t entry = 0; !status && entry < entries; entry++)
        if (codes[entry] == NK_CODE_DRAW && traps[draw] != expected[draw])
            status = disagree(v, nk_index_position(v->index, entry),
                              "the trap value does not follow from the table", error);
        else
            draw += codes[entry] == NK_CODE_DRAW;
    free(traps);
    free(expected);
    return status;
}

/* ---- reading ---- */

/* Reads all codes and stores them as scores. */
static enum nk_status read_codes(const struct nk_verifier *v, struct nk_table *table, struct nk_error *error)
{
    enum { BATCH = 1 << 14 };
    uint8_t codes[BATCH];
    XXH3_state_t *hash = XXH3_createState();
    enum nk_status status = NK_OK;
    if (!hash)
        return nk_fail(error, NK_E_MEMORY, 0, "out of memory");
    (void)XXH3_64bits_reset(hash);
    for (uint64_t first = 0; !status && first < v->index->entries; first += BATCH) {
        const uint64_t left = v->index->entries - first;
        const size_t count = left < BATCH ? (size_t)left : BATCH;
        status = nk_table_codes(table, first, count, codes, error);
        for (size_t i = 0; !status && i < count; i++) {
            if (codes[i] < v->draw)
                set_score(v, first + i, score_of_code(v, codes[i]));
            else
                status =
                    disagree(v, nk_index_position(v->index, first + i),
                             "marked a loss in more plies than the longest distance in the header", error);
        }
        (void)XXH3_64bits_update(hash, codes, count);
    }
    if (!status && XXH3_64bits_digest(hash) != nk_table_codes_checksum(table))
        status =
            nk_fail(error, NK_E_CORRUPT, 0, "the table is wrong: the checksum of all codes does not agree");
    (void)XXH3_freeState(hash);
    return status;
}

/* Allocates memory for random access. Huge pages, since with small ones most time would go into page translation. */
static void *alloc_huge_pages(uint64_t bytes)
{
    const size_t page = 2 << 20;
    if (bytes > SIZE_MAX - page) /* on a machine with 32-bit addresses */
        return NULL;
    const size_t whole = (size_t)((bytes + page - 1) / page * page);
    void *memory = aligned_alloc(page, whole);
    if (memory)
        (void)madvise(memory, whole, MADV_HUGEPAGE);
    return memory;
}

static bool allocate(struct nk_verifier *v)
{
    const struct nk_index *index = v->index;
    const size_t per_orbit = (size_t)index->per_orbit + 1;
    if (v->draw == WIDE_DRAW)
        v->wide = alloc_huge_pages(index->entries * sizeof *v->wide);
    else
        v->narrow = alloc_huge_pages(index->entries);
    v->squares = malloc(index->configurations * sizeof *v->squares);
    v->won = malloc(index->configurations);
    v->place = malloc((size_t)index->orbit_count * (size_t)index->rules.squares);
    v->workers = calloc((size_t)v->threads, sizeof *v->workers);
    if ((!v->wide && !v->narrow) || !v->squares || !v->won || !v->place || !v->workers)
        return false;
    for (int w = 0; w < v->threads; w++) {
        struct verify_worker *worker = &v->workers[w];
        worker->wrong_orbit = UINT32_MAX;
        worker->after = calloc(per_orbit, sizeof *worker->after);
        worker->best = calloc(per_orbit, sizeof *worker->best);
        if (!worker->after || !worker->best)
            return false;
    }
    return true;
}

static void free_all(struct nk_verifier *v)
{
    for (int w = 0; v->workers && w < v->threads; w++) {
        free(v->workers[w].after);
        free(v->workers[w].best);
    }
    free(v->narrow);
    free(v->wide);
    free(v->squares);
    free(v->won);
    free(v->place);
    free(v->workers);
}

static void fill_configurations(struct nk_verifier *v)
{
    const struct nk_index *index = v->index;
    const struct nk_rules *rules = &index->rules;
    uint64_t squares = nk_bit(rules->pieces) - 1;
    for (uint32_t r = 0; r < index->configurations; r++, squares = nk_index_next(squares)) {
        v->squares[r] = squares;
        v->won[r] = nk_rules_won(rules, squares);
    }
    uint8_t *place = v->place;
    for (uint32_t orbit = 0; orbit < index->orbit_count; orbit++) {
        uint8_t free_squares = 0;
        for (int s = 0; s < rules->squares; s++) {
            *place++ = free_squares;
            if (!(v->squares[index->orbits[orbit].images[0]] & nk_bit(s)))
                free_squares++;
        }
    }
}

enum nk_status nk_verify(struct nk_table *table, int threads, struct nk_verified *verified,
                         struct nk_error *error)
{
    const struct nk_index *index = nk_table_index(table);
    const struct nk_summary *header = nk_table_summary(table);
    struct nk_verifier v = {.index = index,
                            .draw = header->longest <= NARROW_PLIES ? NARROW_DRAW : WIDE_DRAW,
                            .free = index->rules.squares - index->rules.pieces,
                            .threads = threads > 0 ? threads : nk_processors()};
    struct nk_verified found;
    enum nk_status status;
    if (!allocate(&v)) {
        status = nk_fail(error, NK_E_MEMORY, 0, "out of memory: the verifier needs more than %llu bytes",
                         (unsigned long long)(index->entries * (v.draw == WIDE_DRAW ? 2 : 1)));
        goto done;
    }
    fill_configurations(&v);
    if ((status = read_codes(&v, table, error)) || (status = process_all(&v, measure_orbit, error)) ||
        (status = process_all(&v, check_orbit, error)))
        goto done;
    sum_up(&v, &found);
    if ((status = compare_counts(header, &found.summary, error)) ||
        (status = compare_traps(&v, table, error)))
        goto done;
    *verified = found;
done:
    free_all(&v);
    return status;
}
