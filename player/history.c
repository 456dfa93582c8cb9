#include "player/history.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

/* The value of a win or loss has two sides here: in positions of odd distance the winner is to move, in those
 * of even distance the loser. */

/* A position whose value differs from the table's. */
struct node {
    struct nk_position position;
    int plies;  /* the new distance, or UNSETTLED while it is not known, which at the end means a draw */
    bool win;   /* by the table, to the side to move */
    bool drawn; /* has occurred twice */
};

enum { UNSETTLED = -1 };

/* A position to look at when the values of its ply are known. */
struct event {
    struct nk_position position;
    uint32_t next; /* the next event of the same ply, or NO_EVENT */
};

static const uint32_t no_event = UINT32_MAX;

/* All that changes for the positions that one side wins. */
struct nk_repair {
    struct nk_table *table;
    struct node *nodes; /* [size], a hash table; empty places have an empty position */
    size_t size;        /* a power of two */
    size_t used;
    struct event *events; /* [event_room] */
    uint32_t event_count, event_room;
    uint32_t *first; /* [plies] the first event of each ply */
    int plies;
    int ply;        /* below this one, every value is final */
    uint32_t *work; /* codes that may still be read */
};

/* ---- changed positions ---- */

static size_t place_of(const struct nk_repair *repair, struct nk_position position)
{
    const uint64_t mixed =
        (position.mover * UINT64_C(0x9e3779b97f4a7c15)) ^ (position.other * UINT64_C(0xc2b2ae3d27d4eb4f));
    size_t place = (size_t)(mixed ^ (mixed >> 29)) & (repair->size - 1);
    while (repair->nodes[place].position.mover && (repair->nodes[place].position.mover != position.mover ||
                                                   repair->nodes[place].position.other != position.other))
        place = (place + 1) & (repair->size - 1);
    return place;
}

/* The same squares with the other colour to move are another position, which wins where this one loses. */
static struct node *find(const struct nk_repair *repair, struct nk_position position, bool win)
{
    struct node *node = &repair->nodes[place_of(repair, position)];
    return node->position.mover && node->win == win ? node : NULL;
}

static enum nk_status out_of_memory(struct nk_error *error)
{
    return nk_fail(error, NK_E_MEMORY, 0, "out of memory for the positions that repetition changes");
}

/* Makes room for one more, so that half of the places at least stay empty. */
static enum nk_status grow(struct nk_repair *repair, struct nk_error *error)
{
    struct node *const old = repair->nodes;
    const size_t size = repair->size;
    if (repair->used < size / 2)
        return NK_OK;
    struct node *nodes = calloc(2 * size, sizeof *nodes);
    if (!nodes)
        return out_of_memory(error);
    repair->nodes = nodes;
    repair->size = 2 * size;
    for (size_t i = 0; i < size; i++)
        if (old[i].position.mover)
            nodes[place_of(repair, old[i].position)] = old[i];
    free(old);
    return NK_OK;
}

static enum nk_status add_node(struct nk_repair *repair, struct nk_position position, bool win, bool drawn,
                               struct nk_error *error)
{
    const enum nk_status status = grow(repair, error);
    if (status)
        return status;
    repair->nodes[place_of(repair, position)] = (struct node){position, UNSETTLED, win, drawn};
    repair->used++;
    return NK_OK;
}

/* ---- events ---- */

static enum nk_status grow_plies(struct nk_repair *repair, int ply, struct nk_error *error)
{
    enum { STEP = 64 };
    if (ply < repair->plies)
        return NK_OK;
    uint32_t *first = realloc(repair->first, (size_t)(ply + STEP) * sizeof *first);
    if (!first)
        return out_of_memory(error);
    memset(first + repair->plies, 0xff, (size_t)(ply + STEP - repair->plies) * sizeof *first);
    repair->first = first;
    repair->plies = ply + STEP;
    return NK_OK;
}

/* Has a position looked at when the values of all smaller distances are known. */
static enum nk_status schedule(struct nk_repair *repair, struct nk_position position, int ply,
                               struct nk_error *error)
{
    const enum nk_status status = grow_plies(repair, ply, error);
    if (status)
        return status;
    if (repair->event_count == repair->event_room) {
        const uint32_t room = repair->event_room ? 2 * repair->event_room : 256;
        struct event *events = realloc(repair->events, room * sizeof *events);
        if (!events)
            return out_of_memory(error);
        repair->events = events;
        repair->event_room = room;
    }
    repair->events[repair->event_count] = (struct event){position, repair->first[ply]};
    repair->first[ply] = repair->event_count++;
    return NK_OK;
}

/* ---- the changes, ply by ply ---- */

/* The distance of a position that the side to move loses by the table, else -1. */
static enum nk_status read_loss(struct nk_repair *repair, struct nk_position position, int *plies,
                                struct nk_error *error)
{
    uint8_t code;
    const uint64_t entry = nk_index_entry(nk_table_index(repair->table), position);
    const enum nk_status status = nk_table_code(repair->table, entry, &code, error);
    if (status)
        return status;
    *repair->work -= *repair->work > 0;
    *plies = code >= NK_CODE_LOSS ? 2 * (code - NK_CODE_LOSS) : -1;
    return NK_OK;
}

/* A position has lost the value that the table gives it. What does so in turn is found when its own ply
 * comes: a loss lasts as long as the longest reply, and a win as long as the shortest. */
static enum nk_status spread_change(struct nk_repair *repair, struct nk_position position, int ply,
                                    struct nk_error *error)
{
    struct nk_move moves[NK_MAX_REVERSE_MOVES];
    const int count = nk_position_reverse_moves(nk_table_rules(repair->table), position, moves);
    enum nk_status status = NK_OK;
    for (int m = 0; m < count && !status; m++) {
        const struct nk_position before = nk_position_before(position, moves[m]);
        int at = ply + 1;
        if (find(repair, before, ply % 2 == 0))
            continue;
        if (ply % 2 && (status = read_loss(repair, before, &at, error)))
            break;
        if (at > ply)
            status = schedule(repair, before, at, error);
    }
    return status;
}

/* A position has got its new distance: changed positions that lead to it may now get theirs. */
static enum nk_status settle(struct nk_repair *repair, struct node *node, int plies, struct nk_error *error)
{
    struct nk_move moves[NK_MAX_REVERSE_MOVES];
    const struct nk_position position = node->position;
    const int count = nk_position_reverse_moves(nk_table_rules(repair->table), position, moves);
    enum nk_status status = NK_OK;
    node->plies = plies;
    for (int m = 0; m < count && !status; m++) {
        const struct nk_position before = nk_position_before(position, moves[m]);
        const struct node *changed = find(repair, before, plies % 2 == 0);
        if (changed && !changed->drawn && changed->plies == UNSETTLED)
            status = schedule(repair, before, plies + 1, error);
    }
    return status;
}

/* The distance of the soonest loss that the winner can lead to, as far as it is known; INT_MAX without one.
 * Looks no further once it has found one below `enough`. */
static enum nk_status find_soonest(struct nk_repair *repair, struct nk_position position, int enough,
                                   int *soonest, struct nk_error *error)
{
    struct nk_move moves[NK_MAX_MOVES];
    const int count = nk_position_moves(nk_table_rules(repair->table), position, moves);
    *soonest = INT_MAX;
    for (int m = 0; m < count && *soonest >= enough; m++) {
        const struct nk_position after = nk_position_after(position, moves[m]);
        const struct node *changed = find(repair, after, false);
        int plies = changed ? changed->plies : -1;
        if (!changed) {
            const enum nk_status status = read_loss(repair, after, &plies, error);
            if (status)
                return status;
        }
        if (plies >= 0 && plies < *soonest)
            *soonest = plies;
    }
    return NK_OK;
}

static enum nk_status look_at_win(struct nk_repair *repair, struct nk_position position, int ply,
                                  struct nk_error *error)
{
    int soonest;
    struct node *node = find(repair, position, true);
    if (node && node->plies != UNSETTLED)
        return NK_OK;
    enum nk_status status = find_soonest(repair, position, ply, &soonest, error);
    if (status)
        return status;
    if (soonest < ply)
        return node ? settle(repair, node, soonest + 1, error) : NK_OK;
    if (!node && ((status = add_node(repair, position, true, false, error)) ||
                  (status = spread_change(repair, position, ply, error))))
        return status;
    /* The next loss may yet change; then this comes again. */
    return soonest < INT_MAX ? schedule(repair, position, soonest + 1, error) : NK_OK;
}

static enum nk_status look_at_loss(struct nk_repair *repair, struct nk_position position, int ply,
                                   struct nk_error *error)
{
    struct nk_move moves[NK_MAX_MOVES];
    struct node *node = find(repair, position, false);
    int longest = 0;
    bool unsettled = false;
    if (node && node->plies != UNSETTLED)
        return NK_OK;
    /* All moves lead to wins of the opponent; those that did not change are shorter than what the table says
     * of this position, and those that did are longer once they are settled after its ply. */
    const int count = nk_position_moves(nk_table_rules(repair->table), position, moves);
    for (int m = 0; m < count && !unsettled; m++) {
        const struct node *after = find(repair, nk_position_after(position, moves[m]), true);
        unsettled = after && after->plies == UNSETTLED;
        if (after && after->plies > longest)
            longest = after->plies;
    }
    if (node)
        return unsettled ? NK_OK : settle(repair, node, longest + 1, error);
    if (!unsettled)
        return NK_OK;
    const enum nk_status status = add_node(repair, position, false, false, error);
    return status ? status : spread_change(repair, position, ply, error);
}

static bool is_done(const struct nk_repair *repair)
{
    return repair->ply >= repair->plies || !*repair->work;
}

/* Works out the values of one more distance. */
static enum nk_status advance(struct nk_repair *repair, struct nk_error *error)
{
    const int ply = repair->ply;
    enum nk_status status = NK_OK;
    /* What this adds belongs to later plies. */
    for (uint32_t e = repair->first[ply]; e != no_event && !status && *repair->work;
         e = repair->events[e].next) {
        const struct nk_position position = repair->events[e].position;
        const struct node *node = find(repair, position, ply % 2);
        if (node && node->drawn)
            status = spread_change(repair, position, ply, error);
        else if (ply % 2)
            status = look_at_win(repair, position, ply, error);
        else
            status = look_at_loss(repair, position, ply, error);
    }
    repair->ply++;
    return status;
}

/* ---- a repair ---- */

static void repair_free(struct nk_repair *repair)
{
    if (!repair)
        return;
    free(repair->nodes);
    free(repair->events);
    free(repair->first);
    free(repair);
}

static enum nk_status repair_new(struct nk_history *history, struct nk_repair **out, struct nk_error *error)
{
    enum { SIZE = 256 };
    struct nk_repair *repair = calloc(1, sizeof *repair);
    struct node *nodes = calloc(SIZE, sizeof *nodes);
    if (!repair || !nodes) {
        free(repair);
        free(nodes);
        return out_of_memory(error);
    }
    repair->table = history->table;
    repair->work = &history->work;
    repair->nodes = nodes;
    repair->size = SIZE;
    *out = repair;
    return NK_OK;
}

/* The colour that wins a decided position. */
static enum nk_colour winner_of(enum nk_colour to_move, struct nk_value value)
{
    return value.result == NK_WIN ? to_move : nk_colour_other(to_move);
}

/* ---- the history ---- */

/* A position has occurred twice: it is a drawn end from now on. */
static enum nk_status add_drawn(struct nk_history *history, struct nk_position position,
                                enum nk_colour to_move, struct nk_error *error)
{
    struct nk_value value;
    enum nk_status status = nk_table_value(history->table, position, &value, error);
    if (status || value.result == NK_DRAW)
        return status;
    struct nk_repair **repair = &history->repairs[winner_of(to_move, value)];
    if (!*repair && (status = repair_new(history, repair, error)))
        return status;
    if (!(status = add_node(*repair, position, value.result == NK_WIN, true, error)))
        status = schedule(*repair, position, value.plies, error);
    return status;
}

static uint32_t most_work(uint64_t entries)
{
    if (entries <= NK_HISTORY_SMALL)
        return UINT32_MAX;
    return entries <= NK_HISTORY_LARGE ? NK_HISTORY_WORK : NK_HISTORY_WORK_LARGE;
}

enum nk_status nk_history_init(struct nk_history *history, struct nk_table *table, const struct nk_game *game,
                               int ply, const struct nk_move *next, struct nk_error *error)
{
    enum nk_status status = NK_OK;
    *history = (struct nk_history){.table = table, .work = most_work(nk_table_index(table)->entries)};
    for (int at = 0; at <= ply && !status; at++) {
        const struct nk_position position = nk_game_position_at(game, at);
        const enum nk_colour to_move = nk_game_to_move_at(game, at);
        if (nk_game_occurrences_at(game, at, position, to_move) == 2)
            status = add_drawn(history, position, to_move, error);
    }
    if (next && !status) {
        const struct nk_position after = nk_position_after(nk_game_position_at(game, ply), *next);
        const enum nk_colour to_move = nk_game_to_move_at(game, ply + 1);
        if (nk_game_occurrences_at(game, ply, after, to_move) == 1)
            status = add_drawn(history, after, to_move, error);
    }
    return status;
}

void nk_history_clear(struct nk_history *history)
{
    repair_free(history->repairs[NK_BLACK]);
    repair_free(history->repairs[NK_WHITE]);
}

enum nk_status nk_history_value(struct nk_history *history, struct nk_position position,
                                enum nk_colour to_move, struct nk_value *out, struct nk_error *error)
{
    struct nk_value value;
    enum nk_status status = nk_table_value(history->table, position, &value, error);
    if (status)
        return status;
    struct nk_repair *repair = value.result == NK_DRAW ? NULL : history->repairs[winner_of(to_move, value)];
    const struct node *node = NULL;
    while (repair) {
        node = find(repair, position, value.result == NK_WIN);
        const bool is_final = node ? node->drawn || node->plies != UNSETTLED : repair->ply > value.plies;
        if (is_final || is_done(repair))
            break;
        if ((status = advance(repair, error)))
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

enum nk_status nk_history_value_at(struct nk_table *table, const struct nk_game *game, int ply,
                                   struct nk_value *value, struct nk_error *error)
{
    struct nk_history history;
    struct nk_move_value moves[NK_MAX_MOVES];
    const struct nk_position position = nk_game_position_at(game, ply);
    const enum nk_colour to_move = nk_game_to_move_at(game, ply);
    int count = 0;
    enum nk_status status = nk_history_init(&history, table, game, ply, NULL, error);
    const bool changed = history.repairs[NK_BLACK] || history.repairs[NK_WHITE];
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
