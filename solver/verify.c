#include "solver/verify.h"

#include "common/notation.h"
#include "common/parallel.h"
#include "solver/trap.h"

#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

/* What a thread has counted, and the first disagreement it met. */
struct worker {
    struct nk_verified found;
    uint32_t wrong_class; /* UINT32_MAX while there is none */
    struct nk_error error;
};

struct verifier {
    const struct nk_index *index;
    uint8_t *codes;   /* [entries] as the table has them */
    uint8_t *nearest; /* [entries] of a win: the code of the nearest loss a move leads to */
    uint8_t *won;     /* [arrangements] whether a side that stands so has won */
    struct worker *workers;
    int threads;
};

/* What the moves of a position lead to. */
struct replies {
    int moves, losses, draws, wins;
    uint8_t nearest_loss; /* code */
    uint8_t farthest_win; /* code of the nearest loss that this win leads to */
};

static enum nk_status disagree(const struct verifier *v, struct nk_position position, const char *why,
                               struct nk_error *error)
{
    char text[NK_POSITION_TEXT];
    nk_position_print(&v->index->rules, position, NK_BLACK, text);
    return nk_fail(error, NK_E_CORRUPT, 0, "the table is wrong: %s: %s", text, why);
}

static void look_ahead(const struct verifier *v, struct nk_position position, struct replies *replies)
{
    struct nk_move moves[NK_MAX_MOVES];
    *replies = (struct replies){.nearest_loss = UINT8_MAX};
    replies->moves = nk_position_moves(&v->index->rules, position, moves);
    for (int m = 0; m < replies->moves; m++) {
        const uint64_t entry = nk_index_entry(v->index, nk_position_after(position, moves[m]));
        const uint8_t code = v->codes[entry];
        if (code == NK_CODE_DRAW) {
            replies->draws++;
        } else if (code == NK_CODE_WIN) {
            replies->wins++;
            if (v->nearest[entry] > replies->farthest_win)
                replies->farthest_win = v->nearest[entry];
        } else {
            replies->losses++;
            if (code < replies->nearest_loss)
                replies->nearest_loss = code;
        }
    }
}

/* Notes for a won position how near its win is. */
static enum nk_status measure_win(const struct verifier *v, struct nk_position position, uint64_t entry,
                                  struct nk_error *error)
{
    struct replies replies;
    if (v->codes[entry] != NK_CODE_WIN)
        return NK_OK;
    look_ahead(v, position, &replies);
    if (!replies.losses)
        return disagree(v, position, "marked a win, but no move leads to a loss", error);
    v->nearest[entry] = replies.nearest_loss;
    return NK_OK;
}

static enum nk_status check(const struct verifier *v, struct nk_position position, uint64_t entry,
                            uint32_t weight, struct nk_verified *found, struct nk_error *error)
{
    struct replies replies;
    const uint8_t code = v->codes[entry];
    const bool over = v->won[nk_index_rank(v->index, position.other)];
    int plies = 0;
    look_ahead(v, position, &replies);
    if (code >= NK_CODE_LOSS) {
        plies = 2 * (code - NK_CODE_LOSS);
        if (over != (plies == 0))
            return disagree(v, position,
                            over ? "over, but not marked a loss of 0 plies"
                                 : "marked a loss of 0 plies, but not over",
                            error);
        if (!over && (replies.wins == 0 || replies.wins < replies.moves))
            return disagree(v, position, "marked a loss, but not every move leads to a win", error);
        if (!over && replies.farthest_win + 1 != code)
            return disagree(v, position, "marked a loss in another number of plies than its moves say",
                            error);
        found->summary.losses += weight;
    } else if (over) {
        return disagree(v, position, "over, but not marked a loss of 0 plies", error);
    } else if (code == NK_CODE_DRAW) {
        if (replies.losses)
            return disagree(v, position, "marked a draw, but a move leads to a loss", error);
        if (replies.moves && !replies.draws)
            return disagree(v, position, "marked a draw, but no move leads to a draw", error);
        found->summary.draws += weight;
        found->summary.stuck += replies.moves ? 0 : weight;
        return NK_OK;
    } else {
        /* measure_win has found the nearest loss, so there is one. */
        plies = 2 * (v->nearest[entry] - NK_CODE_LOSS) + 1;
        found->summary.wins += weight;
    }
    found->by_distance[plies] += weight;
    if ((uint32_t)plies > found->summary.longest)
        found->summary.longest = (uint32_t)plies;
    return NK_OK;
}

/* Goes through the entries of a class. */
static enum nk_status go_through(const struct verifier *v, uint32_t class, bool measured,
                                 struct nk_verified *found, struct nk_error *error)
{
    const struct nk_index *index = v->index;
    uint64_t entry = (uint64_t) class * index->per_class;
    struct nk_position position = {nk_bit(index->rules.pieces) - 1,
                                   nk_index_unrank(index, index->classes[class].images[0])};
    for (uint32_t r = 0; r < index->arrangements; r++, position.mover = nk_index_next(position.mover)) {
        if (position.mover & position.other)
            continue;
        enum nk_status status = NK_OK;
        if (v->won[r]) {
            if (v->codes[entry] != NK_CODE_WIN)
                status = disagree(v, position,
                                  "the mover has already won, which is no position, but has a value", error);
        } else if (!measured) {
            status = measure_win(v, position, entry, error);
        } else {
            status = check(v, position, entry, index->classes[class].size, found, error);
        }
        if (status)
            return status;
        entry++;
    }
    return NK_OK;
}

static void go_through_as(const struct verifier *v, uint32_t class, int number, bool measured)
{
    struct worker *worker = &v->workers[number];
    struct nk_error error;
    if (class < worker->wrong_class && go_through(v, class, measured, &worker->found, &error)) {
        worker->wrong_class = class;
        worker->error = error;
    }
}

static void measure_class(void *context, uint32_t class, int number)
{
    go_through_as(context, class, number, false);
}

static void check_class(void *context, uint32_t class, int number)
{
    go_through_as(context, class, number, true);
}

/* Goes through every entry, first to measure the wins, then to check; the disagreement in the lowest class
 * counts. */
static enum nk_status go_through_all(struct verifier *v, nk_work *work, struct nk_error *error)
{
    const struct worker *first = &v->workers[0];
    nk_parallel(v->threads, v->index->class_count, work, v);
    for (int w = 1; w < v->threads; w++)
        if (v->workers[w].wrong_class < first->wrong_class)
            first = &v->workers[w];
    return first->wrong_class == UINT32_MAX ? NK_OK
                                            : nk_fail(error, NK_E_CORRUPT, 0, "%s", first->error.text);
}

static enum nk_status compare_counts(const struct verifier *v, const struct nk_summary *header,
                                     struct nk_summary *found, struct nk_error *error)
{
    found->placements = v->index->placements;
    found->legal = found->wins + found->losses + found->draws;
    const struct {
        const char *name;
        uint64_t found, header;
    } counts[] = {
        {"placements", found->placements, header->placements},
        {"legal positions", found->legal, header->legal},
        {"wins", found->wins, header->wins},
        {"losses", found->losses, header->losses},
        {"draws", found->draws, header->draws},
        {"draws without a move", found->stuck, header->stuck},
        {"plies at most", found->longest, header->longest},
    };
    for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++)
        if (counts[i].found != counts[i].header)
            return nk_fail(error, NK_E_CORRUPT, 0, "the table is wrong: its header says %u %s, counted %u",
                           (unsigned long long)counts[i].header, counts[i].name,
                           (unsigned long long)counts[i].found);
    return NK_OK;
}

/* The trap values, where there are any, follow from the codes. */
static enum nk_status compare_traps(const struct verifier *v, struct nk_table *table, struct nk_error *error)
{
    uint8_t *traps;
    uint64_t draw = 0;
    enum nk_status status = NK_OK;
    if (!nk_table_has_traps(table))
        return NK_OK;
    if (nk_traps(v->index, v->codes, v->threads, &traps))
        return nk_fail(error, NK_E_MEMORY, 0, "out of memory for the traps");
    if (!traps)
        return nk_fail(error, NK_E_CORRUPT, 0, "the table is wrong: it holds traps for a board without");
    for (uint64_t entry = 0; !status && entry < v->index->entries; entry++) {
        const struct nk_position position = nk_index_position(v->index, entry);
        uint8_t trap;
        if (v->codes[entry] != NK_CODE_DRAW)
            continue;
        if (!(status = nk_table_trap(table, position, &trap, error)) && trap != traps[draw])
            status = disagree(v, position, "the trap value does not follow from the table", error);
        draw++;
    }
    free(traps);
    return status;
}

enum nk_status nk_verify(struct nk_table *table, int threads, struct nk_verified *verified,
                         struct nk_error *error)
{
    const struct nk_index *index = nk_table_index(table);
    struct verifier v = {.index = index,
                         .codes = malloc(index->entries),
                         .nearest = calloc(index->entries, 1),
                         .won = malloc(index->arrangements),
                         .threads = threads > 0 ? threads : nk_processors()};
    v.workers = calloc((size_t)v.threads, sizeof *v.workers);
    enum nk_status status = NK_OK;
    if (!v.codes || !v.nearest || !v.won || !v.workers) {
        status = nk_fail(error, NK_E_MEMORY, 0, "out of memory: the verifier needs %u bytes",
                         (unsigned long long)(2 * index->entries + index->arrangements));
        goto done;
    }
    for (int w = 0; w < v.threads; w++)
        v.workers[w].wrong_class = UINT32_MAX;
    for (uint64_t entry = 0; entry < index->entries; entry++)
        if ((status = nk_table_code(table, entry, &v.codes[entry], error)))
            goto done;
    uint64_t squares = nk_bit(index->rules.pieces) - 1;
    for (uint32_t r = 0; r < index->arrangements; r++, squares = nk_index_next(squares))
        v.won[r] = nk_rules_won(&index->rules, squares);
    if (XXH3_64bits(v.codes, index->entries) != nk_table_codes_checksum(table)) {
        status =
            nk_fail(error, NK_E_CORRUPT, 0, "the table is wrong: the checksum of all codes does not agree");
        goto done;
    }
    if ((status = go_through_all(&v, measure_class, error)) ||
        (status = go_through_all(&v, check_class, error)))
        goto done;

    struct nk_verified sum = {0};
    for (int w = 0; w < v.threads; w++) {
        const struct nk_verified *found = &v.workers[w].found;
        sum.summary.wins += found->summary.wins;
        sum.summary.losses += found->summary.losses;
        sum.summary.draws += found->summary.draws;
        sum.summary.stuck += found->summary.stuck;
        if (found->summary.longest > sum.summary.longest)
            sum.summary.longest = found->summary.longest;
        for (int plies = 0; plies <= NK_MAX_PLIES; plies++)
            sum.by_distance[plies] += found->by_distance[plies];
    }
    if ((status = compare_counts(&v, nk_table_summary(table), &sum.summary, error)) ||
        (status = compare_traps(&v, table, error)))
        goto done;
    *verified = sum;
done:
    free(v.codes);
    free(v.nearest);
    free(v.won);
    free(v.workers);
    return status;
}
