/* Exact values of positions in a game, which depend on its history because of threefold repetition.
 *
 * The third occurrence of a position is a draw. The value of the game is therefore that of a game in which every
 * position that has already occurred twice is a final draw. This is exact: a winner whose distance decreases with
 * every move never repeats a position, so positions that have occurred once do not matter, and a defender who can
 * avoid losing forever reaches a third occurrence.
 *
 * Compared with the table, a draw stays a draw, and a win or a loss takes longer or becomes a draw: a final draw
 * removes a position that the winner could have reached, and gives the loser only draws. Hence only decided positions
 * that have occurred twice matter, and only to the positions that the same side wins. The changes are computed in
 * order of increasing distance, as far as the queried positions require.
 *
 * A history grows with its game: what is known of the earlier plies is kept. */
#ifndef NK_HISTORY_H
#define NK_HISTORY_H

#include "common/table/lookup.h"
#include "common/game/game.h"
#include "common/play/stop.h"

/* The changes to the positions that one side wins in the table. */
struct nk_changes {
    struct nk_history *history;
    /* [size], a hash table with linear probing. An empty slot has an empty position. */
    struct nk_changed *nodes;
    size_t size;             /* a power of two, or 0 */
    size_t used;             /* slots, at most half of them; 0: no position has changed */
    struct nk_event *events; /* [event_room] */
    uint32_t event_count, event_room;
    uint32_t unused;  /* the first of the events that have been processed, or no event */
    uint32_t pending; /* the number of events that have not been processed */
    uint32_t *first;  /* [plies] the first pending event of each ply */
    int plies;
    int ply; /* no event of an earlier ply is pending */
};

/* The history of a game up to some ply. One thread at a time may use it. It must not be moved or copied. */
struct nk_history {
    struct nk_table *table;
    const struct nk_stop *stop;   /* asked during the work, or NULL */
    uint32_t lookups;             /* what is left of the bound on the work */
    bool exact;                   /* all values since the last ply was added are exact */
    bool complete;                /* all positions that have occurred twice were added */
    struct nk_changes changes[2]; /* of positions that Black and White win */
};

/* The bound on the work to compute the changes for one decision: table lookups, and positions to update. It is
 * NK_HISTORY_LOOKUPS_SMALL for tables of at most NK_HISTORY_SMALL entries, such as that of the standard board,
 * NK_HISTORY_LOOKUPS for at most NK_HISTORY_LARGE entries, and NK_HISTORY_LOOKUPS_LARGE for larger tables, where nearly
 * every lookup needs another block of the file. Beyond the bound, or when the work is stopped, a position counts as a
 * draw if its value is known to have changed but not yet to what; any other has the last value that is known, which is
 * that in the table or one of an earlier ply. Such a value is not exact. */
enum {
    NK_HISTORY_SMALL = 1 << 20,
    NK_HISTORY_LARGE = 1 << 26,
    NK_HISTORY_LOOKUPS_SMALL = 1 << 23,
    NK_HISTORY_LOOKUPS = 1 << 20,
    NK_HISTORY_LOOKUPS_LARGE = 1 << 16,
};

/* Begins the history of a game, without positions. `stop` (may be NULL) is asked after every 256 lookups. NK_E_RULES if
 * the game has another board than the table. The caller calls nk_history_clear, also after an error. */
enum nk_status nk_history_begin(struct nk_history *history, struct nk_table *table,
                                const struct nk_game *game, const struct nk_stop *stop,
                                struct nk_error *error);

/* Adds the position at the next ply of the game: all plies from 0 on are added in turn. The work that is allowed begins
 * again, and the history becomes exact. Reads the table only if a position occurs for the second time. Errors as
 * nk_table_value; the same ply can be added again after NK_E_READ. */
enum nk_status nk_history_add(struct nk_history *history, const struct nk_game *game, int ply,
                              struct nk_error *error);

/* Initialises a history from the positions at plies 0 to `ply`, 0 <= ply <= nk_game_known(game). Errors as
 * nk_history_begin and nk_table_value. The caller calls nk_history_clear, also after an error. */
enum nk_status nk_history_init(struct nk_history *history, struct nk_table *table, const struct nk_game *game,
                               int ply, const struct nk_stop *stop, struct nk_error *error);

/* Initialises a copy of a history to which the position after `move` has been added, a legal move at `ply`, the last
 * ply that was added. It may do the work that the other one may still do. Otherwise as nk_history_init. */
enum nk_status nk_history_init_after(struct nk_history *history, const struct nk_history *before,
                                     const struct nk_game *game, int ply, struct nk_move move,
                                     struct nk_error *error);
void nk_history_clear(struct nk_history *history);

/* Sets *value to the value of a position that a move reaches, and history->exact to false if it is not exact. Errors as
 * nk_table_value; the call can be repeated after NK_E_READ. */
enum nk_status nk_history_value(struct nk_history *history, struct nk_position position,
                                enum nk_colour to_move, struct nk_value *value, struct nk_error *error);

/* Sets *value to the value of the position at the ply that was added last, for the side to move. Otherwise as
 * nk_history_value. */
enum nk_status nk_history_value_at(struct nk_history *history, const struct nk_game *game, int ply,
                                   struct nk_value *value, struct nk_error *error);

/* Lists the moves of a position with their values in the order of nk_table_moves. Otherwise as nk_history_value. */
enum nk_status nk_history_moves(struct nk_history *history, struct nk_position position,
                                enum nk_colour to_move, struct nk_move_value moves[NK_MAX_MOVES], int *count,
                                struct nk_error *error);

/* Lists the replies to a legal move at the ply that was added last. Otherwise as nk_history_value. */
enum nk_status nk_history_replies(struct nk_history *history, const struct nk_game *game, int ply,
                                  struct nk_move move, struct nk_move_value replies[NK_MAX_MOVES], int *count,
                                  struct nk_error *error);

#endif
