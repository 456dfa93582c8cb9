/* neutreeko puzzle at a terminal: puzzles to solve, one after the other. */
#ifndef NK_PUZZLE_SESSION_H
#define NK_PUZZLE_SESSION_H

#include "common/play/puzzle.h"

struct puzzle_session {
    struct nk_table *table;
    int plies; /* of the win, an odd number, or NK_PUZZLE_DRAW */
    uint64_t random;
    void (*print)(const struct nk_rules *rules, const struct nk_puzzle *puzzle); /* with the task */
    void (*report_none)(struct nk_puzzle_count count); /* there is nothing to solve */
};

/* Whether a person sits at both ends. */
bool puzzle_is_interactive(void);

/* Asks for moves until the person leaves, and prints the score and the seed. Returns the exit status. */
int puzzle_session(struct puzzle_session *session);

#endif
