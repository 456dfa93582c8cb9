/* neutreeko play: what its command line asks for. */
#ifndef NK_PLAY_H
#define NK_PLAY_H

#include "player/commands/common.h"
#include "common/play/opponents.h"
#include "player/terminal/display.h"

/* The command line. */
struct play {
    struct nk_table *table;
    struct nk_opponent players[2]; /* by colour */
    /* What was named, so that --load does not change it: the players of the colours, or the side of the person and the
     * opponent of this side. */
    bool is_player_named[2], is_side_named, is_opponent_named;
    enum nk_colour side;
    struct nk_position start;
    enum nk_colour first; /* the side to move at the start */
    const char *load;     /* the file to begin with, or NULL */
    uint64_t game;        /* the number of the game in this file, or 0 for the only one */
    uint64_t random;      /* the state of nk_random */
    bool resumes;         /* `load` is a game from the state directory, where it is continued */
    bool unrecorded;      /* games are not recorded in the state directory */
    bool hints, stats;
    struct nk_board_view view;
};

/* Plays with people at the terminal or through a pipe until they leave; without people, plays one game to its end.
 * Returns the exit status. */
int play_session(struct play *play);

/* Prints the part of the help text that lists the commands of the prompt. */
void play_print_commands(void);

#endif
