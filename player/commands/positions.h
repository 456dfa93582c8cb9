/* Positions as people write them: the one reader for arguments, options and lines of standard input.
 *
 * A text is "[POSITION] [MOVE]...": a position, moves, or moves that are played from the position. A position is in the
 * notation of nk_position_parse or a fair start: `fair:N` is number N, `fair` a random one. Blanks, commas, the
 * numbers of moves and a comment from '#' on are skipped. */
#ifndef NK_POSITIONS_H
#define NK_POSITIONS_H

#include "common/table/lookup.h"

/* Whether a text contains nothing but what is skipped. */
bool position_is_blank(const char *text);

/* Whether a text begins with a random fair start. */
bool position_is_fair(const char *text);

/* Arguments, and the position that was read from them. */
struct position_words {
    const char *const *words; /* those that are left */
    int count;
    struct nk_position position;
    enum nk_colour to_move;
    const char *wrong; /* the argument that the error is in, or NULL if reading the table failed */
};

/* Reads the position at the beginning of the arguments: that of the first text, and the moves of those after it that
 * begin with a move. Moves alone, and no arguments at all, begin at the start of the game, with Black to move; on a
 * board without one, at that of nk_start_proposal, which is printed to standard error the first time. So is the number
 * of a fair start that was chosen at random, with --seed. read->words and read->count become the arguments after these,
 * even after an error. NK_E_SYNTAX for a text that is not a position of the board, NK_E_POSITION for an illegal
 * one or if there is no such start, NK_E_MOVE for an invalid or illegal move, NK_E_UNSUPPORTED for a fair start of a
 * table without trap values; NK_E_READ, NK_E_CORRUPT, NK_E_MEMORY. */
enum nk_status position_read(struct nk_table *table, struct position_words *read, struct nk_error *error);

/* Lists the fair starts as nk_fair_starts does; NK_E_POSITION if there are none. */
enum nk_status position_fair_starts(struct nk_table *table, struct nk_position **starts, uint64_t *count,
                                    struct nk_error *error);

/* Writes why position_read has rejected the argument `wrong`, as a message for people. Returns out. */
enum { POSITION_ERROR = 500 };
const char *position_error(const struct nk_rules *rules, const char *wrong, const struct nk_error *error,
                           char out[POSITION_ERROR]);

/* Reads the value of --start, or the start of the game for NULL. Returns the exit status, after an error message unless
 * it is EXIT_SUCCESS. */
int position_read_start(struct nk_table *table, const char *text, struct nk_position *position,
                        enum nk_colour *to_move);

#endif
