/* A game in progress: its history, threefold repetition, its end and why, undo and redo.
 * One thread at a time may use a game. */
#ifndef NK_GAME_H
#define NK_GAME_H

#include "common/position.h"

enum nk_end {
    NK_END_NONE,       /* the game goes on */
    NK_END_ROW,        /* a side has made its winning arrangement */
    NK_END_REPETITION, /* the third occurrence of a position: a draw */
    NK_END_STUCK,      /* the side to move has no move: a draw */
    NK_END_RESIGNED    /* the side to move has given up */
};

struct nk_game;

/* Begins a game from a position that passes nk_position_check. `rules` must outlive the game. NK_E_MEMORY.
 * The caller hands the game to nk_game_free. */
enum nk_status nk_game_begin(const struct nk_rules *rules, struct nk_position position,
                             enum nk_colour to_move, struct nk_game **game);
void nk_game_free(struct nk_game *game);

const struct nk_rules *nk_game_rules(const struct nk_game *game);

/* How the game stands now. */
struct nk_position nk_game_position(const struct nk_game *game);
enum nk_colour nk_game_to_move(const struct nk_game *game);

/* Whether and why the game is over. *winner (may be NULL) is set when the end has one: NK_END_ROW,
 * NK_END_RESIGNED. */
enum nk_end nk_game_end(const struct nk_game *game, enum nk_colour *winner);

/* Moves played so far: those not taken back, and all that are known. Each of them, and the position before
 * it; 0 <= ply < nk_game_known. nk_game_position_at also takes ply == nk_game_known. */
int nk_game_plies(const struct nk_game *game);
int nk_game_known(const struct nk_game *game);
struct nk_move nk_game_move_at(const struct nk_game *game, int ply);
struct nk_position nk_game_position_at(const struct nk_game *game, int ply);
enum nk_colour nk_game_to_move_at(const struct nk_game *game, int ply);

/* How often a position, with this side to move, has occurred so far, the position now included. */
int nk_game_occurrences(const struct nk_game *game, struct nk_position position, enum nk_colour to_move);

/* How often the position after `move` has occurred so far: 2 means that the move makes a draw by repetition.
 */
int nk_game_repeats(const struct nk_game *game, struct nk_move move);

/* Plays a move of the side to move; what had been taken back is forgotten. NK_E_MOVE with the reason in
 * *error (may be NULL): the game is over, no such piece, no straight line, blocked, stops elsewhere.
 * NK_E_MEMORY. */
enum nk_status nk_game_play(struct nk_game *game, struct nk_move move, struct nk_error *error);

/* NK_OK when the side to move may make this move in this position, else NK_E_MOVE with the reason in *error.
 */
enum nk_status nk_move_check(const struct nk_rules *rules, struct nk_position position,
                             enum nk_colour to_move, struct nk_move move, struct nk_error *error);

/* Takes back the last move, or plays again the last one taken back. False when there is none. A resignation
 * is taken back with the first undo, which then leaves the moves as they are. */
bool nk_game_undo(struct nk_game *game);
bool nk_game_redo(struct nk_game *game);

/* The side to move gives up. Without effect when the game is over. */
void nk_game_resign(struct nk_game *game);

#endif
