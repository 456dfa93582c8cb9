#include "solver/verify.h"

#include "common/format.h"
#include "common/notation.h"
#include "common/parallel.h"
#include "solver/trap.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <xxhash.h>

/* What a position is worth to the side that moves into it, more for better:
 *   no_move
 *   win         the mover wins, it is not known yet how soon
 *   2, 3, ...   the mover wins, and this is the code of the nearest loss that it can move into
 *   draw
 *   ...         the mover loses: 2 * draw + 1 - code
 * So a position's best move is the one of the greatest worth. All codes are below `draw`. */
typedef int16_t worth;
static const worth no_move = 0, win = 1;
enum { NARROW_DRAW = 1 << 7, WIDE_DRAW = 1 << 8, WORTHS = 2 * WIDE_DRAW };

/* The longest distance of a table whose worths fit into bytes: a win into a loss of the greatest code. */
enum { NARROW_PLIES = 2 * (NARROW_DRAW - 1 - NK_CODE_LOSS) + 1 };

/* As many groups (all of a side's pieces but one, which slides) are treated at once. */
enum { LANES = 32 };

struct lanes {
    worth of[LANES];
};

/* What a thread counts, the first disagreement it met, and the orbit it is at. The pieces that wait stand as
 * the representative; squares are numbered among those they leave free, the mover's configurations by these.
 */
struct worker {
    uint64_t count[WORTHS]; /* legal positions of this worth */
    uint64_t stalemates;
    uint32_t wrong_class; /* UINT32_MAX while there is none */
    struct nk_error error;

    uint8_t next[NK_DIRECTIONS][NK_MAX_SQUARES]; /* the neighbour that way; `free` where none is free */
    worth *after; /* [per_orbit + 1] the worth of moving into this configuration */
    worth *best;  /* [per_orbit + 1] of the moves from it; both end with one that does not exist */
    uint32_t configuration[LANES][NK_MAX_SQUARES]; /* the group's with its last piece there */
    struct lanes here[NK_MAX_SQUARES];             /* the worth of the slider's stopping there */
    struct lanes stop[NK_MAX_SQUARES + 1]; /* of its sliding on from there or, if it cannot, stopping */
    struct lanes reach[NK_MAX_SQUARES];    /* of its best slide from there */
};

struct verifier {
    const struct nk_index *index;
    uint8_t *narrow;   /* [entries] worths; or else */
    uint16_t *wide;    /* [entries] */
    worth draw;        /* its worth */
    int free;          /* squares beside an configuration */
    uint64_t *squares; /* [configurations] */
    uint8_t *won;      /* [configurations] whether a side that stands so has won */
    uint8_t *place;    /* [orbit_count][squares] the number of a square among those that the orbit's
                          representative leaves free */
    struct worker *workers;
    int threads;
};

/* A win may be read while another thread measures it: either worth is below a draw's, and nobody looks closer
 * before all are measured. */
static worth get(const struct verifier *v, uint64_t entry)
{
    return v->wide ? (worth)__atomic_load_n(&v->wide[entry], __ATOMIC_RELAXED)
                   : (worth)__atomic_load_n(&v->narrow[entry], __ATOMIC_RELAXED);
}

static void ask_for(const struct verifier *v, uint64_t entry)
{
    if (v->wide)
        __builtin_prefetch(&v->wide[entry]);
    else
        __builtin_prefetch(&v->narrow[entry]);
}

static void put(const struct verifier *v, uint64_t entry, worth value)
{
    if (v->wide)
        __atomic_store_n(&v->wide[entry], (uint16_t)value, __ATOMIC_RELAXED);
    else
        __atomic_store_n(&v->narrow[entry], (uint8_t)value, __ATOMIC_RELAXED);
}

/* From the code of a loss to its worth, and back. */
static worth mirrored(const struct verifier *v, int value)
{
    return (worth)(2 * v->draw + 1 - value);
}

static worth worth_of_code(const struct verifier *v, uint8_t code)
{
    return code == NK_CODE_WIN ? win : code == NK_CODE_DRAW ? v->draw : mirrored(v, code);
}

static enum nk_status disagree(const struct verifier *v, struct nk_position position, const char *why,
                               struct nk_error *error)
{
    char text[NK_POSITION_TEXT];
    nk_position_print(&v->index->rules, position, NK_BLACK, text);
    return nk_fail(error, NK_E_CORRUPT, 0, "the table is wrong: %s: %s", text, why);
}

/* ---- what the moves of all positions of a orbit lead to ---- */

/* Looks up every position that a move can lead to: the turn is then with the pieces of `waiting`, against any
 * configuration of the side that has moved. They lie all over the table, so many are asked for at once. */
static void look_up(const struct verifier *v, uint64_t waiting, worth *after)
{
    enum { AT_ONCE = 64 };
    const struct nk_index *index = v->index;
    const int pieces = index->rules.pieces;
    uint8_t turned[NK_SYMMETRIES][NK_MAX_PIECES];
    uint64_t entries[AT_ONCE];
    for (int g = 0; g < index->rules.symmetries; g++) {
        uint64_t image = nk_rules_image(&index->rules, g, waiting);
        for (int p = 0; p < pieces; p++, image &= image - 1)
            turned[g][p] = (uint8_t)nk_first(image);
    }
    for (uint32_t r = 0; r < index->configurations;) {
        int asked = 0;
        for (; r < index->configurations && asked < AT_ONCE; r++) {
            if (v->squares[r] & waiting)
                continue;
            const uint32_t orbit = index->orbit_of[r];
            const uint8_t *place = v->place + (size_t)orbit * (size_t)index->rules.squares;
            uint64_t entry = (uint64_t)orbit * index->per_orbit;
            for (int p = 0; p < pieces; p++)
                entry += index->choose[place[turned[index->to_canonical[r]][p]]][p + 1];
            ask_for(v, entry);
            entries[asked++] = entry;
        }
        for (int i = 0; i < asked; i++)
            *after++ = get(v, entries[i]);
    }
}

static void fill_next(const struct verifier *v, uint64_t waiting, struct worker *w)
{
    const struct nk_rules *rules = &v->index->rules;
    uint8_t number[NK_MAX_SQUARES], count = 0;
    for (int s = 0; s < rules->squares; s++)
        number[s] = waiting & nk_bit(s) ? (uint8_t)v->free : count++;
    for (int d = 0; d < NK_DIRECTIONS; d++)
        for (int s = 0; s < rules->squares; s++) {
            const int on = rules->next[d][s];
            if (number[s] < v->free)
                w->next[d][number[s]] = on == NK_NO_SQUARE ? (uint8_t)v->free : number[on];
        }
}

/* Numbers the configurations of a group and a slider on each square. */
static void number_group(const struct verifier *v, uint64_t group, uint32_t *configuration)
{
    const uint32_t(*choose)[NK_MAX_PIECES + 1] = v->index->choose;
    uint32_t rank = 0; /* of the pieces that stay, for a slider after the first `below` of them */
    int below = 0;
    for (uint64_t left = group; left; left &= left - 1)
        rank += choose[nk_first(left)][++below + 1];
    below = 0;
    for (int s = 0; s < v->free; s++) {
        const int end = group ? nk_first(group) : v->free;
        for (; s < end; s++)
            configuration[s] = rank + choose[s][below + 1];
        if (!group)
            break;
        configuration[s] = v->index->per_orbit;
        below++;
        rank += choose[s][below] - choose[s][below + 1];
        group &= group - 1;
    }
}

/* A piece slides on to where one beside it stops, unless that square is taken. */
static void slide_on(const struct lanes *restrict next, const struct lanes *restrict here,
                     struct lanes *restrict stop, struct lanes *restrict reach)
{
    for (int l = 0; l < LANES; l++) {
        const worth there = next->of[l];
        reach->of[l] = there > reach->of[l] ? there : reach->of[l];
        stop->of[l] = here->of[l] ? (there ? there : here->of[l]) : no_move;
    }
}

static void slide(const struct verifier *v, struct worker *w)
{
    memset(w->reach, 0, sizeof w->reach);
    for (int d = 0; d < NK_DIRECTIONS; d++) {
        /* The neighbour comes first. */
        const bool rising = d <= NK_EAST || d == NK_NORTH_WEST;
        for (int i = 0; i < v->free; i++) {
            const int s = rising ? v->free - 1 - i : i;
            slide_on(&w->stop[w->next[d][s]], &w->here[s], &w->stop[s], &w->reach[s]);
        }
    }
}

/* The best move of every configuration: each of its pieces slides while the others, a group, stay. */
static void find_best(const struct verifier *v, uint64_t waiting, struct worker *w)
{
    const struct nk_index *index = v->index;
    const int stay = index->rules.pieces - 1;
    const uint32_t groups = index->choose[v->free][stay];
    uint64_t group = nk_bit(stay) - 1;
    look_up(v, waiting, w->after);
    fill_next(v, waiting, w);
    memset(w->best, 0, index->per_orbit * sizeof *w->best);
    memset(&w->stop[v->free], 0, sizeof w->stop[v->free]);
    for (uint32_t done = 0; done < groups; done += LANES) {
        const int lanes = groups - done < LANES ? (int)(groups - done) : LANES;
        for (int l = 0; l < lanes; l++, group = nk_index_next(group)) {
            number_group(v, group, w->configuration[l]);
            for (int s = 0; s < v->free; s++)
                w->here[s].of[l] = w->after[w->configuration[l][s]];
        }
        slide(v, w);
        for (int l = 0; l < lanes; l++)
            for (int s = 0; s < v->free; s++) {
                worth *best = &w->best[w->configuration[l][s]];
                *best = w->reach[s].of[l] > *best ? w->reach[s].of[l] : *best;
            }
    }
}

/* ---- judging ---- */

/* What a position is worth whose best move is worth this. */
static worth answer(const struct verifier *v, worth best)
{
    if (best == no_move || best == v->draw)
        return v->draw;
    return best > v->draw ? mirrored(v, best) : mirrored(v, best + 1);
}

/* In words why a measured position is not worth what its moves say. */
static const char *fault(const struct verifier *v, worth own, worth best)
{
    if (own == mirrored(v, NK_CODE_LOSS))
        return "marked a loss of 0 plies, but not over";
    if (own == v->draw)
        return best > v->draw ? "marked a draw, but a move leads to a loss"
                              : "marked a draw, but no move leads to a draw";
    return best == no_move || best >= v->draw ? "marked a loss, but not every move leads to a win"
                                              : "marked a loss in another number of plies than its moves say";
}

/* Goes through the entries of a orbit: at first to note of the wins how near they are, then to check. */
static enum nk_status go_through(const struct verifier *v, uint32_t orbit, bool measured, struct worker *w,
                                 struct nk_error *error)
{
    const struct nk_index *index = v->index;
    const uint32_t number = index->orbits[orbit].images[0], weight = index->orbits[orbit].size;
    const uint64_t other = v->squares[number];
    const bool over = v->won[number];
    uint64_t entry = (uint64_t)orbit * index->per_orbit;
    if (over)
        memset(w->best, 0, index->per_orbit * sizeof *w->best);
    else
        find_best(v, other, w);
    const worth *next_best = w->best;
    for (uint32_t r = 0; r < index->configurations; r++) {
        const struct nk_position position = {v->squares[r], other};
        if (position.mover & other)
            continue;
        const worth own = get(v, entry), best = *next_best++;
        if (v->won[r]) {
            if (own != win)
                return disagree(v, position,
                                "the mover has already won, which is no position, but has a value", error);
        } else if (!measured) {
            if (own == win && best <= v->draw)
                return disagree(v, position, "marked a win, but no move leads to a loss", error);
            if (own == win)
                put(v, entry, answer(v, best));
        } else if (over && own != mirrored(v, NK_CODE_LOSS)) {
            return disagree(v, position, "over, but not marked a loss of 0 plies", error);
        } else if (!over && own != answer(v, best)) {
            return disagree(v, position, fault(v, own, best), error);
        } else {
            w->count[own] += weight;
            w->stalemates += best == no_move && !over ? weight : 0;
        }
        entry++;
    }
    return NK_OK;
}

static void go_through_as(const struct verifier *v, uint32_t orbit, int number, bool measured)
{
    struct worker *worker = &v->workers[number];
    struct nk_error error;
    if (orbit < worker->wrong_class && go_through(v, orbit, measured, worker, &error)) {
        worker->wrong_class = orbit;
        worker->error = error;
    }
}

static void measure_class(void *context, uint32_t orbit, int number)
{
    go_through_as(context, orbit, number, false);
}

static void check_class(void *context, uint32_t orbit, int number)
{
    go_through_as(context, orbit, number, true);
}

/* Goes through every entry, first to measure the wins, then to check; the disagreement in the lowest orbit
 * counts. */
static enum nk_status go_through_all(struct verifier *v, nk_work *work, struct nk_error *error)
{
    const struct worker *first = &v->workers[0];
    nk_parallel(v->threads, v->index->orbit_count, work, v);
    for (int w = 1; w < v->threads; w++)
        if (v->workers[w].wrong_class < first->wrong_class)
            first = &v->workers[w];
    return first->wrong_class == UINT32_MAX ? NK_OK
                                            : nk_fail(error, NK_E_CORRUPT, 0, "%s", first->error.text);
}

/* Adds up what the threads have counted. */
static void sum_up(const struct verifier *v, struct nk_verified *found)
{
    struct nk_summary *summary = &found->summary;
    memset(found, 0, sizeof *found);
    for (int w = 0; w < v->threads; w++) {
        const uint64_t *count = v->workers[w].count;
        for (int code = NK_CODE_LOSS; code < v->draw; code++) {
            const uint64_t losses = count[mirrored(v, code)], wins = count[code];
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

/* Those that only the codes tell; the placements are compared where a table is opened. */
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
            return nk_fail(
                error, NK_E_CORRUPT, 0, "the table is wrong: its header says %llu %s, counted %llu",
                (unsigned long long)counts[i].header, counts[i].name, (unsigned long long)counts[i].found);
    return NK_OK;
}

/* The trap values, where there are any, follow from the codes, which take the place of the worths. */
static enum nk_status compare_traps(const struct verifier *v, struct nk_table *table, struct nk_error *error)
{
    const uint64_t entries = v->index->entries;
    uint8_t *codes = v->wide ? (uint8_t *)v->wide : v->narrow, *expected, *traps = NULL;
    uint64_t draw = 0, draws;
    enum nk_status status;
    if (!nk_table_has_traps(table))
        return NK_OK;
    if ((status = nk_table_codes(table, 0, entries, codes, error)))
        return status;
    if (nk_traps(v->index, codes, v->threads, &expected))
        return nk_fail(error, NK_E_MEMORY, 0, "out of memory for the traps");
    if (!expected)
        return nk_fail(error, NK_E_CORRUPT, 0, "the table is wrong: it holds traps for a board without");
    draws = nk_count_draws(codes, entries);
    assert(draws); /* else there were no traps expected */
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

/* Reads all codes, as worths. */
static enum nk_status read_codes(const struct verifier *v, struct nk_table *table, struct nk_error *error)
{
    enum { AT_ONCE = 1 << 14 };
    uint8_t codes[AT_ONCE];
    XXH3_state_t *hash = XXH3_createState();
    enum nk_status status = NK_OK;
    if (!hash)
        return nk_fail(error, NK_E_MEMORY, 0, "out of memory");
    (void)XXH3_64bits_reset(hash);
    for (uint64_t first = 0; !status && first < v->index->entries; first += AT_ONCE) {
        const uint64_t left = v->index->entries - first;
        const size_t count = left < AT_ONCE ? (size_t)left : AT_ONCE;
        status = nk_table_codes(table, first, count, codes, error);
        for (size_t i = 0; !status && i < count; i++) {
            if (codes[i] < v->draw)
                put(v, first + i, worth_of_code(v, codes[i]));
            else
                status = disagree(v, nk_index_position(v->index, first + i),
                                  "marked a loss in more plies than the header says that any takes", error);
        }
        (void)XXH3_64bits_update(hash, codes, count);
    }
    if (!status && XXH3_64bits_digest(hash) != nk_table_codes_checksum(table))
        status =
            nk_fail(error, NK_E_CORRUPT, 0, "the table is wrong: the checksum of all codes does not agree");
    (void)XXH3_freeState(hash);
    return status;
}

/* Allocates what is then looked up all over: in small pages finding the page would take longest. */
static void *in_huge_pages(uint64_t bytes)
{
    const size_t page = 2 << 20;
    if (bytes > SIZE_MAX - page) /* where addresses have 32 bits */
        return NULL;
    const size_t whole = (size_t)((bytes + page - 1) / page * page);
    void *room = aligned_alloc(page, whole);
    if (room)
        (void)madvise(room, whole, MADV_HUGEPAGE);
    return room;
}

static bool make_room(struct verifier *v)
{
    const struct nk_index *index = v->index;
    const size_t per_orbit = (size_t)index->per_orbit + 1;
    if (v->draw == WIDE_DRAW)
        v->wide = in_huge_pages(index->entries * sizeof *v->wide);
    else
        v->narrow = in_huge_pages(index->entries);
    v->squares = malloc(index->configurations * sizeof *v->squares);
    v->won = malloc(index->configurations);
    v->place = malloc((size_t)index->orbit_count * (size_t)index->rules.squares);
    v->workers = calloc((size_t)v->threads, sizeof *v->workers);
    if ((!v->wide && !v->narrow) || !v->squares || !v->won || !v->place || !v->workers)
        return false;
    for (int w = 0; w < v->threads; w++) {
        struct worker *worker = &v->workers[w];
        worker->wrong_class = UINT32_MAX;
        worker->after = calloc(per_orbit, sizeof *worker->after);
        worker->best = calloc(per_orbit, sizeof *worker->best);
        if (!worker->after || !worker->best)
            return false;
    }
    return true;
}

static void free_room(struct verifier *v)
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

static void fill_arrangements(struct verifier *v)
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
    struct verifier v = {.index = index,
                         .draw = header->longest <= NARROW_PLIES ? NARROW_DRAW : WIDE_DRAW,
                         .free = index->rules.squares - index->rules.pieces,
                         .threads = threads > 0 ? threads : nk_processors()};
    struct nk_verified found;
    enum nk_status status;
    if (!make_room(&v)) {
        status = nk_fail(error, NK_E_MEMORY, 0, "out of memory: the verifier needs more than %llu bytes",
                         (unsigned long long)(index->entries * (v.draw == WIDE_DRAW ? 2 : 1)));
        goto done;
    }
    fill_arrangements(&v);
    if ((status = read_codes(&v, table, error)) || (status = go_through_all(&v, measure_class, error)) ||
        (status = go_through_all(&v, check_class, error)))
        goto done;
    sum_up(&v, &found);
    if ((status = compare_counts(header, &found.summary, error)) ||
        (status = compare_traps(&v, table, error)))
        goto done;
    *verified = found;
done:
    free_room(&v);
    return status;
}
