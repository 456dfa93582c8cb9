#include "player/history.h"

#include <assert.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#if defined(__GNUC__) && !defined(__clang__)
/* gcc's analyzer loses track of what belongs to an object behind an unknown pointer, and reports leaks that do not exist.
 * LeakSanitizer finds none in the tests. */
#pragma GCC diagnostic ignored "-Wanalyzer-malloc-leak"
#endif

/* Everything here concerns the positions that one side wins in the table. With an odd distance that side is to move,
 * and the position is a win; with an even distance its opponent is to move, and the position is a loss. */

/* A position whose value differs from the table's. */
struct nk_changed {
    struct nk_position position;
    int plies;  /* the new distance, or UNSETTLED while unknown; a position that stays UNSETTLED is a draw */
    bool win;   /* the result in the table for the side to move: a win or a loss */
    bool drawn; /* it has occurred twice: it is a draw and stays UNSETTLED */
};

enum { UNSETTLED = -1 };

/* A position to update when all values with a smaller distance are final. */
struct nk_event {
    struct nk_position position;
    uint32_t next; /* the next event of the same ply, or no_event */
};

static const uint32_t no_event = UINT32_MAX;

/* ---- changed positions ---- */

/* The slot of a position, or the empty slot where it belongs. */
static size_t slot_of(const struct nk_changes *changes, struct nk_position position)
{
    const uint64_t mixed =
        (position.mover * UINT64_C(0x9e3779b97f4a7c15)) ^ (position.other * UINT64_C(0xc2b2ae3d27d4eb4f));
    size_t slot = (size_t)(mixed ^ (mixed >> 29)) & (changes->size - 1);
    while (changes->nodes[slot].position.mover && !nk_position_equal(changes->nodes[slot].position, position))
        slot = (slot + 1) & (changes->size - 1);
    return slot;
}

/* Returns the node of a position, or NULL if it has not changed. `win` is true if the winner is to move: the same
 * squares with the other side to move are a different position. */
static struct nk_changed *find_node(const struct nk_changes *changes, struct nk_position position, bool win)
{
    struct nk_changed *node = &changes->nodes[slot_of(changes, position)];
    return node->position.mover && node->win == win ? node : NULL;
}

static enum nk_status out_of_memory(struct nk_error *error)
{
    return nk_fail(error, NK_E_MEMORY, 0, "out of memory for the positions that repetition changes");
}

/* Makes room for one more node and keeps at least half of the slots empty. */
static enum nk_status grow_nodes(struct nk_changes *changes, struct nk_error *error)
{
    struct nk_changed *const old = changes->nodes;
    const size_t size = changes->size, new_size = size ? 2 * size : 256;
    if (changes->used < size / 2)
        return NK_OK;
    struct nk_changed *nodes = calloc(new_size, sizeof *nodes);
    if (!nodes)
        return out_of_memory(error);
    changes->nodes = nodes;
    changes->size = new_size;
    for (size_t i = 0; i < size; i++)
        if (old[i].position.mover)
            nodes[slot_of(changes, old[i].position)] = old[i];
    free(old);
    return NK_OK;
}

static enum nk_status add_node(struct nk_changes *changes, struct nk_position position, bool win, bool drawn,
                               struct nk_error *error)
{
    const enum nk_status status = grow_nodes(changes, error);
    if (status)
        return status;
    changes->nodes[slot_of(changes, position)] = (struct nk_changed){position, UNSETTLED, win, drawn};
    changes->used++;
    return NK_OK;
}

/* ---- events ---- */

static enum nk_status grow_plies(struct nk_changes *changes, int ply, struct nk_error *error)
{
    enum { STEP = 64 };
    if (ply < changes->plies)
        return NK_OK;
    uint32_t *first = realloc(changes->first, (size_t)(ply + STEP) * sizeof *first);
    if (!first)
        return out_of_memory(error);
    memset(first + changes->plies, 0xff, (size_t)(ply + STEP - changes->plies) * sizeof *first);
    changes->first = first;
    changes->plies = ply + STEP;
    return NK_OK;
}

/* Schedules the update of a position for the pass over a ply. */
static enum nk_status schedule(struct nk_changes *changes, struct nk_position position, int ply,
                               struct nk_error *error)
{
    const enum nk_status status = grow_plies(changes, ply, error);
    if (status)
        return status;
    if (changes->event_count == changes->event_room) {
        const uint32_t room = changes->event_room ? 2 * changes->event_room : 256;
        struct nk_event *events = realloc(changes->events, room * sizeof *events);
        if (!events)
            return out_of_memory(error);
        changes->events = events;
        changes->event_room = room;
    }
    assert(changes->first); /* plies are not negative */
    changes->events[changes->event_count] = (struct nk_event){position, changes->first[ply]};
    changes->first[ply] = changes->event_count++;
    return NK_OK;
}

/* ---- the changes, ply by ply ---- */

/* Sets *plies to the distance of a position that is lost in the table, otherwise to -1. */
static enum nk_status read_loss(struct nk_changes *changes, struct nk_position position, int *plies,
                                struct nk_error *error)
{
    uint8_t code;
    *plies = -1;
    const uint64_t entry = nk_index_entry(nk_table_index(changes->table), position);
    const enum nk_status status = nk_table_code(changes->table, entry, &code, error);
    if (status)
        return status;
    *changes->lookups -= *changes->lookups > 0;
    if (code >= NK_CODE_LOSS)
        *plies = 2 * (code - NK_CODE_LOSS);
    return NK_OK;
}

/* Schedules the predecessors of a position whose distance in the table, `ply`, is no longer right. A lost predecessor
 * is updated at its own distance, which depends on the longest defence. A won predecessor can be affected only if its
 * distance is ply + 1. */
static enum nk_status schedule_predecessors(struct nk_changes *changes, struct nk_position position, int ply,
                                            struct nk_error *error)
{
    struct nk_move moves[NK_MAX_REVERSE_MOVES];
    const int count = nk_position_reverse_moves(nk_table_rules(changes->table), position, moves);
    enum nk_status status = NK_OK;
    for (int m = 0; m < count; m++) {
        const struct nk_position before = nk_position_before(position, moves[m]);
        int at = ply + 1;
        if (find_node(changes, before, ply % 2 == 0))
            continue;
        if (ply % 2)
            status = nk_first_failure(status, read_loss(changes, before, &at, error));
        if (!status && at > ply)
            status = schedule(changes, before, at, error);
    }
    return status;
}

/* Sets the new distance of a position, and schedules the changed predecessors that do not have theirs yet. */
static enum nk_status settle(struct nk_changes *changes, struct nk_changed *node, int plies,
                             struct nk_error *error)
{
    struct nk_move moves[NK_MAX_REVERSE_MOVES];
    const struct nk_position position = node->position;
    const int count = nk_position_reverse_moves(nk_table_rules(changes->table), position, moves);
    enum nk_status status = NK_OK;
    node->plies = plies;
    for (int m = 0; m < count && !status; m++) {
        const struct nk_position before = nk_position_before(position, moves[m]);
        const struct nk_changed *changed = find_node(changes, before, plies % 2 == 0);
        if (changed && !changed->drawn && changed->plies == UNSETTLED)
            status = schedule(changes, before, plies + 1, error);
    }
    return status;
}

/* Sets *shortest to the shortest known distance of the lost positions to which a move leads; INT_MAX if there are
 * none. The search stops at the first distance below `enough`. */
static enum nk_status find_shortest_loss(struct nk_changes *changes, struct nk_position position, int enough,
                                         int *shortest, struct nk_error *error)
{
    struct nk_move moves[NK_MAX_MOVES];
    const int count = nk_position_moves(nk_table_rules(changes->table), position, moves);
    *shortest = INT_MAX;
    enum nk_status status = NK_OK;
    for (int m = 0; m < count && *shortest >= enough; m++) {
        const struct nk_position after = nk_position_after(position, moves[m]);
        int plies;
        status = nk_first_failure(status, read_loss(changes, after, &plies, error));
        const struct nk_changed *changed = plies < 0 ? NULL : find_node(changes, after, false);
        if (changed)
            plies = changed->plies;
        if (plies >= 0 && plies < *shortest)
            *shortest = plies;
    }
    return status;
}

static enum nk_status update_win(struct nk_changes *changes, struct nk_position position, int ply,
                                 struct nk_error *error)
{
    int shortest;
    struct nk_changed *node = find_node(changes, position, true);
    if (node && node->plies != UNSETTLED)
        return NK_OK;
    enum nk_status status = find_shortest_loss(changes, position, ply, &shortest, error);
    if (status)
        return status;
    if (shortest < ply)
        return node ? settle(changes, node, shortest + 1, error) : NK_OK;
    if (!node && ((status = add_node(changes, position, true, false, error)) ||
                  (status = schedule_predecessors(changes, position, ply, error))))
        return status;
    /* That loss may change as well; the update is repeated then. */
    return shortest < INT_MAX ? schedule(changes, position, shortest + 1, error) : NK_OK;
}

static enum nk_status update_loss(struct nk_changes *changes, struct nk_position position, int ply,
                                  struct nk_error *error)
{
    struct nk_move moves[NK_MAX_MOVES];
    struct nk_changed *node = find_node(changes, position, false);
    int longest = 0;
    bool unsettled = false;
    if (node && node->plies != UNSETTLED)
        return NK_OK;
    /* All moves lead to wins of the opponent. Unchanged ones are shorter than this position's distance in the table;
     * changed ones are settled later and are longer. */
    const int count = nk_position_moves(nk_table_rules(changes->table), position, moves);
    for (int m = 0; m < count && !unsettled; m++) {
        const struct nk_changed *after = find_node(changes, nk_position_after(position, moves[m]), true);
        unsettled = after && after->plies == UNSETTLED;
        if (after && after->plies > longest)
            longest = after->plies;
    }
    if (node)
        return unsettled ? NK_OK : settle(changes, node, longest + 1, error);
    if (!unsettled)
        return NK_OK;
    const enum nk_status status = add_node(changes, position, false, false, error);
    return status ? status : schedule_predecessors(changes, position, ply, error);
}

/* Processes the events of one more ply. */
static enum nk_status advance(struct nk_changes *changes, struct nk_error *error)
{
    const int ply = changes->ply;
    enum nk_status status = NK_OK;
    /* New events belong to later plies. */
    for (uint32_t e = changes->first[ply]; e != no_event && *changes->lookups; e = changes->events[e].next) {
        const struct nk_position position = changes->events[e].position;
        const struct nk_changed *node = find_node(changes, position, ply % 2);
        status = nk_first_failure(status, node && node->drawn
                                              ? schedule_predecessors(changes, position, ply, error)
                                          : ply % 2 ? update_win(changes, position, ply, error)
                                                    : update_loss(changes, position, ply, error));
    }
    changes->ply++;
    return status;
}

/* The colour that wins a decided position. */
static enum nk_colour winner_of(enum nk_colour to_move, struct nk_value value)
{
    return value.result == NK_WIN ? to_move : nk_colour_other(to_move);
}

/* ---- the history ---- */

/* Adds a position that has occurred twice, which makes it a draw. A position drawn in the table changes nothing. */
static enum nk_status add_drawn(struct nk_history *history, struct nk_position position,
                                enum nk_colour to_move, struct nk_error *error)
{
    struct nk_value value;
    enum nk_status status = nk_table_value(history->table, position, &value, error);
    if (status || value.result == NK_DRAW)
        return status;
    struct nk_changes *changes = &history->changes[winner_of(to_move, value)];
    changes->table = history->table;
    changes->lookups = &history->lookups;
    status = add_node(changes, position, value.result == NK_WIN, true, error);
    return status ? status : schedule(changes, position, value.plies, error);
}

static uint32_t most_lookups(uint64_t entries)
{
    if (entries <= NK_HISTORY_SMALL)
        return UINT32_MAX;
    return entries <= NK_HISTORY_LARGE ? NK_HISTORY_LOOKUPS : NK_HISTORY_LOOKUPS_LARGE;
}

enum nk_status nk_history_init(struct nk_history *history, struct nk_table *table, const struct nk_game *game,
                               int ply, const struct nk_move *next, struct nk_error *error)
{
    enum nk_status status = NK_OK;
    *history = (struct nk_history){.table = table, .lookups = most_lookups(nk_table_index(table)->entries)};
    for (int at = 0; at <= ply && !status; at++)
        if (nk_game_occurrences_at(game, at) == 2)
            status = add_drawn(history, nk_game_position_at(game, at), nk_game_to_move_at(game, at), error);
    if (next && !status && nk_game_repeats_at(game, ply, *next) == 1)
        status = add_drawn(history, nk_position_after(nk_game_position_at(game, ply), *next),
                           nk_game_to_move_at(game, ply + 1), error);
    return status;
}

void nk_history_clear(struct nk_history *history)
{
    for (int winner = NK_BLACK; winner <= NK_WHITE; winner++) {
        free(history->changes[winner].nodes);
        free(history->changes[winner].events);
        free(history->changes[winner].first);
    }
}

enum nk_status nk_history_value(struct nk_history *history, struct nk_position position,
                                enum nk_colour to_move, struct nk_value *out, struct nk_error *error)
{
    struct nk_value value;
    enum nk_status status = nk_table_value(history->table, position, &value, error);
    if (status)
        return status;
    struct nk_changes *changes = &history->changes[winner_of(to_move, value)];
    const struct nk_changed *node = NULL;
    while (value.result != NK_DRAW && changes->used) {
        node = find_node(changes, position, value.result == NK_WIN);
        const bool is_final = node ? node->drawn || node->plies != UNSETTLED : changes->ply > value.plies;
        if (is_final || changes->ply >= changes->plies)
            break;
        if ((status = advance(changes, error)))
            return status;
    }
    if (node && node->plies == UNSETTLED)
        value = (struct nk_value){NK_DRAW, 0};
    else if (node)
        value.plies = node->plies;
    *out = value;
    return NK_OK;
}

enum nk_status nk_history_moves(struct nk_history *history, struct nk_position position,
                                enum nk_colour to_move, struct nk_move_value moves[NK_MAX_MOVES], int *count,
                                struct nk_error *error)
{
    struct nk_move legal[NK_MAX_MOVES];
    const int n = nk_position_moves(nk_table_rules(history->table), position, legal);
    enum nk_status status = NK_OK;
    for (int m = 0; m < n; m++) {
        struct nk_value reply = {NK_DRAW, 0};
        status = nk_first_failure(status, nk_history_value(history, nk_position_after(position, legal[m]),
                                                           nk_colour_other(to_move), &reply, error));
        nk_move_values_insert(moves, m, legal[m], reply);
    }
    if (!status)
        *count = n;
    return status;
}

enum nk_status nk_history_moves_at(struct nk_table *table, const struct nk_game *game, int ply,
                                   const struct nk_move *next, struct nk_move_value moves[NK_MAX_MOVES],
                                   int *count, struct nk_error *error)
{
    struct nk_history history;
    const struct nk_position position = nk_game_position_at(game, ply);
    enum nk_status status = nk_history_init(&history, table, game, ply, next, error);
    if (!status)
        status = nk_history_moves(&history, next ? nk_position_after(position, *next) : position,
                                  nk_game_to_move_at(game, next ? ply + 1 : ply), moves, count, error);
    nk_history_clear(&history);
    return status;
}

enum nk_status nk_history_value_at(struct nk_table *table, const struct nk_game *game, int ply,
                                   struct nk_value *value, struct nk_error *error)
{
    struct nk_history history;
    struct nk_move_value moves[NK_MAX_MOVES];
    const struct nk_position position = nk_game_position_at(game, ply);
    const enum nk_colour to_move = nk_game_to_move_at(game, ply);
    int count = 0;
    enum nk_status status = nk_history_init(&history, table, game, ply, NULL, error);
    const bool changed = history.changes[NK_BLACK].used || history.changes[NK_WHITE].used;
    if (!status && changed)
        status = nk_history_moves(&history, position, to_move, moves, &count, error);
    if (!status && count)
        *value = moves[0].value;
    else if (!status)
        status = nk_table_value(table, position, value, error);
    nk_history_clear(&history);
    return status;
}

enum nk_status nk_game_value(struct nk_table *table, const struct nk_game *game, struct nk_value *value,
                             struct nk_error *error)
{
    if (nk_game_end(game, NULL) != NK_END_REPETITION)
        return nk_history_value_at(table, game, nk_game_plies(game), value, error);
    *value = (struct nk_value){NK_DRAW, 0};
    return NK_OK;
}
