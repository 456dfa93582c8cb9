/* neutreeko puzzle at a terminal: puzzles to solve, one after the other, and what the command prints without one, too.
 * `plies` is that of the win, an odd number, or NK_PUZZLE_DRAW. */
#ifndef NK_PUZZLE_SESSION_H
#define NK_PUZZLE_SESSION_H

#include "common/play/puzzle.h"

/* Prints a puzzle, with the task. */
void puzzle_print(const struct nk_rules *rules, const struct nk_puzzle *puzzle, int plies);

/* Reports that there are fewer puzzles than requested. */
void puzzle_report_shortage(struct nk_puzzle_count count, int plies);

/* Whether a person sits at both ends. */
bool puzzle_is_interactive(void);

/* Asks for moves until the person leaves, and prints the score and the seed. Returns the exit status. */
int puzzle_session(struct nk_table *table, int plies, uint64_t seed);

#endif
