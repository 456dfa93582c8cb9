#include "solver/pass.h"

#include "solver/comm.h"

#include <string.h>

NK_INLINE void lanes_and(nk_lanes *lanes, const nk_lanes *mask)
{
    for (int w = 0; w < NK_LANE_WORDS; w++)
        lanes->word[w] &= mask->word[w];
}

NK_INLINE void lanes_andnot(nk_lanes *lanes, const nk_lanes *mask)
{
    for (int w = 0; w < NK_LANE_WORDS; w++)
        lanes->word[w] &= ~mask->word[w];
}

NK_INLINE void lanes_or(nk_lanes *lanes, const nk_lanes *more)
{
    for (int w = 0; w < NK_LANE_WORDS; w++)
        lanes->word[w] |= more->word[w];
}

/* Marks the stationary pieces of all configurations whose row is not empty: only their slides end or begin there. */
NK_INLINE void mark_active(const struct nk_analysis *a, struct nk_worker *worker, const uint8_t *nonempty)
{
    const uint32_t *stationary = a->slides.stationary_of;
    memset(worker->active, 0, a->slides.stationary_count);
    for (uint32_t r = 0; r < a->rows; r++, stationary += a->slides.pieces)
        if (nonempty[r])
            for (int p = 0; p < a->slides.pieces; p++)
                worker->active[stationary[p]] = 1;
}

/* nk_slide for all active sets of stationary pieces. `from` is a whole matrix, `to` one slice. */
NK_INLINE void slide_active(const struct nk_analysis *a, struct nk_worker *worker, uint32_t slice,
                            const nk_lanes *from, bool inverted, nk_lanes *to, int vector_bytes)
{
    const nk_lanes *occupied = a->occupied + (size_t)slice * NK_MAX_SQUARES;
    from += (size_t)slice * a->rows;
    for (uint32_t i = 0; i < a->slides.stationary_count; i++) {
        if (!worker->active[i])
            continue;
        if (vector_bytes == 64)
            nk_slide_64(&a->slides, i, from, inverted, occupied, worker->scratch, to);
        else if (vector_bytes == 32)
            nk_slide_32(&a->slides, i, from, inverted, occupied, worker->scratch, to);
        else
            nk_slide_16(&a->slides, i, from, inverted, occupied, worker->scratch, to);
    }
}

/* Sets `next` to the undecided positions with a move into the frontier. */
NK_INLINE void find_predecessors(struct nk_analysis *a, struct nk_worker *worker, uint32_t slice,
                                 int vector_bytes)
{
    const size_t first = (size_t)slice * a->rows;
    memset(a->next + first, 0, a->rows * sizeof *a->next);
    mark_active(a, worker, a->frontier_nonempty + first);
    slide_active(a, worker, slice, a->frontier, false, a->next + first, vector_bytes);
    for (size_t at = first; at < first + a->rows; at++) {
        lanes_and(&a->next[at], &a->undecided[at]);
        a->next_nonempty[at] = !nk_is_empty(&a->next[at]);
    }
}

/* Adds the frontier, which are wins, to `almost_win`, and removes from `next` the positions with an escape: a move
 * that does not lead into `almost_win`. The others are losses. */
NK_INLINE void keep_losses(struct nk_analysis *a, struct nk_worker *worker, uint32_t slice, int vector_bytes)
{
    const size_t first = (size_t)slice * a->rows;
    for (size_t at = first; at < first + a->rows; at++)
        if (a->frontier_nonempty[at])
            lanes_or(&a->almost_win[at], &a->frontier[at]);
    memset(worker->escapes, 0, a->rows * sizeof *worker->escapes);
    mark_active(a, worker, a->next_nonempty + first);
    slide_active(a, worker, slice, a->almost_win, true, worker->escapes, vector_bytes);
    for (uint32_t r = 0; r < a->rows; r++) {
        lanes_andnot(&a->next[first + r], &worker->escapes[r]);
        a->next_nonempty[first + r] = !nk_is_empty(&a->next[first + r]);
    }
}

/* Removes the positions of `next` from `undecided` and records their code. Returns how many positions of the game
 * they are: a bit stands for as many as its column's orbit has configurations. */
NK_INLINE uint64_t record(struct nk_analysis *a, uint32_t slice, uint8_t code)
{
    const struct nk_orbit *orbits = &a->index->orbits[a->share.first_orbit + slice * NK_LANES];
    const nk_lanes self_symmetric = a->self_symmetric[slice];
    const uint64_t symmetries = (uint64_t)a->index->rules.symmetries;
    uint64_t bits = 0, missing = 0; /* missing: from `symmetries` positions for each bit */
    for (uint32_t r = 0; r < a->rows; r++) {
        const size_t at = (size_t)slice * a->rows + r;
        if (!a->next_nonempty[at])
            continue;
        const nk_lanes next = a->next[at];
        nk_lanes in_small_orbits = next;
        lanes_andnot(&a->undecided[at], &next);
        for (uint32_t w = 0; w < NK_LANE_WORDS; w++)
            bits += (uint64_t)__builtin_popcountll(next.word[w]);
        lanes_and(&in_small_orbits, &self_symmetric);
        if (!nk_is_empty(&in_small_orbits))
            for (uint32_t w = 0; w < NK_LANE_WORDS; w++)
                for (uint64_t left = in_small_orbits.word[w]; left; left &= left - 1)
                    missing += symmetries - orbits[w * 64 + (uint32_t)nk_first(left)].size;
        if (code == NK_CODE_WIN)
            continue; /* which all codes are at first */
        uint8_t *codes = a->codes + at * NK_LANES;
        for (uint32_t w = 0; w < NK_LANE_WORDS; w++)
            for (uint64_t left = next.word[w]; left; left &= left - 1)
                codes[w * 64 + (uint32_t)nk_first(left)] = code;
    }
    return bits * symmetries - missing;
}

NK_INLINE void pass(void *context, uint32_t slice, int number, int vector_bytes)
{
    struct nk_analysis *a = context;
    struct nk_worker *worker = &a->workers[number];
    find_predecessors(a, worker, slice, vector_bytes);
    if (a->code != NK_CODE_WIN)
        keep_losses(a, worker, slice, vector_bytes);
    a->decided[slice] = record(a, slice, a->code);
}

NK_DEFINE_KERNELS(nk_pass, pass)

/* ---- the first steps and the last ---- */

void nk_init_undecided(void *context, uint32_t slice, int number)
{
    struct nk_analysis *a = context;
    struct nk_worker *worker = &a->workers[number];
    const nk_lanes *occupied = a->occupied + (size_t)slice * NK_MAX_SQUARES;
    nk_lanes not_won = nk_no_lanes; /* columns in which the other side has not won */
    for (uint32_t c = slice * NK_LANES; c < a->share.orbits && c < (slice + 1) * NK_LANES; c++)
        if (!a->won[a->index->orbits[a->share.first_orbit + c].images[0]])
            not_won.word[c % NK_LANES / 64] |= nk_bit(c % 64);

    /* `almost_win` is still empty, so every move leads outside it: every position with a move has an escape. */
    nk_lanes *mobile = worker->escapes;
    memset(mobile, 0, a->rows * sizeof *mobile);
    memset(worker->active, 1, a->slides.stationary_count);
    slide_active(a, worker, slice, a->almost_win, true, mobile, 16);
    for (uint32_t r = 0; r < a->rows; r++) {
        const size_t at = (size_t)slice * a->rows + r;
        nk_lanes legal = a->won[r] ? nk_no_lanes : not_won;
        for (uint64_t left = a->squares[r]; left; left &= left - 1)
            lanes_andnot(&legal, &occupied[nk_first(left)]);
        a->undecided[at] = a->next[at] = legal;
        lanes_and(&a->undecided[at], &mobile[r]);
        lanes_andnot(&a->next[at], &mobile[r]);
        a->next_nonempty[at] = !nk_is_empty(&a->next[at]);
    }
    a->decided[slice] = record(a, slice, NK_CODE_DRAW);
}

void nk_decide_finished(void *context, uint32_t slice, int number)
{
    (void)number;
    struct nk_analysis *a = context;
    const size_t first = (size_t)slice * a->rows;
    uint64_t decided = 0;
    memset(a->next + first, 0, a->rows * sizeof *a->next);
    memset(a->next_nonempty + first, 0, a->rows);
    for (uint32_t c = slice * NK_LANES; c < a->share.orbits && c < (slice + 1) * NK_LANES; c++) {
        const struct nk_orbit *orbit = &a->index->orbits[a->share.first_orbit + c];
        const uint32_t other = orbit->images[0];
        if (!a->won[other])
            continue;
        for (uint32_t r = 0; r < a->rows; r++) {
            if (a->won[r] || a->squares[r] & a->squares[other])
                continue;
            a->next[first + r].word[c % NK_LANES / 64] |= nk_bit(c % 64);
            a->next_nonempty[first + r] = 1;
            a->codes[(first + r) * NK_LANES + c % NK_LANES] = nk_code_loss(0);
            decided += orbit->size;
        }
    }
    a->decided[slice] = decided;
}

void nk_decide_draws(void *context, uint32_t slice, int number)
{
    (void)number;
    struct nk_analysis *a = context;
    for (size_t at = (size_t)slice * a->rows; at < (size_t)(slice + 1) * a->rows; at++) {
        a->next[at] = a->undecided[at];
        a->next_nonempty[at] = !nk_is_empty(&a->next[at]);
    }
    a->decided[slice] = record(a, slice, NK_CODE_DRAW);
}

uint64_t nk_run_step(struct nk_analysis *a, nk_work *step)
{
    uint64_t decided = 0;
    nk_parallel(a->threads, a->share.slices, step, a);
    for (uint32_t s = 0; s < a->share.slices; s++)
        decided += a->decided[s];
    nk_comm_sum(&decided, 1);
    return decided;
}
