/* Looking up codes, trap values, values and moves in an open table. */

#include "common/table/table.h"

#include <assert.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

/* ---- illegal positions ----
 *
 * An illegal position in which the side to move has already won has an entry, with the code of a win; all other illegal
 * positions have none. So only in a position that the table has as a win, the pieces have to be checked for winning
 * lines. */

static enum nk_status wrong_win(const struct nk_table *table, struct nk_error *error)
{
    return nk_table_fail(table, NK_E_CORRUPT, "damaged: a position is marked as won, but no move wins",
                         error);
}

/* Records why a position has no value: it is illegal, or the table is wrong. */
static enum nk_status no_value(const struct nk_table *table, struct nk_position position,
                               struct nk_error *error)
{
    struct nk_error why;
    const enum nk_status status = nk_position_check_sides(&table->index->rules, position, &why);
    return status ? nk_fail(error, status, 0, "illegal position: %s", why.text) : wrong_win(table, error);
}

/* ---- codes and traps ---- */

/* Has a reader read a block, unless it was the last one. */
static enum nk_status go_to_block(struct nk_table *table, struct nk_code_reader *reader, uint32_t block,
                                  struct nk_error *error)
{
    if (reader->block == block + 1)
        return NK_OK;
    reader->block = 0;
    reader->codes = reader->unpacked;
    const enum nk_status status =
        table->cache ? nk_table_read_codes(table, block, reader->unpacked, error)
                     : nk_table_block_codes(table, block, reader->unpacked, &reader->codes, error);
    if (!status)
        reader->block = block + 1;
    return status;
}

enum nk_status nk_table_codes(struct nk_table *table, struct nk_code_reader *reader, uint64_t first,
                              uint64_t count, uint8_t *codes, struct nk_error *error)
{
    while (count) {
        const uint32_t block = (uint32_t)(first / NK_BLOCK_ENTRIES);
        const size_t place = first % NK_BLOCK_ENTRIES, left = nk_table_block_entries(table, block) - place;
        const size_t length = count < left ? (size_t)count : left;
        const enum nk_status status = go_to_block(table, reader, block, error);
        if (status)
            return status;
        memcpy(codes, reader->codes + place, length);
        first += length;
        codes += length;
        count -= length;
    }
    return NK_OK;
}

enum nk_status nk_table_trap(struct nk_table *table, struct nk_position position, uint8_t *trap,
                             struct nk_error *error)
{
    assert(table && trap);
    const struct nk_rules *rules = &table->index->rules;
    if (!nk_position_is_placement(rules, position))
        return no_value(table, position, error);
    const uint64_t entry = nk_index_entry(table->index, position);
    const uint32_t block = (uint32_t)(entry / NK_BLOCK_ENTRIES);
    const size_t place = entry % NK_BLOCK_ENTRIES;
    uint8_t unpacked[NK_BLOCK_ENTRIES];
    const uint8_t *codes = NULL;
    const enum nk_status status = nk_table_block_codes(table, block, unpacked, &codes, error);
    if (status)
        return status;
    const uint8_t code = codes[place];
    if (code == NK_CODE_WIN && nk_rules_won(rules, position.mover))
        return no_value(table, position, error);
    if (code == NK_CODE_DRAW)
        return nk_table_block_traps(table, block, nk_count_draws(codes, place), 1, trap, error);
    *trap = 0;
    return NK_OK;
}

/* ---- values in memory ----
 *
 * The value of an entry is in 16 bits: 4 * plies + result + 1. A win in 0 plies is the mark of a placement in which the
 * side to move has already won and, while a table is loaded, of a win whose distance has not been computed yet. */

enum { NO_DISTANCE = NK_WIN + 1 }; /* the mark: pack_value(NK_WIN, 0) */

static uint16_t pack_value(enum nk_result result, int plies)
{
    return (uint16_t)(4 * plies + result + 1);
}

static struct nk_value unpack_value(uint16_t packed)
{
    return (struct nk_value){(enum nk_result)(packed % 4 - 1), packed / 4};
}

static struct nk_value value_of_code(uint8_t code)
{
    if (code >= NK_CODE_LOSS)
        return (struct nk_value){NK_LOSS, nk_code_to_loss(code)};
    return (struct nk_value){code == NK_CODE_DRAW ? NK_DRAW : NK_WIN, 0};
}

/* Uncompresses and checks all codes, and sets the values of their entries but the distances of the wins. */
static enum nk_status load_codes(struct nk_table *table, uint16_t *values, XXH3_state_t *hash,
                                 struct nk_error *error)
{
    uint8_t unpacked[NK_BLOCK_ENTRIES];
    uint16_t packed[UINT8_MAX + 1];
    for (int code = 0; code <= UINT8_MAX; code++) {
        const struct nk_value value = value_of_code((uint8_t)code);
        packed[code] = pack_value(value.result, value.plies);
    }
    for (uint32_t block = 0; block < table->block_count; block++) {
        const uint8_t *codes = NULL;
        const enum nk_status status = nk_table_block_codes(table, block, unpacked, &codes, error);
        if (status)
            return status;
        const size_t entries = nk_table_block_entries(table, block);
        (void)XXH3_64bits_update(hash, codes, entries);
        for (size_t i = 0; i < entries; i++)
            *values++ = packed[codes[i]];
    }
    return NK_OK;
}

/* Uncompresses and checks all trap values. */
static enum nk_status check_traps(struct nk_table *table, struct nk_error *error)
{
    enum nk_status status = NK_OK;
    uint8_t none;
    for (uint32_t block = 0; !status && block < table->block_count; block++)
        status = nk_table_block_traps(table, block, 0, 0, &none, error);
    return status;
}

/* Computes the distances of the wins against a canonical configuration, `waiting`: of all entries of an orbit.
 * Every move leads to a position in which `waiting` is to move, so there are few of these; each that is lost
 * gives its predecessors a win. won[] has whether each configuration wins; wins[] has room for as many. */
static enum nk_status measure_wins(const struct nk_table *table, uint16_t *values, uint32_t orbit,
                                   const bool *won, uint16_t *wins, struct nk_error *error)
{
    const struct nk_index *index = table->index;
    const struct nk_rules *rules = &index->rules;
    struct nk_move moves[NK_MAX_REVERSE_MOVES];
    const uint64_t waiting = nk_index_canonical_squares(index, orbit);
    uint64_t entry = (uint64_t)orbit * index->per_orbit;
    if (nk_rules_won(rules, waiting))
        return NK_OK;
    for (uint32_t c = 0; c < index->configurations; c++)
        wins[c] = UINT16_MAX;
    for (uint32_t c = 0; c < index->configurations; c++) {
        if (index->squares[c] & waiting)
            continue;
        const struct nk_position after = {waiting, index->squares[c]};
        const struct nk_value value = unpack_value(values[nk_index_entry(index, after)]);
        const uint16_t win = pack_value(NK_WIN, value.plies + 1);
        /* The value of an illegal position does not matter. */
        const int count = value.result == NK_LOSS ? nk_position_reverse_slides(rules, after, moves) : 0;
        for (int m = 0; m < count; m++) {
            const uint64_t before = nk_position_before(after, moves[m]).mover;
            uint16_t *shortest = &wins[nk_index_number(index, before)];
            *shortest = *shortest < win ? *shortest : win;
        }
    }
    for (uint32_t c = 0; c < index->configurations; c++) {
        if (index->squares[c] & waiting)
            continue;
        /* NOLINTNEXTLINE(clang-analyzer-core.UndefinedBinaryOperatorResult): all blocks have been read. */
        if (values[entry] == NO_DISTANCE && !won[c]) {
            if (wins[c] == UINT16_MAX)
                return wrong_win(table, error);
            values[entry] = wins[c];
        }
        entry++;
    }
    return NK_OK;
}

/* What a load uses. */
struct loading {
    uint16_t *values; /* as those of the table, to which they are given in the end */
    uint16_t *wins;   /* scratch */
    bool *won;        /* [configurations] whether they win */
    XXH3_state_t *hash;
};

static enum nk_status load(struct nk_table *table, const struct loading *loading, struct nk_error *error)
{
    enum nk_status status;
    if (!loading->values || !loading->wins || !loading->won || !loading->hash)
        return nk_fail_memory(error);
    nk_index_fill_won(table->index, loading->won);
    (void)XXH3_64bits_reset(loading->hash);
    if ((status = load_codes(table, loading->values, loading->hash, error)) ||
        (status = check_traps(table, error)))
        return status;
    if (XXH3_64bits_digest(loading->hash) != table->codes_checksum)
        return nk_table_fail(table, NK_E_CORRUPT, "damaged: the checksum of the codes does not match", error);
    for (uint32_t orbit = 0; !status && orbit < table->index->orbit_count; orbit++)
        status = measure_wins(table, loading->values, orbit, loading->won, loading->wins, error);
    return status;
}

enum nk_status nk_table_load(struct nk_table *table, struct nk_error *error)
{
    assert(table);
    const struct nk_index *index = table->index;
    const uint64_t bytes = index->entries * sizeof(uint16_t);
    uint16_t *present = NULL;
    if (atomic_load_explicit(&table->values, memory_order_acquire))
        return NK_OK;
    const struct loading loading = {/* More than can be addressed is more than there is. */
                                    .values = bytes == (uint64_t)(size_t)bytes ? malloc((size_t)bytes) : NULL,
                                    .wins = malloc(index->configurations * sizeof *loading.wins),
                                    .won = malloc(index->configurations * sizeof *loading.won),
                                    .hash = XXH3_createState()};
    const enum nk_status status = load(table, &loading, error);
    free(loading.wins);
    free(loading.won);
    (void)XXH3_freeState(loading.hash);
    /* If another thread has loaded the table in the meantime, its values stay. */
    if (status || !atomic_compare_exchange_strong_explicit(&table->values, &present, loading.values,
                                                           memory_order_acq_rel, memory_order_acquire))
        free(loading.values);
    return status;
}

/* ---- values and moves ---- */

/* The distance of a win: one ply more than that of the successor that is lost soonest. */
static enum nk_status win_distance(struct nk_table *table, struct nk_position position, int *plies,
                                   struct nk_error *error)
{
    struct nk_move moves[NK_MAX_MOVES];
    const int count = nk_position_moves(&table->index->rules, position, moves);
    int shortest = INT_MAX;
    for (int m = 0; m < count; m++) {
        uint8_t code;
        const uint64_t entry = nk_index_entry(table->index, nk_position_after(position, moves[m]));
        const enum nk_status status = nk_table_code(table, entry, &code, error);
        if (status)
            return status;
        if (code >= NK_CODE_LOSS && code < shortest)
            shortest = code;
    }
    if (shortest == INT_MAX)
        return wrong_win(table, error);
    *plies = nk_code_to_loss(shortest) + 1;
    return NK_OK;
}

enum nk_status nk_table_value(struct nk_table *table, struct nk_position position, struct nk_value *value,
                              struct nk_error *error)
{
    assert(table && value);
    uint8_t code;
    const struct nk_rules *rules = &table->index->rules;
    if (!nk_position_is_placement(rules, position))
        return no_value(table, position, error);
    const uint64_t entry = nk_index_entry(table->index, position);
    const uint16_t *values = atomic_load_explicit(&table->values, memory_order_acquire);
    if (values) {
        if (values[entry] == NO_DISTANCE)
            return no_value(table, position, error);
        *value = unpack_value(values[entry]);
        return NK_OK;
    }
    enum nk_status status = nk_table_code(table, entry, &code, error);
    if (status)
        return status;
    if (code == NK_CODE_WIN && nk_rules_won(rules, position.mover))
        return no_value(table, position, error);
    struct nk_value found = value_of_code(code);
    if (found.result == NK_WIN && (status = win_distance(table, position, &found.plies, error)))
        return status;
    *value = found;
    return NK_OK;
}

bool nk_value_better(struct nk_value a, struct nk_value b)
{
    if (a.result != b.result)
        return a.result > b.result;
    return a.result == NK_WIN ? a.plies < b.plies : a.plies > b.plies;
}

void nk_move_values_insert(struct nk_move_value moves[], int count, struct nk_move move,
                           struct nk_value value)
{
    int at = count;
    for (; at > 0 && nk_value_better(value, moves[at - 1].value); at--)
        moves[at] = moves[at - 1];
    moves[at] = (struct nk_move_value){move, value};
}

/* The value of a move to the side that makes it, given the value of the position after it to the opponent. */
static struct nk_value value_of_move(struct nk_value reply)
{
    return (struct nk_value){(enum nk_result) - reply.result, reply.result == NK_DRAW ? 0 : reply.plies + 1};
}

/* Inserts the moves with the values in memory. All of them are requested before the first is used: the waits for
 * memory, which take most of the time, then overlap. */
static void insert_loaded_moves(const struct nk_index *index, const uint16_t *values,
                                struct nk_position position, const struct nk_move legal[], int count,
                                struct nk_move_value moves[])
{
    const uint16_t *replies[NK_MAX_MOVES];
    for (int m = 0; m < count; m++) {
        replies[m] = &values[nk_index_entry(index, nk_position_after(position, legal[m]))];
        __builtin_prefetch(replies[m]);
    }
    for (int m = 0; m < count; m++)
        nk_move_values_insert(moves, m, legal[m], value_of_move(unpack_value(*replies[m])));
}

enum nk_status nk_table_moves(struct nk_table *table, struct nk_position position,
                              struct nk_move_value moves[NK_MAX_MOVES], int *count, struct nk_error *error)
{
    assert(table && moves && count);
    const struct nk_rules *rules = &table->index->rules;
    struct nk_move legal[NK_MAX_MOVES];
    struct nk_move_value found[NK_MAX_MOVES];                /* of moves that may be looked up in vain */
    const int n = nk_position_moves(rules, position, legal); /* 0 for what is not a placement */
    if (nk_rules_won(rules, position.mover) || (!n && !nk_position_is_placement(rules, position)))
        return no_value(table, position, error);
    const uint16_t *values = atomic_load_explicit(&table->values, memory_order_acquire);
    if (values) {
        insert_loaded_moves(table->index, values, position, legal, n, moves);
        *count = n;
        return NK_OK;
    }
    for (int m = 0; m < n; m++) {
        struct nk_value reply = {NK_DRAW, 0};
        const enum nk_status status =
            nk_table_value(table, nk_position_after(position, legal[m]), &reply, error);
        if (status)
            return status;
        nk_move_values_insert(found, m, legal[m], value_of_move(reply));
    }
    memcpy(moves, found, (size_t)n * sizeof *moves);
    *count = n;
    return NK_OK;
}

/* ---- lists of all positions, for exports and for other languages ---- */

uint32_t nk_table_configurations(const struct nk_table *table)
{
    assert(table);
    return table->index->configurations;
}

/* Sets *best to the best moves, in the bits of nk_listed_position.best. */
static enum nk_status find_best(struct nk_table *table, struct nk_position position, uint64_t *best,
                                struct nk_error *error)
{
    struct nk_move_value moves[NK_MAX_MOVES];
    int count = 0;
    const enum nk_status status = nk_table_moves(table, position, moves, &count, error);
    *best = 0;
    for (int m = 0; !status && m < count && !nk_value_better(moves[0].value, moves[m].value); m++) {
        const struct nk_move move = moves[m].move;
        const int piece = __builtin_popcountll(position.mover & (nk_bit(move.from) - 1));
        *best |= nk_bit(NK_DIRECTIONS * piece + nk_move_direction(&table->index->rules, move));
    }
    return status;
}

/* The symmetries, except the identity, that map the side to move to itself. */
struct fixing {
    int symmetries[NK_SYMMETRIES], count;
    bool is_unique; /* no symmetry maps it to a configuration before it */
};

static struct fixing fixing_of(const struct nk_rules *rules, uint64_t mover)
{
    struct fixing fixing = {.is_unique = true};
    for (int g = 1; g < rules->symmetries; g++) {
        const uint64_t image = nk_rules_image(rules, g, mover);
        if (image == mover)
            fixing.symmetries[fixing.count++] = g;
        fixing.is_unique = fixing.is_unique && image >= mover;
    }
    return fixing;
}

/* Sets listed->symmetric. Returns whether no symmetric position comes before this one. */
static bool count_symmetric(const struct nk_rules *rules, const struct fixing *fixing,
                            struct nk_listed_position *listed)
{
    uint32_t same = 1; /* the identity */
    bool is_unique = fixing->is_unique;
    for (int i = 0; i < fixing->count; i++) {
        const uint64_t image = nk_rules_image(rules, fixing->symmetries[i], listed->position.other);
        same += image == listed->position.other;
        is_unique = is_unique && image >= listed->position.other;
    }
    listed->symmetric = (uint32_t)rules->symmetries / same;
    return is_unique;
}

/* Whether positions with this result are listed. */
static bool is_wanted(unsigned flags, enum nk_result result)
{
    const unsigned wanted = flags & (NK_LIST_LOSSES | NK_LIST_DRAWS | NK_LIST_WINS);
    return !wanted || wanted & (unsigned)NK_LIST_LOSSES << (result - NK_LOSS);
}

/* Fills in what the table has about listed->position; only the value of one that is not listed. */
static enum nk_status look_up(struct nk_table *table, unsigned flags, struct nk_listed_position *listed,
                              struct nk_error *error)
{
    struct nk_value value = {NK_DRAW, 0};
    enum nk_status status = nk_table_value(table, listed->position, &value, error);
    if (status)
        return status;
    listed->result = (int8_t)value.result;
    listed->plies = (uint16_t)value.plies;
    if (!is_wanted(flags, value.result))
        return NK_OK;
    if (value.result == NK_DRAW)
        status = nk_table_trap(table, listed->position, &listed->trap, error);
    if (!status && flags & NK_LIST_BEST)
        status = find_best(table, listed->position, &listed->best, error);
    return status;
}

enum nk_status nk_table_positions(struct nk_table *table, uint32_t configuration, unsigned flags,
                                  struct nk_listed_position listed[], uint32_t *count, struct nk_error *error)
{
    assert(table && listed && count);
    const struct nk_index *index = table->index;
    const struct nk_rules *rules = &index->rules;
    uint32_t n = 0;
    const bool exists = configuration < index->configurations;
    const uint64_t mover = exists ? index->squares[configuration] : 0;
    const struct fixing fixing = fixing_of(rules, mover);
    const bool wanted =
        exists && !nk_rules_won(rules, mover) && (fixing.is_unique || !(flags & NK_LIST_UNIQUE));
    for (uint32_t o = 0; wanted && o < index->configurations; o++) {
        const uint64_t other = index->squares[o];
        struct nk_listed_position one = {.position = {mover, other}};
        if (other & mover || (!count_symmetric(rules, &fixing, &one) && flags & NK_LIST_UNIQUE))
            continue;
        const enum nk_status status = look_up(table, flags, &one, error);
        if (status)
            return status;
        if (is_wanted(flags, (enum nk_result)one.result))
            listed[n++] = one;
    }
    *count = n;
    return NK_OK;
}
