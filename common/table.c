#include "blocks.h"

#include <string.h>

const struct nk_rules *nk_table_rules(const struct nk_table *table)
{
    return &nk_table_head(table)->index->rules;
}

const struct nk_index *nk_table_index(const struct nk_table *table)
{
    return nk_table_head(table)->index;
}

const struct nk_summary *nk_table_summary(const struct nk_table *table)
{
    return &nk_table_head(table)->summary;
}

uint64_t nk_table_codes_checksum(const struct nk_table *table)
{
    return nk_get64(nk_table_head(table)->bytes + NK_AT_CODES);
}

bool nk_table_has_traps(const struct nk_table *table)
{
    return nk_head_has_traps(nk_table_head(table));
}

enum nk_status nk_table_trap(struct nk_table *table, struct nk_position position, uint8_t *trap,
                             struct nk_error *error)
{
    const struct nk_head *head = nk_table_head(table);
    const uint64_t entry = nk_index_entry(head->index, position);
    const uint32_t block = (uint32_t)(entry / NK_BLOCK_ENTRIES);
    const size_t place = entry % NK_BLOCK_ENTRIES;
    const uint8_t *codes = NULL, *traps = NULL;
    size_t length;
    enum nk_status status = nk_table_hold(table, block, nk_head_entries(head, block), &codes, error);
    if (status)
        return status;
    (void)nk_head_block(head, head->blocks + block, &length);
    if (codes[place] != NK_CODE_DRAW || !length) {
        *trap = 0;
    } else {
        const size_t draws = nk_count_draws(codes, nk_head_entries(head, block));
        status = nk_table_hold(table, head->blocks + block, draws, &traps, error);
        if (!status) {
            *trap = traps[nk_count_draws(codes, place)];
            nk_table_let_go(table, head->blocks + block);
        }
    }
    nk_table_let_go(table, block);
    return status;
}

/* ---- values ---- */

/* The distance of a win: one ply more than that of the successor that is lost soonest. */
static enum nk_status win_distance(struct nk_table *table, struct nk_position position, int *plies,
                                   struct nk_error *error)
{
    struct nk_move moves[NK_MAX_MOVES];
    const int count = nk_position_moves(nk_table_rules(table), position, moves);
    uint8_t least = UINT8_MAX;
    bool lost = false;
    for (int m = 0; m < count; m++) {
        uint8_t code;
        const uint64_t entry = nk_index_entry(nk_table_index(table), nk_position_after(position, moves[m]));
        const enum nk_status status = nk_table_code(table, entry, &code, error);
        if (status)
            return status;
        if (code >= NK_CODE_LOSS && code <= least) {
            least = code;
            lost = true;
        }
    }
    if (!lost)
        return nk_fail(error, NK_E_CORRUPT, 0, "damaged: a position is marked won that no move wins");
    *plies = 2 * (least - NK_CODE_LOSS) + 1;
    return NK_OK;
}

enum nk_status nk_table_value(struct nk_table *table, struct nk_position position, struct nk_value *value,
                              struct nk_error *error)
{
    uint8_t code;
    struct nk_value read = {NK_DRAW, 0};
    enum nk_status status =
        nk_table_code(table, nk_index_entry(nk_table_index(table), position), &code, error);
    if (status)
        return status;
    if (code >= NK_CODE_LOSS) {
        read.result = NK_LOSS;
        read.plies = 2 * (code - NK_CODE_LOSS);
    } else if (code == NK_CODE_WIN) {
        read.result = NK_WIN;
        if ((status = win_distance(table, position, &read.plies, error)))
            return status;
    }
    *value = read;
    return NK_OK;
}

bool nk_value_better(struct nk_value a, struct nk_value b)
{
    if (a.result != b.result)
        return a.result > b.result;
    return a.result == NK_WIN ? a.plies < b.plies : a.plies > b.plies;
}

void nk_move_values_insert(struct nk_move_value moves[], int count, struct nk_move move,
                           struct nk_value reply)
{
    const struct nk_value value = {(enum nk_result) - reply.result,
                                   reply.result == NK_DRAW ? 0 : reply.plies + 1};
    int at = count;
    for (; at > 0 && nk_value_better(value, moves[at - 1].value); at--)
        moves[at] = moves[at - 1];
    moves[at] = (struct nk_move_value){move, value};
}

int nk_move_values_find(const struct nk_move_value moves[], int count, struct nk_move move)
{
    int found = 0;
    while (found < count - 1 && !nk_move_equal(moves[found].move, move))
        found++;
    return found;
}

enum nk_status nk_table_moves(struct nk_table *table, struct nk_position position,
                              struct nk_move_value moves[NK_MAX_MOVES], int *count, struct nk_error *error)
{
    struct nk_move legal[NK_MAX_MOVES];
    const int n = nk_position_moves(nk_table_rules(table), position, legal);
    for (int m = 0; m < n; m++) {
        struct nk_value reply;
        const enum nk_status status =
            nk_table_value(table, nk_position_after(position, legal[m]), &reply, error);
        if (status)
            return status;
        nk_move_values_insert(moves, m, legal[m], reply);
    }
    *count = n;
    return NK_OK;
}

enum nk_status nk_table_codes(struct nk_table *table, uint64_t first, uint64_t count, uint8_t *codes,
                              struct nk_error *error)
{
    const struct nk_head *head = nk_table_head(table);
    while (count) {
        const uint32_t block = (uint32_t)(first / NK_BLOCK_ENTRIES);
        const size_t entries = nk_head_entries(head, block), place = first % NK_BLOCK_ENTRIES;
        const size_t length = count < entries - place ? (size_t)count : entries - place;
        const uint8_t *bytes = NULL;
        const enum nk_status status = nk_table_hold(table, block, entries, &bytes, error);
        if (status)
            return status;
        memcpy(codes, bytes + place, length);
        nk_table_let_go(table, block);
        first += length;
        codes += length;
        count -= length;
    }
    return NK_OK;
}

enum nk_status nk_table_traps(struct nk_table *table, uint8_t *traps, struct nk_error *error)
{
    const struct nk_head *head = nk_table_head(table);
    for (uint32_t block = 0; block < head->blocks; block++) {
        const size_t entries = nk_head_entries(head, block);
        const uint8_t *bytes = NULL;
        size_t length;
        enum nk_status status = nk_table_hold(table, block, entries, &bytes, error);
        if (status)
            return status;
        const size_t draws = nk_count_draws(bytes, entries);
        nk_table_let_go(table, block);
        (void)nk_head_block(head, head->blocks + block, &length);
        if (length) {
            if ((status = nk_table_hold(table, head->blocks + block, draws, &bytes, error)))
                return status;
            memcpy(traps, bytes, draws);
            nk_table_let_go(table, head->blocks + block);
        } else {
            memset(traps, 0, draws);
        }
        traps += draws;
    }
    return NK_OK;
}
