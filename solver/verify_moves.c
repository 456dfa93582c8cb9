#include "solver/verify_moves.h"

#include <string.h>

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

void nk_verify_best_moves(const struct nk_verifier *v, uint32_t orbit, struct verify_worker *w)
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
