/* The scores of all positions in the verifier (verify.c), and the best move from each position of an orbit. */
#ifndef NK_VERIFY_MOVES_H
#define NK_VERIFY_MOVES_H

#include "common/table.h"

/* The value of a position for the side that moves into it; the best move is the one with the greatest score:
 *   no_move         there is no move; less than every score
 *   unmeasured_win  the mover wins; its distance is not known yet
 *   2, 3, ...       the mover wins; this is the code of the nearest loss that it can move into
 *   draw            nk_verifier.draw, which is greater than all codes
 *   above           the mover loses: 2 * draw + 1 - code, so a nearer loss has a greater score */
typedef int16_t nk_score;
static const nk_score no_move = 0, unmeasured_win = 1;
enum { NARROW_DRAW = 1 << 7, WIDE_DRAW = 1 << 8, SCORES = 2 * WIDE_DRAW };

/* As many sets of stationary pieces (all of a side but the one that slides) are processed at once. */
enum { VERIFY_LANES = 32 };

struct verify_lanes {
    nk_score of[VERIFY_LANES];
};

/* The state of one thread. While it processes an orbit, the other side stands on the squares of the orbit's canonical
 * configuration. The squares that are left free are numbered from 0, and the mover's configurations are ranked by
 * these numbers: its configuration with rank i belongs to entry i of the orbit. */
struct verify_worker {
    uint64_t count[SCORES]; /* legal positions with this score */
    uint64_t stalemates;
    uint32_t wrong_orbit; /* the lowest orbit with a disagreement; UINT32_MAX if there is none */
    struct nk_error error;

    /* The next free square in each direction, or nk_verifier.free. */
    uint8_t next[NK_DIRECTIONS][NK_MAX_SQUARES];
    /* [per_orbit + 1] by configuration of the mover: the score of moving into it, and of the best move from it. The
     * last element is for sliders on an occupied square: after[per_orbit] is no_move. */
    nk_score *after, *best;
    /* The configurations of the stationary pieces and a slider on each square. */
    uint32_t configuration[VERIFY_LANES][NK_MAX_SQUARES];
    /* Scores for a slider on this square: of stopping there, no_move if the square is occupied; of where it stops
     * in the end after arriving there; of its best slide from there. */
    struct verify_lanes here[NK_MAX_SQUARES], stop[NK_MAX_SQUARES + 1], reach[NK_MAX_SQUARES];
};

struct nk_verifier {
    const struct nk_index *index;
    uint8_t *narrow;   /* [entries] scores, if all are below 256; otherwise NULL */
    uint16_t *wide;    /* [entries] scores, if `narrow` is NULL */
    nk_score draw;     /* NARROW_DRAW or WIDE_DRAW */
    int free;          /* squares that a configuration leaves free */
    uint64_t *squares; /* [configurations] */
    uint8_t *won;      /* [configurations] whether it wins */
    uint8_t *place;    /* [orbit_count][squares] number of the square among those that the orbit's canonical
                          configuration leaves free */
    struct verify_worker *workers;
    int threads;
};

/* Atomic, since a thread can read the score of a win while another one measures it. Either value is below a draw, and
 * only the check, after all are measured, depends on which one it is. */
static inline nk_score nk_verify_score(const struct nk_verifier *v, uint64_t entry)
{
    return v->wide ? (nk_score)__atomic_load_n(&v->wide[entry], __ATOMIC_RELAXED)
                   : (nk_score)__atomic_load_n(&v->narrow[entry], __ATOMIC_RELAXED);
}

/* Fills worker->best for the positions of an orbit, from the scores of the positions after their moves. The orbit's
 * canonical configuration must not win. */
void nk_verify_best_moves(const struct nk_verifier *v, uint32_t orbit, struct verify_worker *worker);

#endif
