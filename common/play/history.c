#include "common/play/history.h"

#include <assert.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#if defined(__GNUC__) && !defined(__clang__)
/* gcc's analyzer loses track of what belongs to an object behind an unknown pointer, and reports leaks that do not
 * exist. LeakSanitizer finds none in the tests. */
#pragma GCC diagnostic ignored "-Wanalyzer-malloc-leak"
#endif

/* Everything here concerns the positions that one side wins in the table. With an odd distance that side is to move,
 * and the position is a win; with an even distance its opponent is to move, and the position is a loss.
 *
 * The distances are the solution of equations: that of a win is one more than the shortest distance of the losses to
 * which moves lead, that of a loss one more than the longest of the wins, and that of a position that has occurred
 * twice is infinite. When a position is added, distances only grow. The algorithm is DynamicSWSF-FP of Ramalingam and
 * Reps for growing distances. A position whose distance disagrees with its moves has a pending event at the smaller of
 * its distance and what its moves make it. The event with the smallest key comes first: a distance that is too small
 * becomes unknown (UNSETTLED), and an unknown one becomes what the moves make it when that is the key. Both create
 * events with larger keys only. Invariants:
 *
 * - A known distance never exceeds the right one, nor what the moves make it.
 * - A known distance below all keys is right; if no event is pending, UNSETTLED positions are draws.
 *
 * Neither depends on which events are pending when a position is added: its event may have a smaller key than those
 * that have been processed. */

/* A position whose value differs from the table's, or that has occurred twice. */
struct nk_changed {
    struct nk_position position;
    int plies;  /* the distance, or UNSETTLED while unknown; a position that stays UNSETTLED is a draw */
    bool win;   /* the result in the table for the side to move: a win or a loss */
    bool drawn; /* it has occurred twice: it is a draw */
};

enum { UNSETTLED = -1, LOOKUPS_PER_QUESTION = 256 };

/* A position to update when all values with a smaller distance are right. */
struct nk_event {
    struct nk_position position;
    uint32_t next; /* the next event of the same ply, or no_event */
};

static const uint32_t no_event = UINT32_MAX;

/* ---- the bound on the work ---- */

/* Counts a lookup, or the update of a position. */
static void count_work(struct nk_history *history)
{
    history->lookups -= history->lookups > 0;
    if (history->stop && history->lookups % LOOKUPS_PER_QUESTION == 0 &&
        history->stop->is_wanted(history->stop->context))
        history->lookups = 0;
}

static uint32_t most_lookups(const struct nk_table *table)
{
    const uint64_t entries = nk_table_index(table)->entries;
    if (entries <= NK_HISTORY_SMALL)
        return NK_HISTORY_LOOKUPS_SMALL;
    return entries <= NK_HISTORY_LARGE ? NK_HISTORY_LOOKUPS : NK_HISTORY_LOOKUPS_LARGE;
}

/* NOLINTBEGIN(clang-analyzer-core.NullDereference,clang-analyzer-core.NonNullParamChecker,clang-analyzer-unix.Malloc)
 * clang's analyzer does not know that nodes and events are there if their sizes are not 0. */

/* ---- changed positions ---- */

/* The slot of a position, or the empty slot where it belongs. */
static size_t slot_of(const struct nk_changes *changes, struct nk_position position)
{
    size_t slot = (size_t)nk_position_hash(position) & (changes->size - 1);
    while (changes->nodes[slot].position.mover && !nk_position_equal(changes->nodes[slot].position, position))
        slot = (slot + 1) & (changes->size - 1);
    return slot;
}

/* Returns the node of a position, or NULL if it has not changed. `win` is true if the winner is to move: the same
 * squares with the other side to move are a different position. */
static struct nk_changed *find_node(const struct nk_changes *changes, struct nk_position position, bool win)
{
    if (!changes->used)
        return NULL;
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

static enum nk_status add_node(struct nk_changes *changes, struct nk_changed node, struct nk_error *error)
{
    const enum nk_status status = grow_nodes(changes, error);
    if (status)
        return status;
    changes->nodes[slot_of(changes, node.position)] = node;
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

/* Sets *event to an event that is not used. */
static enum nk_status new_event(struct nk_changes *changes, uint32_t *event, struct nk_error *error)
{
    if (changes->unused != no_event) {
        *event = changes->unused;
        changes->unused = changes->events[*event].next;
        return NK_OK;
    }
    if (changes->event_count == changes->event_room) {
        const uint32_t room = changes->event_room ? 2 * changes->event_room : 256;
        struct nk_event *events = realloc(changes->events, room * sizeof *events);
        if (!events)
            return out_of_memory(error);
        changes->events = events;
        changes->event_room = room;
    }
    *event = changes->event_count++;
    return NK_OK;
}

/* Puts an event back among those that are not used. */
static void free_event(struct nk_changes *changes, uint32_t event)
{
    changes->events[event].next = changes->unused;
    changes->unused = event;
    changes->pending--;
}

/* Schedules the update of a position for the pass over a ply. */
static enum nk_status schedule(struct nk_changes *changes, struct nk_position position, int ply,
                               struct nk_error *error)
{
    uint32_t event;
    enum nk_status status;
    if ((status = grow_plies(changes, ply, error)) || (status = new_event(changes, &event, error)))
        return status;
    assert(changes->first); /* plies are not negative */
    changes->events[event] = (struct nk_event){position, changes->first[ply]};
    changes->first[ply] = event;
    changes->pending++;
    changes->ply = ply < changes->ply ? ply : changes->ply;
    return NK_OK;
}

/* Whether an event is pending; changes->ply is then the smallest key. */
static bool find_pending(struct nk_changes *changes)
{
    while (changes->pending && changes->first[changes->ply] == no_event)
        changes->ply++;
    return changes->pending;
}

/* ---- updates ---- */

/* Sets *plies to the distance of a position that is lost in the table, otherwise to -1. */
static enum nk_status read_loss(struct nk_changes *changes, struct nk_position position, int *plies,
                                struct nk_error *error)
{
    uint8_t code;
    struct nk_table *table = changes->history->table;
    *plies = -1;
    count_work(changes->history);
    const enum nk_status status =
        nk_table_code(table, nk_index_entry(nk_table_index(table), position), &code, error);
    if (!status && code >= NK_CODE_LOSS)
        *plies = 2 * (code - NK_CODE_LOSS);
    return status;
}

/* What the moves of a position make its distance: UNSETTLED if no distance. */
static enum nk_status find_win(struct nk_changes *changes, struct nk_position position, int ply,
                               int *distance, struct nk_error *error)
{
    struct nk_move moves[NK_MAX_MOVES];
    const int count = nk_position_moves(nk_table_rules(changes->history->table), position, moves);
    enum nk_status status = NK_OK;
    *distance = UNSETTLED;
    /* No loss is shorter than ply - 1: its event would have been processed. */
    for (int m = 0; m < count && !status && (*distance == UNSETTLED || *distance > ply); m++) {
        const struct nk_position after = nk_position_after(position, moves[m]);
        const struct nk_changed *changed = find_node(changes, after, false);
        int plies = UNSETTLED;
        if (changed)
            plies = changed->plies;
        else
            status = read_loss(changes, after, &plies, error);
        if (plies != UNSETTLED && (*distance == UNSETTLED || plies + 1 < *distance))
            *distance = plies + 1;
    }
    return status;
}

/* The same for a loss. All moves lead to wins of the opponent, of which only those that have changed can make the
 * distance grow. *distance is too small, and does not matter, if none of them does. */
static void find_loss(const struct nk_changes *changes, struct nk_position position, int *distance)
{
    struct nk_move moves[NK_MAX_MOVES];
    const int count = nk_position_moves(nk_table_rules(changes->history->table), position, moves);
    *distance = 0;
    for (int m = 0; m < count && *distance != UNSETTLED; m++) {
        const struct nk_changed *changed = find_node(changes, nk_position_after(position, moves[m]), true);
        if (changed && changed->plies == UNSETTLED)
            *distance = UNSETTLED;
        else if (changed && changed->plies + 1 > *distance)
            *distance = changed->plies + 1;
    }
}

/* Sets *at to the ply for which to schedule a predecessor of a position whose distance, `ply`, was too small; 0 for
 * none. A lost predecessor is updated at its own distance, which depends on the longest defence. A won predecessor can
 * be affected only if its distance is ply + 1. That of one that has not changed is at most that. */
static enum nk_status find_update(struct nk_changes *changes, struct nk_position before, int ply, int *at,
                                  struct nk_error *error)
{
    enum nk_status status = NK_OK;
    const bool win = ply % 2 == 0;
    const struct nk_changed *node = find_node(changes, before, win);
    int plies = ply + 1;
    if (node)
        plies = node->plies;
    else if (!win)
        status = read_loss(changes, before, &plies, error);
    *at = win ? (plies == ply + 1 ? plies : 0) : (plies > ply ? plies : 0);
    return status;
}

/* Makes the distance of a position unknown, which was `ply`, and schedules its predecessors. The lookups come first: if
 * one fails, nothing has changed. */
static enum nk_status unsettle(struct nk_changes *changes, struct nk_position position, int ply,
                               struct nk_error *error)
{
    struct nk_move moves[NK_MAX_REVERSE_MOVES];
    int at[NK_MAX_REVERSE_MOVES];
    const int count = nk_position_reverse_moves(nk_table_rules(changes->history->table), position, moves);
    struct nk_changed *node = find_node(changes, position, ply % 2);
    enum nk_status status = NK_OK;
    for (int m = 0; m < count && !status; m++)
        status = find_update(changes, nk_position_before(position, moves[m]), ply, &at[m], error);
    if (!status && !node)
        status = add_node(changes, (struct nk_changed){position, UNSETTLED, ply % 2, false}, error);
    if (!status && node)
        node->plies = UNSETTLED;
    for (int m = 0; m < count && !status; m++)
        if (at[m])
            status = schedule(changes, nk_position_before(position, moves[m]), at[m], error);
    return status;
}

/* Sets the distance of a position, and schedules the predecessors whose distance is unknown. */
static enum nk_status settle(struct nk_changes *changes, struct nk_changed *node, int plies,
                             struct nk_error *error)
{
    struct nk_move moves[NK_MAX_REVERSE_MOVES];
    const struct nk_position position = node->position;
    const int count = nk_position_reverse_moves(nk_table_rules(changes->history->table), position, moves);
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

/* Processes an event: compares the distance of a position with what its moves make it. A failed lookup changes
 * nothing. */
static enum nk_status update(struct nk_changes *changes, struct nk_position position, int ply,
                             struct nk_error *error)
{
    struct nk_changed *node = find_node(changes, position, ply % 2);
    const int known = node ? node->plies : ply;
    int distance = UNSETTLED;
    enum nk_status status = NK_OK;
    count_work(changes->history);
    if (known != ply && known != UNSETTLED)
        return NK_OK; /* it has been settled at an earlier ply */
    if (!node || !node->drawn) {
        if (ply % 2)
            status = find_win(changes, position, ply, &distance, error);
        else
            find_loss(changes, position, &distance);
    }
    if (status)
        return status;
    if (known == ply) {
        if (distance != UNSETTLED && distance <= ply)
            return NK_OK;
        if ((status = unsettle(changes, position, ply, error)))
            return status;
    } else if (distance == ply) {
        return settle(changes, node, ply, error);
    }
    /* That distance may grow as well; the update is repeated then. */
    return distance != UNSETTLED ? schedule(changes, position, distance, error) : NK_OK;
}

/* Processes the events of the smallest key. Those that cannot be processed stay. */
static enum nk_status advance(struct nk_changes *changes, struct nk_error *error)
{
    enum nk_status status = NK_OK;
    const int ply = changes->ply;
    uint32_t event = changes->first[ply];
    changes->first[ply] = no_event; /* new events belong to later plies */
    while (event != no_event) {
        const uint32_t next = changes->events[event].next;
        const bool is_possible = !status && changes->history->lookups;
        if (is_possible)
            status = update(changes, changes->events[event].position, ply, error);
        if (is_possible && !status) {
            free_event(changes, event);
        } else {
            changes->events[event].next = changes->first[ply];
            changes->first[ply] = event;
        }
        event = next;
    }
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
    const enum nk_status status = nk_table_value(history->table, position, &value, error);
    if (status || value.result == NK_DRAW)
        return status;
    struct nk_changes *changes = &history->changes[winner_of(to_move, value)];
    const bool win = value.result == NK_WIN;
    struct nk_changed *node = find_node(changes, position, win);
    if (node)
        node->drawn = true;
    else if (add_node(changes, (struct nk_changed){position, value.plies, win, true}, error))
        return NK_E_MEMORY;
    const int plies = node ? node->plies : value.plies;
    return plies == UNSETTLED ? NK_OK : schedule(changes, position, plies, error);
}

enum nk_status nk_history_begin(struct nk_history *history, struct nk_table *table,
                                const struct nk_game *game, const struct nk_stop *stop,
                                struct nk_error *error)
{
    *history = (struct nk_history){
        .table = table, .stop = stop, .lookups = most_lookups(table), .exact = true, .complete = true};
    for (int winner = NK_BLACK; winner <= NK_WHITE; winner++) {
        history->changes[winner].history = history;
        history->changes[winner].unused = no_event;
    }
    return nk_game_check_board(game, nk_table_rules(table), error);
}

enum nk_status nk_history_add(struct nk_history *history, const struct nk_game *game, int ply,
                              struct nk_error *error)
{
    history->lookups = most_lookups(history->table);
    history->exact = history->complete;
    if (nk_game_occurrences_at(game, ply) != 2)
        return NK_OK;
    return add_drawn(history, nk_game_position_at(game, ply), nk_game_to_move_at(game, ply), error);
}

enum nk_status nk_history_init(struct nk_history *history, struct nk_table *table, const struct nk_game *game,
                               int ply, const struct nk_stop *stop, struct nk_error *error)
{
    enum nk_status status = nk_history_begin(history, table, game, stop, error);
    for (int at = 0; at <= ply && !status; at++) {
        status = nk_history_add(history, game, at, error);
        if (stop && nk_game_occurrences_at(game, at) == 2 && stop->is_wanted(stop->context)) {
            history->lookups = 0;
            history->exact = history->complete = false;
            break;
        }
    }
    return status;
}

/* Sets *to to a copy of what changed. After a failure, it can be cleared. */
static enum nk_status copy_changes(struct nk_changes *to, const struct nk_changes *from,
                                   struct nk_error *error)
{
    to->nodes = from->size ? malloc(from->size * sizeof *to->nodes) : NULL;
    to->events = from->event_room ? malloc(from->event_room * sizeof *to->events) : NULL;
    to->first = from->plies ? malloc((size_t)from->plies * sizeof *to->first) : NULL;
    if ((from->size && !to->nodes) || (from->event_room && !to->events) || (from->plies && !to->first))
        return out_of_memory(error);
    if (from->size)
        memcpy(to->nodes, from->nodes, from->size * sizeof *to->nodes);
    if (from->event_count)
        memcpy(to->events, from->events, from->event_count * sizeof *to->events);
    if (from->plies)
        memcpy(to->first, from->first, (size_t)from->plies * sizeof *to->first);
    return NK_OK;
}

enum nk_status nk_history_init_after(struct nk_history *history, const struct nk_history *before,
                                     const struct nk_game *game, int ply, struct nk_move move,
                                     struct nk_error *error)
{
    enum nk_status status = NK_OK;
    *history = *before;
    for (int winner = NK_BLACK; winner <= NK_WHITE; winner++) {
        const enum nk_status copied =
            copy_changes(&history->changes[winner], &before->changes[winner], error);
        history->changes[winner].history = history;
        status = status ? status : copied; /* both are copied, as both are freed after a failure */
    }
    if (!status && nk_game_repeats_at(game, ply, move) == 1)
        status = add_drawn(history, nk_position_after(nk_game_position_at(game, ply), move),
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
        const int plies = node ? node->plies : value.plies;
        if ((node && node->drawn) || !find_pending(changes) || (plies != UNSETTLED && plies < changes->ply))
            break;
        if (!history->lookups) {
            history->exact = false;
            break;
        }
        if ((status = advance(changes, error)))
            return status;
    }
    if (node && (node->drawn || node->plies == UNSETTLED))
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
    for (int m = 0; m < n; m++) {
        struct nk_value reply;
        const enum nk_status status = nk_history_value(history, nk_position_after(position, legal[m]),
                                                       nk_colour_other(to_move), &reply, error);
        if (status)
            return status;
        nk_move_values_insert(moves, m, legal[m], reply);
    }
    *count = n;
    return NK_OK;
}

enum nk_status nk_history_replies(struct nk_history *history, const struct nk_game *game, int ply,
                                  struct nk_move move, struct nk_move_value replies[NK_MAX_MOVES], int *count,
                                  struct nk_error *error)
{
    const struct nk_position after = nk_position_after(nk_game_position_at(game, ply), move);
    const enum nk_colour opponent = nk_game_to_move_at(game, ply + 1);
    struct nk_history later;
    /* The move changes the history only if a position then occurs for the second time. */
    if (nk_game_repeats_at(game, ply, move) != 1)
        return nk_history_moves(history, after, opponent, replies, count, error);
    enum nk_status status = nk_history_init_after(&later, history, game, ply, move, error);
    if (!status)
        status = nk_history_moves(&later, after, opponent, replies, count, error);
    history->lookups = later.lookups;
    history->exact = later.exact;
    nk_history_clear(&later);
    return status;
}

enum nk_status nk_history_value_at(struct nk_history *history, const struct nk_game *game, int ply,
                                   struct nk_value *value, struct nk_error *error)
{
    struct nk_move_value moves[NK_MAX_MOVES];
    const struct nk_position position = nk_game_position_at(game, ply);
    int count = 0;
    enum nk_status status = NK_OK;
    if (history->changes[NK_BLACK].used || history->changes[NK_WHITE].used)
        status = nk_history_moves(history, position, nk_game_to_move_at(game, ply), moves, &count, error);
    if (!status && count)
        *value = moves[0].value;
    else if (!status)
        status = nk_table_value(history->table, position, value, error);
    return status;
}

/* NOLINTEND(clang-analyzer-core.NullDereference,clang-analyzer-core.NonNullParamChecker,clang-analyzer-unix.Malloc) */
