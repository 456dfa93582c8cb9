#include "solver/verify.h"

#include "common/notation.h"
#include "solver/trap.h"

#include <stdlib.h>
#include <string.h>

struct verifier {
    const struct nk_index *index;
    uint8_t *codes;   /* [entries] as the table has them */
    uint8_t *nearest; /* [entries] of a win: the code of the nearest loss a move leads to */
    uint8_t *won;     /* [arrangements] whether a side that stands so has won */
    struct nk_verified *found;
    struct nk_error *error;
};

/* What the moves of a position lead to. */
struct replies {
    int moves, losses, draws, wins;
    uint8_t nearest_loss; /* code */
    uint8_t farthest_win; /* code of the nearest loss that this win leads to */
};

static enum nk_status disagree(const struct verifier *v, struct nk_position position, const char *why)
{
    char text[NK_POSITION_TEXT];
    nk_position_print(&v->index->rules, position, NK_BLACK, text);
    return nk_fail(v->error, NK_E_CORRUPT, 0, "the table is wrong: %s: %s", text, why);
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
static enum nk_status measure_win(struct verifier *v, struct nk_position position, uint64_t entry)
{
    struct replies replies;
    if (v->codes[entry] != NK_CODE_WIN)
        return NK_OK;
    look_ahead(v, position, &replies);
    if (!replies.losses)
        return disagree(v, position, "marked a win, but no move leads to a loss");
    v->nearest[entry] = replies.nearest_loss;
    return NK_OK;
}

static enum nk_status check(struct verifier *v, struct nk_position position, uint64_t entry, uint32_t weight)
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
                                 : "marked a loss of 0 plies, but not over");
        if (!over && (replies.wins == 0 || replies.wins < replies.moves))
            return disagree(v, position, "marked a loss, but not every move leads to a win");
        if (!over && replies.farthest_win + 1 != code)
            return disagree(v, position, "marked a loss in another number of plies than its moves say");
        v->found->summary.losses += weight;
    } else if (over) {
        return disagree(v, position, "over, but not marked a loss of 0 plies");
    } else if (code == NK_CODE_DRAW) {
        if (replies.losses)
            return disagree(v, position, "marked a draw, but a move leads to a loss");
        if (replies.moves && !replies.draws)
            return disagree(v, position, "marked a draw, but no move leads to a draw");
        v->found->summary.draws += weight;
        v->found->summary.stuck += replies.moves ? 0 : weight;
        return NK_OK;
    } else {
        /* measure_win has found the nearest loss, so there is one. */
        plies = 2 * (v->nearest[entry] - NK_CODE_LOSS) + 1;
        v->found->summary.wins += weight;
    }
    v->found->by_distance[plies] += weight;
    if ((uint32_t)plies > v->found->summary.longest)
        v->found->summary.longest = (uint32_t)plies;
    return NK_OK;
}

/* Goes through every entry: first to measure the wins, then to check. */
static enum nk_status go_through(struct verifier *v, bool measured)
{
    const struct nk_index *index = v->index;
    uint64_t entry = 0;
    for (uint32_t c = 0; c < index->class_count; c++) {
        struct nk_position position = {0, nk_index_unrank(index, index->classes[c].images[0])};
        position.mover = nk_bit(index->rules.pieces) - 1;
        for (uint32_t r = 0; r < index->arrangements; r++, position.mover = nk_index_next(position.mover)) {
            if (position.mover & position.other)
                continue;
            enum nk_status status = NK_OK;
            if (v->won[r]) {
                if (v->codes[entry] != NK_CODE_WIN)
                    status = disagree(v, position,
                                      "the mover has already won, which is no position, but has a value");
            } else if (!measured) {
                status = measure_win(v, position, entry);
            } else {
                status = check(v, position, entry, index->classes[c].size);
            }
            if (status)
                return status;
            entry++;
        }
    }
    return NK_OK;
}

static enum nk_status compare_counts(struct verifier *v, const struct nk_summary *header)
{
    struct nk_summary *found = &v->found->summary;
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
            return nk_fail(v->error, NK_E_CORRUPT, 0, "the table is wrong: its header says %u %s, counted %u",
                           (unsigned long long)counts[i].header, counts[i].name,
                           (unsigned long long)counts[i].found);
    return NK_OK;
}

/* The trap values, where there are any, follow from the codes. */
static enum nk_status compare_traps(const struct verifier *v, struct nk_table *table)
{
    uint8_t *traps;
    uint64_t draw = 0;
    enum nk_status status = NK_OK;
    if (!nk_table_has_traps(table))
        return NK_OK;
    if (nk_traps(v->index, v->codes, &traps))
        return nk_fail(v->error, NK_E_MEMORY, 0, "out of memory for the traps");
    if (!traps)
        return nk_fail(v->error, NK_E_CORRUPT, 0, "the table is wrong: it holds traps for a board without");
    for (uint64_t entry = 0; !status && entry < v->index->entries; entry++) {
        const struct nk_position position = nk_index_position(v->index, entry);
        uint8_t trap;
        if (v->codes[entry] != NK_CODE_DRAW)
            continue;
        /* Some entries no look-up uses; they are equal to those it does use. */
        if (!(status = nk_table_trap(table, position, &trap, v->error)) &&
            nk_index_entry(v->index, position) == entry && trap != traps[draw])
            status = disagree(v, position, "the trap value does not follow from the table");
        draw++;
    }
    free(traps);
    return status;
}

enum nk_status nk_verify(struct nk_table *table, struct nk_verified *verified, struct nk_error *error)
{
    const struct nk_index *index = nk_table_index(table);
    struct verifier v = {
        index, malloc(index->entries), calloc(index->entries, 1), malloc(index->arrangements), verified,
        error};
    enum nk_status status = NK_OK;
    if (!v.codes || !v.nearest || !v.won) {
        status = nk_fail(error, NK_E_MEMORY, 0, "out of memory: the verifier needs %u bytes",
                         (unsigned long long)(2 * index->entries + index->arrangements));
        goto done;
    }
    memset(verified, 0, sizeof *verified);
    for (uint64_t entry = 0; entry < index->entries; entry++)
        if ((status = nk_table_code(table, entry, &v.codes[entry], error)))
            goto done;
    uint64_t squares = nk_bit(index->rules.pieces) - 1;
    for (uint32_t r = 0; r < index->arrangements; r++, squares = nk_index_next(squares))
        v.won[r] = nk_rules_won(&index->rules, squares);
    if ((status = go_through(&v, false)) || (status = go_through(&v, true)))
        goto done;
    if (!(status = compare_counts(&v, nk_table_summary(table))))
        status = compare_traps(&v, table);
done:
    free(v.codes);
    free(v.nearest);
    free(v.won);
    return status;
}
