/* Matches: many games between two opponents, on all cores, the same whatever their number. */
#ifndef NK_MATCH_H
#define NK_MATCH_H

#include "player/opponents.h"

/* Where games begin. */
enum nk_start {
    NK_START_GIVEN,  /* at one position */
    NK_START_DRAWN,  /* each pair of games at a position of its own that is drawn with best play */
    NK_START_RANDOM, /* each pair of games at a position of its own, whatever it is worth */
};

enum { NK_SIDE_A, NK_SIDE_B, NK_SIDES };

struct nk_match {
    struct nk_opponent
        opponents[NK_SIDES]; /* not human; A is Black in games 0, 2, ..., B in games 1, 3, ... */
    enum nk_start start;
    struct nk_position position; /* of NK_START_GIVEN: passes nk_position_check, the mover has moves */
    enum nk_colour to_move;      /* of NK_START_GIVEN; in the others Black begins */
    uint64_t seed;               /* the same seed gives the same games */
    uint32_t games;              /* 1 or more */
    int threads;                 /* 1 or more */
    int max_plies;               /* a game as long as this is broken off as a draw; 1 or more */
};

struct nk_score {
    uint64_t wins[NK_SIDES];
    uint64_t draws;
    uint64_t plies;            /* of all games together */
    uint64_t thrown[NK_SIDES]; /* moves that gave a win or a draw away, by the table and, where a move ended
                                * the game by repetition, by that */
};

/* Plays the match. Random positions are taken from all positions that are not over, each as likely as any
 * other. Errors as nk_table_code; NK_E_POSITION when no drawn position is to be found; *error (may be NULL)
 * says more. */
enum nk_status nk_match_play(struct nk_table *table, const struct nk_match *match, struct nk_score *score,
                             struct nk_error *error);

#endif
