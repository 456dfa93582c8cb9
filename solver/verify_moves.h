/* The scores of all positions in the verifier (verify.c), and the best move from each position of an orbit. Only
 * verify.c includes this file: compiled as a unit of its own it takes 8 % longer to verify a table. */
#ifndef NK_VERIFY_MOVES_H
#define NK_VERIFY_MOVES_H

#include "common/table.h"

#include <string.h>

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

static void prefetch_score(const struct nk_verifier *v, uint64_t entry)
{
    if (v->wide)
        __builtin_prefetch(&v->wide[entry]);
    else
        __builtin_prefetch(&v->narrow[entry]);
}

/* Fills after[]: the scores of the positions in which the pieces on `other` are to move, against each configuration
 * that does not overlap them. Their entries are all over memory, so many are prefetched at once. */
static void look_up_scores(const struct nk_verifier *v, uint64_t other, nk_score *after)
{
    enum { BATCH = 64 };
    const struct nk_index *index = v->index;
    const int pieces = index->rules.pieces;
    uint8_t images[NK_SYMMETRIES][NK_MAX_PIECES]; /* the squares of `other` under each symmetry */
    uint64_t entries[BATCH];
    for (int g = 0; g < index->rules.symmetries; g++) {
        uint64_t image = nk_rules_image(&index->rules, g, other);
        for (int p = 0; p < pieces; p++, image &= image - 1)
            images[g][p] = (uint8_t)nk_first(image);
    }
    for (uint32_t r = 0; r < index->configurations;) {
        int count = 0;
        for (; r < index->configurations && count < BATCH; r++) {
            if (v->squares[r] & other)
                continue;
            const uint32_t orbit = index->orbit_of[r];
            const uint8_t *place = v->place + (size_t)orbit * (size_t)index->rules.squares;
            uint64_t entry = (uint64_t)orbit * index->per_orbit;
            for (int p = 0; p < pieces; p++)
                entry += index->choose[place[images[index->to_canonical[r]][p]]][p + 1];
            prefetch_score(v, entry);
            entries[count++] = entry;
        }
        for (int i = 0; i < count; i++)
            *after++ = nk_verify_score(v, entries[i]);
    }
}

static void fill_next(const struct nk_verifier *v, uint64_t other, struct verify_worker *w)
{
    const struct nk_rules *rules = &v->index->rules;
    uint8_t number[NK_MAX_SQUARES], count = 0;
    for (int s = 0; s < rules->squares; s++)
        number[s] = other & nk_bit(s) ? (uint8_t)v->free : count++;
    for (int d = 0; d < NK_DIRECTIONS; d++)
        for (int s = 0; s < rules->squares; s++) {
            const int on = rules->next[d][s];
            if (number[s] < v->free)
                w->next[d][number[s]] = on == NK_NO_SQUARE ? (uint8_t)v->free : number[on];
        }
}

/* Ranks the configurations of the stationary pieces and a slider on each free square; per_orbit for the squares of
 * the stationary pieces. The rank is a sum of binomial coefficients (common/index.h). A slider after the first
 * `below` stationary pieces moves the others up by one in this sum. */
static void rank_configurations(const struct nk_verifier *v, uint64_t stationary, uint32_t *configuration)
{
    const uint32_t(*choose)[NK_MAX_PIECES + 1] = v->index->choose;
    uint32_t rank = 0; /* the terms of the stationary pieces */
    int below = 0;
    for (uint64_t left = stationary; left; left &= left - 1)
        rank += choose[nk_first(left)][++below + 1];
    below = 0;
    for (int s = 0; s < v->free; s++) {
        const int end = stationary ? nk_first(stationary) : v->free;
        for (; s < end; s++)
            configuration[s] = rank + choose[s][below + 1];
        if (!stationary)
            break;
        configuration[s] = v->index->per_orbit;
        below++;
        rank += choose[s][below] - choose[s][below + 1];
        stationary &= stationary - 1;
    }
}

/* Computes `stop` and `reach` of a square for one direction. `next` is `stop` of the next square in this
 * direction. */
static void slide_from(const struct verify_lanes *restrict next, const struct verify_lanes *restrict here,
                       struct verify_lanes *restrict stop, struct verify_lanes *restrict reach)
{
    for (int l = 0; l < VERIFY_LANES; l++) {
        const nk_score there = next->of[l];
        reach->of[l] = there > reach->of[l] ? there : reach->of[l];
        stop->of[l] = here->of[l] ? (there ? there : here->of[l]) : no_move;
    }
}

static void slide(const struct nk_verifier *v, struct verify_worker *w)
{
    memset(w->reach, 0, sizeof w->reach);
    for (int d = 0; d < NK_DIRECTIONS; d++) {
        /* Each square needs the next one in the direction, so squares are visited against it. */
        const bool is_rising = d <= NK_EAST || d == NK_NORTH_WEST;
        for (int i = 0; i < v->free; i++) {
            const int s = is_rising ? v->free - 1 - i : i;
            slide_from(&w->stop[w->next[d][s]], &w->here[s], &w->stop[s], &w->reach[s]);
        }
    }
}

/* Fills worker->best for the positions of an orbit, from the scores of the positions after their moves. The orbit's
 * canonical configuration must not win. */
static inline void best_moves(const struct nk_verifier *v, uint32_t orbit, struct verify_worker *w)
{
    const struct nk_index *index = v->index;
    const uint64_t other = v->squares[index->orbits[orbit].images[0]];
    const int pieces = index->rules.pieces - 1;
    const uint32_t sets = index->choose[v->free][pieces]; /* of stationary pieces */
    uint64_t stationary = nk_bit(pieces) - 1;
    look_up_scores(v, other, w->after);
    fill_next(v, other, w);
    memset(w->best, 0, index->per_orbit * sizeof *w->best);
    memset(&w->stop[v->free], 0, sizeof w->stop[v->free]);
    for (uint32_t done = 0; done < sets; done += VERIFY_LANES) {
        const int lanes = sets - done < VERIFY_LANES ? (int)(sets - done) : VERIFY_LANES;
        for (int l = 0; l < lanes; l++, stationary = nk_index_next(stationary)) {
            rank_configurations(v, stationary, w->configuration[l]);
            for (int s = 0; s < v->free; s++)
                w->here[s].of[l] = w->after[w->configuration[l][s]];
        }
        slide(v, w);
        for (int l = 0; l < lanes; l++)
            for (int s = 0; s < v->free; s++) {
                nk_score *best = &w->best[w->configuration[l][s]];
                *best = w->reach[s].of[l] > *best ? w->reach[s].of[l] : *best;
            }
    }
}

#endif
