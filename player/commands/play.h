/* The parts of neutreeko play. */
#ifndef NK_PLAY_H
#define NK_PLAY_H

#include "player/opponents.h"

/* The command line. */
struct play {
    struct nk_table *table;
    struct nk_opponent players[2]; /* by colour */
    struct nk_position start;
    enum nk_colour first; /* the side to move at the start */
    uint64_t random;      /* the state of nk_random */
    bool hints, stats, flip, colour;
};

/* Plays with people at the terminal or through a pipe until they leave; without people, plays one game to its end.
 * Returns the exit status. */
int play_session(struct play *play);

/* Plays one game by the four-character protocol; `first`: this program moves first. Returns the exit status. */
int play_four_character(struct play *play, bool first);

#endif
