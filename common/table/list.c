/* Lists of all positions of a table, for exports and for other languages. */

#include "common/table/table.h"

uint32_t nk_table_configurations(const struct nk_table *table)
{
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

/* Fills in what the table has about listed->position. */
static enum nk_status look_up(struct nk_table *table, unsigned flags, struct nk_listed_position *listed,
                              struct nk_error *error)
{
    struct nk_value value;
    enum nk_status status = nk_table_value(table, listed->position, &value, error);
    if (status)
        return status;
    listed->result = (int8_t)value.result;
    listed->plies = (uint16_t)value.plies;
    if (value.result == NK_DRAW)
        status = nk_table_trap(table, listed->position, &listed->trap, error);
    if (!status && flags & NK_LIST_BEST)
        status = find_best(table, listed->position, &listed->best, error);
    return status;
}

enum nk_status nk_table_positions(struct nk_table *table, uint32_t configuration, unsigned flags,
                                  struct nk_listed_position listed[], uint32_t *count, struct nk_error *error)
{
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
        listed[n++] = one;
    }
    *count = n;
    return NK_OK;
}
