/* Where a game may begin: fair starts (see nk_fair_starts) and, for boards without a start, the one that is suggested.
 *
 * The entries of a table are in the order of the numbers of fair starts. In an entry with White to move, Black's
 * configuration is canonical, which is the first of its orbit; the orbits are in the order of these, and the entries of
 * an orbit in the order of White's configurations. Most entries are excluded by their codes, which are read in
 * sequence. */

#include "common/table/table.h"

#include <assert.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* ---- fair starts ---- */

enum {
    MIN_DRAWS = 2,           /* moves of each side that keep the draw */
    MAX_TRAP_DIFFERENCE = 16 /* of 256: imperfect players fail about as often with either side */
};

/* A search for all fair starts or, up to it, for one. */
struct fair_search {
    struct nk_table *table;
    const struct nk_index *index;
    uint64_t number;           /* of the one, or 0 for all */
    struct nk_fair_list *list; /* found so far, of all; the count is below */
    size_t bytes;              /* that there is room for */
    struct nk_position last;   /* that was found */
    uint64_t count;            /* found so far */
};

/* Whether the one that is sought has been found. */
static bool is_done(const struct fair_search *search)
{
    return search->number && search->count == search->number;
}

static enum nk_status keep(struct fair_search *search, struct nk_position position, struct nk_error *error)
{
    const size_t bytes = sizeof *search->list + ((size_t)search->count + 1) * sizeof *search->list->starts;
    if (!search->number && !nk_grow(&search->list, &search->bytes, bytes, 1))
        return nk_fail_memory(error);
    if (!search->number)
        search->list->starts[search->count] = position;
    search->last = position;
    search->count++;
    return NK_OK;
}

static enum nk_status is_drawn(const struct fair_search *search, struct nk_position position, bool *drawn,
                               struct nk_error *error)
{
    uint8_t code = NK_CODE_DRAW;
    const enum nk_status status =
        nk_table_code(search->table, nk_index_entry(search->index, position), &code, error);
    *drawn = code == NK_CODE_DRAW;
    return status;
}

/* Whether the side to move has at least MIN_DRAWS moves to drawn positions. */
static enum nk_status has_draws(const struct fair_search *search, struct nk_position position, bool *has,
                                struct nk_error *error)
{
    struct nk_move moves[NK_MAX_MOVES];
    const int count = nk_position_moves(&search->index->rules, position, moves);
    int draws = 0;
    for (int m = 0; m < count && draws < MIN_DRAWS; m++) {
        bool drawn;
        const enum nk_status status = is_drawn(search, nk_position_after(position, moves[m]), &drawn, error);
        if (status)
            return status;
        draws += drawn;
    }
    *has = draws == MIN_DRAWS;
    return NK_OK;
}

/* Whether the trap values of the two sides differ by at most MAX_TRAP_DIFFERENCE. */
static enum nk_status has_close_traps(const struct fair_search *search, struct nk_position position,
                                      struct nk_position exchanged, bool *has, struct nk_error *error)
{
    uint8_t trap, other_trap;
    enum nk_status status = nk_table_trap(search->table, position, &trap, error);
    if (!status)
        status = nk_table_trap(search->table, exchanged, &other_trap, error);
    if (!status)
        *has = abs(trap - other_trap) <= MAX_TRAP_DIFFERENCE;
    return status;
}

/* Whether a placement that is drawn with White to move is a fair start. `position` has Black to move. The cheapest
 * conditions come first. */
static enum nk_status is_fair(const struct fair_search *search, struct nk_position position, bool *fair,
                              struct nk_error *error)
{
    const struct nk_position exchanged = {position.other, position.mover};
    enum nk_status status = NK_OK;
    *fair = nk_position_is_unique(&search->index->rules, position);
    if (*fair)
        status = is_drawn(search, position, fair, error);
    if (!status && *fair)
        status = has_draws(search, position, fair, error);
    if (!status && *fair)
        status = has_draws(search, exchanged, fair, error);
    if (!status && *fair)
        status = has_close_traps(search, position, exchanged, fair, error);
    return status;
}

/* Finds the fair starts among entries whose codes have been read. In them, White is to move. */
static enum nk_status find_among(struct fair_search *search, uint64_t first, const uint8_t codes[],
                                 size_t count, struct nk_error *error)
{
    const uint8_t *code = codes, *const end = codes + count;
    for (; (code = memchr(code, NK_CODE_DRAW, (size_t)(end - code))); code++) {
        const struct nk_position white = nk_index_position(search->index, first + (uint64_t)(code - codes));
        const struct nk_position black = {white.other, white.mover};
        bool fair;
        enum nk_status status = is_fair(search, black, &fair, error);
        if (!status && fair)
            status = keep(search, black, error);
        if (status || is_done(search))
            return status;
    }
    return NK_OK;
}

static enum nk_status find_starts(struct fair_search *search, struct nk_error *error)
{
    struct nk_table *table = search->table;
    uint8_t unpacked[NK_BLOCK_ENTRIES];
    if (nk_table_summary(table)->draws && !table->has_traps)
        return nk_fail(error, NK_E_UNSUPPORTED, 0,
                       "the table has no trap values, by which fair starts are chosen: use one that "
                       "neutreeko-solve wrote without --no-traps");
    for (uint32_t block = 0; block < table->block_count; block++) {
        const uint8_t *codes = NULL;
        enum nk_status status = nk_table_block_codes(table, block, unpacked, &codes, error);
        if (!status)
            status = find_among(search, (uint64_t)block * NK_BLOCK_ENTRIES, codes,
                                nk_table_block_entries(table, block), error);
        if (status || is_done(search))
            return status;
    }
    return NK_OK;
}

/* Lists all fair starts, which the table keeps: the search takes as long as thousands of other positions. Of threads
 * that search at the same time, the first to end provides the list. */
static enum nk_status list_starts(struct nk_table *table, const struct nk_fair_list **list,
                                  struct nk_error *error)
{
    struct fair_search search = {.table = table, .index = table->index};
    struct nk_fair_list *present = atomic_load_explicit(&table->fair, memory_order_acquire);
    enum nk_status status = NK_OK;
    if (!present) {
        status = find_starts(&search, error);
        if (!status && !search.list && !(search.list = malloc(sizeof *search.list)))
            status = nk_fail_memory(error);
        if (!status)
            search.list->count = search.count;
        if (!status && atomic_compare_exchange_strong_explicit(&table->fair, &present, search.list,
                                                               memory_order_acq_rel, memory_order_acquire))
            present = search.list;
        else
            free(search.list);
    }
    *list = present;
    return status;
}

enum nk_status nk_fair_starts(struct nk_table *table, struct nk_position **starts, uint64_t *count,
                              struct nk_error *error)
{
    assert(table && starts && count);
    const struct nk_fair_list *list;
    const enum nk_status status = list_starts(table, &list, error);
    if (status)
        return status;
    const size_t bytes = (size_t)list->count * sizeof *list->starts;
    struct nk_position *const copy = malloc(bytes + 1);
    if (!copy)
        return nk_fail_memory(error);
    memcpy(copy, list->starts, bytes);
    *starts = copy;
    *count = list->count;
    return NK_OK;
}

/* Finds a fair start, and the number of those up to it. Of a large table, the others are not listed for this. */
static enum nk_status find_start(struct nk_table *table, uint64_t number, struct nk_position *position,
                                 uint64_t *count, struct nk_error *error)
{
    struct fair_search search = {.table = table, .index = table->index, .number = number};
    const struct nk_fair_list *list;
    if (nk_table_is_large(table) && !atomic_load_explicit(&table->fair, memory_order_acquire)) {
        const enum nk_status status = find_starts(&search, error);
        *position = search.last;
        *count = search.count;
        return status;
    }
    const enum nk_status status = list_starts(table, &list, error);
    if (status)
        return status;
    *count = list->count;
    if (number <= list->count)
        *position = list->starts[number - 1];
    return NK_OK;
}

enum nk_status nk_fair_start(struct nk_table *table, uint64_t number, struct nk_position *position,
                             struct nk_error *error)
{
    assert(table && position);
    struct nk_position found;
    uint64_t count;
    if (!number)
        return nk_fail(error, NK_E_POSITION, 0, "fair start 0: they are numbered from 1");
    const enum nk_status status = find_start(table, number, &found, &count, error);
    if (status)
        return status;
    if (!count)
        return nk_fail(error, NK_E_POSITION, 0, "this board has no fair starts");
    if (count < number)
        return nk_fail(error, NK_E_POSITION, 0,
                       "the fair starts of this board are numbered from 1 to %" PRIu64, count);
    *position = found;
    return NK_OK;
}

/* ---- the suggested start ---- */

/* The most positions to look up: codes, of which each needs a block of the table, and then values, which need the block
 * of each move. */
enum { MAX_CODES = 1000, MAX_VALUES = 100 };

/* The positions in which White's pieces are the image of Black's; `symmetric`: only those of Black that are equal to
 * their own reflection from file to file. Configurations with their pieces on the lowest ranks come first. */
struct candidates {
    const struct nk_index *index;
    bool symmetric;
    uint32_t next; /* configuration of Black's pieces */
};

/* Sets *position to the next one in which a game can begin. Returns false if there is none. */
static bool next_candidate(struct candidates *candidates, struct nk_position *position)
{
    const struct nk_index *index = candidates->index;
    const struct nk_rules *rules = &index->rules;
    struct nk_move moves[NK_MAX_MOVES];
    while (candidates->next < index->configurations) {
        const uint64_t black = index->squares[candidates->next++];
        const uint64_t white =
            nk_rules_image(rules, NK_MIRROR_RANKS | (candidates->symmetric ? 0 : NK_MIRROR_FILES), black);
        *position = (struct nk_position){black, white};
        /* White has won where Black has, because a reflection changes no winning condition. */
        if ((!candidates->symmetric || nk_rules_image(rules, NK_MIRROR_FILES, black) == black) &&
            !(black & white) && !nk_rules_won(rules, black) && nk_position_moves(rules, *position, moves))
            return true;
    }
    return false;
}

bool nk_any_legal_start(const struct nk_index *index, struct nk_position *position)
{
    struct candidates symmetric = {index, true, 0}, others = {index, false, 0};
    return next_candidate(&symmetric, position) || next_candidate(&others, position);
}

enum { DRAWN = NK_MAX_PLIES + 1 }; /* as the distance of a draw, which is better than any win or loss */

/* Sets *plies to DRAWN for a draw. Otherwise sets it to the distance or, if only draws are wanted (`draws`), to -1:
 * then a single code of the table is enough. */
static enum nk_status measure(struct nk_table *table, struct nk_position position, bool draws, int *plies,
                              struct nk_error *error)
{
    uint8_t code = NK_CODE_WIN;
    struct nk_value value = {NK_DRAW, -1};
    const enum nk_status status =
        draws ? nk_table_code(table, nk_index_entry(table->index, position), &code, error)
              : nk_table_value(table, position, &value, error);
    *plies = code == NK_CODE_DRAW ? DRAWN : value.plies;
    return status;
}

/* Looks for a better candidate than *best, the distance of which is *plies: for a draw, or for the one that is won or
 * lost last. */
static enum nk_status find(struct nk_table *table, bool symmetric, bool draws, struct nk_position *best,
                           int *plies, struct nk_error *error)
{
    struct candidates candidates = {table->index, symmetric, 0};
    struct nk_position position;
    const int most = draws ? MAX_CODES : MAX_VALUES;
    for (int n = 0; n < most && *plies != DRAWN && next_candidate(&candidates, &position); n++) {
        int found;
        const enum nk_status status = measure(table, position, draws, &found, error);
        if (status)
            return status;
        if (found > *plies) {
            *best = position;
            *plies = found;
        }
    }
    return NK_OK;
}

enum nk_status nk_suggested_start(struct nk_table *table, struct nk_position *position,
                                  struct nk_error *error)
{
    assert(table && position);
    struct nk_position best;
    int plies = -1;
    if (nk_rules_start(nk_table_rules(table), position))
        return NK_OK;
    if (!nk_any_legal_start(table->index, &best))
        return nk_fail(error, NK_E_POSITION, 0, "this board has no start position: specify a position");
    enum nk_status status = NK_OK;
    for (int round = 0; round < 4 && !status; round++)
        status = find(table, round % 2 == 0, round < 2, &best, &plies, error);
    if (!status)
        *position = best;
    return status;
}
