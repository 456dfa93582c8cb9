/* Where the games of matches begin. */
#ifndef NK_COMMANDS_MATCH_START_H
#define NK_COMMANDS_MATCH_START_H

#include "player/opponents/match.h"

/* The argument and the beginning of the help text of --start. */
#define MATCH_START_ARGUMENT "POSITION|drawn|random|fair"
#define MATCH_START_HELP                                                                                       \
    "Begin every game at this position, such as the fair start fair:17, or each pair of games, one with each " \
    "side, at a random position: one that is drawn, any, or a fair start"

/* Sets where the games of a match begin to the value of --start; NULL is the start of the board. Returns the exit
 * status, after an error message unless it is EXIT_SUCCESS. A list of positions stays until the program ends. */
int match_start_read(struct nk_table *table, const char *start, struct nk_match *match);

#endif
