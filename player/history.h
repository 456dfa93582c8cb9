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
 * order of increasing distance, as far as the queried positions require. */
#ifndef NK_HISTORY_H
#define NK_HISTORY_H

#include "common/table.h"
#include "player/game.h"

/* The changes to the positions that one side wins in the table. */
struct nk_changes {
    struct nk_table *table;
    uint32_t *lookups; /* table lookups that are still allowed */
    struct nk_changed
        *nodes;  /* [size], a hash table with linear probing; an empty slot has an empty position */
    size_t size; /* a power of two, or 0 */
    size_t used; /* slots, at most half of them; 0: no position has changed */
    struct nk_event *events; /* [event_room] */
    uint32_t event_count, event_room;
    uint32_t *first; /* [plies] the first event of each ply */
    int plies;
    int ply; /* all changes to distances below this one are known */
};

/* The history of a game up to some ply. One thread at a time may use it. It must not be moved or copied. */
struct nk_history {
    struct nk_table *table;
    uint32_t lookups;             /* table lookups that are still allowed */
    struct nk_changes changes[2]; /* of positions that Black and White win */
};

/* The maximum number of table lookups to compute the changes for one decision. It is unlimited for tables of at most
 * NK_HISTORY_SMALL entries, such as that of the standard board, NK_HISTORY_LOOKUPS for at most NK_HISTORY_LARGE entries,
 * and NK_HISTORY_LOOKUPS_LARGE for larger tables, where nearly every lookup needs another block of the file. Beyond the
 * maximum, a position counts as a draw if its value is known to have changed but not yet to what; any other has its value
 * in the table. */
enum {
    NK_HISTORY_SMALL = 1 << 20,
    NK_HISTORY_LARGE = 1 << 26,
    NK_HISTORY_LOOKUPS = 1 << 20,
    NK_HISTORY_LOOKUPS_LARGE = 1 << 16,
};

/* Initialises a history from the positions at plies 0 to `ply`, 0 <= ply <= nk_game_known(game), and the position
 * after `next`, a legal move at that ply, if it is not NULL. Reads the table only if a position has occurred twice.
 * Errors as nk_table_value. The caller calls nk_history_clear, also after an error. */
enum nk_status nk_history_init(struct nk_history *history, struct nk_table *table, const struct nk_game *game,
                               int ply, const struct nk_move *next, struct nk_error *error);
void nk_history_clear(struct nk_history *history);

/* Sets *value to the value of a position that a move reaches. Errors as nk_table_value. */
enum nk_status nk_history_value(struct nk_history *history, struct nk_position position,
                                enum nk_colour to_move, struct nk_value *value, struct nk_error *error);

/* Sets *value to the value of the position at a ply of the game for the side to move,
 * 0 <= ply <= nk_game_known(game). Errors as nk_table_value. */
enum nk_status nk_history_value_at(struct nk_table *table, const struct nk_game *game, int ply,
                                   struct nk_value *value, struct nk_error *error);

/* Lists the moves of a position with their values in the order of nk_table_moves. Errors as nk_table_value. */
enum nk_status nk_history_moves(struct nk_history *history, struct nk_position position,
                                enum nk_colour to_move, struct nk_move_value moves[NK_MAX_MOVES], int *count,
                                struct nk_error *error);

/* The same for the moves at a ply of a game, 0 <= ply <= nk_game_known(game), or, if `next` is not NULL, for the replies
 * to this legal move. */
enum nk_status nk_history_moves_at(struct nk_table *table, const struct nk_game *game, int ply,
                                   const struct nk_move *next, struct nk_move_value moves[NK_MAX_MOVES],
                                   int *count, struct nk_error *error);

#endif
