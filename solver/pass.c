#include "solver/analysis.h"

#include <assert.h>
#include <string.h>

/* ---- loops over lanes ---- */

NK_INLINE void keep(nk_lanes *lanes, const nk_lanes *mask)
{
    for (int w = 0; w < NK_LANE_WORDS; w++)
        lanes->word[w] &= mask->word[w];
}

NK_INLINE void take_away(nk_lanes *lanes, const nk_lanes *mask)
{
    for (int w = 0; w < NK_LANE_WORDS; w++)
        lanes->word[w] &= ~mask->word[w];
}

NK_INLINE void add(nk_lanes *lanes, const nk_lanes *more)
{
    for (int w = 0; w < NK_LANE_WORDS; w++)
        lanes->word[w] |= more->word[w];
}

/* Marks the groups of pieces that some row with any[row] contains. */
NK_INLINE void want_groups(const struct nk_analysis *a, struct nk_worker *worker, const uint8_t *any)
{
    const uint32_t *group = a->slides.groups_of;
    memset(worker->wanted, 0, a->slides.groups);
    for (uint32_t r = 0; r < a->rows; r++, group += a->slides.pieces)
        if (any[r])
            for (int p = 0; p < a->slides.pieces; p++)
                worker->wanted[group[p]] = 1;
}

NK_INLINE void slide_wanted(const struct nk_analysis *a, struct nk_worker *worker, uint32_t slice,
                            const nk_lanes *from, bool inverted, nk_lanes *to, int vector_bytes)
{
    const nk_lanes *occupied = a->occupied + (size_t)slice * NK_MAX_SQUARES;
    from += (size_t)slice * a->rows;
    for (uint32_t g = 0; g < a->slides.groups; g++) {
        if (!worker->wanted[g])
            continue;
        if (vector_bytes == 64)
            nk_slide_64(&a->slides, g, from, inverted, occupied, worker->bench, to);
        else if (vector_bytes == 32)
            nk_slide_32(&a->slides, g, from, inverted, occupied, worker->bench, to);
        else
            nk_slide_16(&a->slides, g, from, inverted, occupied, worker->bench, to);
    }
}

/* Finds the open positions of a slice with a move into what the last pass decided. */
NK_INLINE void find_predecessors(struct nk_analysis *a, struct nk_worker *worker, uint32_t slice,
                                 int vector_bytes)
{
    const size_t first = (size_t)slice * a->rows;
    memset(a->found + first, 0, a->rows * sizeof *a->found);
    want_groups(a, worker, a->fresh_any + first);
    slide_wanted(a, worker, slice, a->fresh, false, a->found + first, vector_bytes);
    for (size_t at = first; at < first + a->rows; at++) {
        keep(&a->found[at], &a->open[at]);
        a->found_any[at] = !nk_is_empty(&a->found[at]);
    }
}

/* Of those it found, keeps the positions without an escape: a move that does not lead into almost_win. */
NK_INLINE void keep_lost(struct nk_analysis *a, struct nk_worker *worker, uint32_t slice, int vector_bytes)
{
    const size_t first = (size_t)slice * a->rows;
    for (size_t at = first; at < first + a->rows; at++)
        if (a->fresh_any[at])
            add(&a->almost_win[at], &a->fresh[at]);
    memset(worker->escapes, 0, a->rows * sizeof *worker->escapes);
    want_groups(a, worker, a->found_any + first);
    slide_wanted(a, worker, slice, a->almost_win, true, worker->escapes, vector_bytes);
    for (uint32_t r = 0; r < a->rows; r++) {
        take_away(&a->found[first + r], &worker->escapes[r]);
        a->found_any[first + r] = !nk_is_empty(&a->found[first + r]);
    }
}

/* Takes what a slice has found out of `open` and codes it. Returns how many positions that is. */
NK_INLINE uint64_t enter(struct nk_analysis *a, uint32_t slice, uint8_t code)
{
    const struct nk_orbit *others = &a->index->orbits[a->first_class + slice * NK_LANES];
    const nk_lanes small = a->small[slice];
    const uint64_t symmetries = (uint64_t)a->index->rules.symmetries;
    uint64_t entries = 0, missing = 0;
    for (uint32_t r = 0; r < a->rows; r++) {
        const size_t at = (size_t)slice * a->rows + r;
        if (!a->found_any[at])
            continue;
        const nk_lanes found = a->found[at];
        nk_lanes weighed = found;
        take_away(&a->open[at], &found);
        for (uint32_t w = 0; w < NK_LANE_WORDS; w++)
            entries += (uint64_t)__builtin_popcountll(found.word[w]);
        keep(&weighed, &small);
        if (!nk_is_empty(&weighed))
            for (uint32_t w = 0; w < NK_LANE_WORDS; w++)
                for (uint64_t left = weighed.word[w]; left; left &= left - 1)
                    missing += symmetries - others[w * 64 + (uint32_t)nk_first(left)].size;
        if (code == NK_CODE_WIN)
            continue;
        uint8_t *codes = a->codes + at * NK_LANES;
        for (uint32_t w = 0; w < NK_LANE_WORDS; w++)
            for (uint64_t left = found.word[w]; left; left &= left - 1)
                codes[w * 64 + (uint32_t)nk_first(left)] = code;
    }
    return entries * symmetries - missing;
}

/* One pass over a slice. */
NK_INLINE void pass(void *context, uint32_t slice, int number, int vector_bytes)
{
    struct nk_analysis *a = context;
    struct nk_worker *worker = &a->workers[number];
    find_predecessors(a, worker, slice, vector_bytes);
    if (a->code != NK_CODE_WIN)
        keep_lost(a, worker, slice, vector_bytes);
    a->decided[slice] = enter(a, slice, a->code);
}

/* Mirrors a square of bits at its diagonal: bit j of word i becomes bit i of word j. Swaps ever smaller
 * quarters. */
NK_INLINE void transpose(uint64_t block[64])
{
    uint64_t low = UINT32_MAX;
    for (uint32_t size = 32; size; size /= 2, low ^= low << size)
        for (uint32_t top = 0; top < 64; top += 2 * size)
            for (uint32_t i = top; i < top + size; i++) {
                const uint64_t swap = (block[i] >> size ^ block[i + size]) & low;
                block[i] ^= swap << size;
                block[i + size] ^= swap;
            }
}

/* Threads that fill different words of a row mark the same row. */
NK_INLINE void mark(uint8_t *any)
{
    __atomic_store_n(any, 1, __ATOMIC_RELAXED);
}

/* Up to so many words it takes less time to carry single bits than to transpose. */
enum { FEW_WORDS = 16 };

/* Hands what the slices of a->handed found over to `fresh`, for the 64 orbits of movers that share one word
 * of its columns. */
NK_INLINE void hand_over(void *context, uint32_t word)
{
    struct nk_analysis *a = context;
    const struct nk_index *index = a->index;
    const struct nk_orbit *movers = &index->orbits[a->first_class + word * 64];
    const uint32_t count = a->orbits - word * 64 < 64 ? a->orbits - word * 64 : 64;
    const uint32_t *seat = a->exchange.seat; /* NULL when alone: rows are numbered as configurations are */
    const size_t first = (size_t)(word / NK_LANE_WORDS) * a->rows;
    uint64_t *fresh = (uint64_t *)(a->fresh + first) + word % NK_LANE_WORDS;
    uint8_t *fresh_any = a->fresh_any + first;
    /* Every symmetry that takes a member of a orbit to its representative, for every member. */
    for (int g = 0; g < index->rules.symmetries; g++) {
        const int turn = index->rules.inverse[g];
        uint32_t seats[64] = {0};
        for (uint32_t i = 0; i < count; i++)
            seats[i] = seat ? seat[movers[i].images[g]] : movers[i].images[g];
        for (int s = 0; s < a->handed_count; s++) {
            const struct nk_source *source = &a->handed[s];
            const uint64_t *rows[64] = {0};
            uint8_t place[64] = {0};
            uint32_t filled = 0;
            for (uint32_t i = 0; i < count; i++) {
                rows[filled] = source->rows[seats[i]].word;
                place[filled] = (uint8_t)i;
                filled += source->any[seats[i]] != 0;
            }
            assert(filled <= count);
            for (uint32_t w = 0; filled && w < NK_LANE_WORDS; w++) {
                uint64_t block[64] = {0};
                uint64_t columns = 0;
                uint32_t words = 0;
                for (uint32_t i = 0; i < filled; i++) {
                    columns |= block[place[i]] = rows[i][w];
                    words += rows[i][w] != 0;
                }
                if (!columns)
                    continue;
                const struct nk_orbit *others =
                    &index->orbits[((size_t)source->slice * NK_LANE_WORDS + w) * 64];
                if (words < FEW_WORDS) {
                    for (uint32_t i = 0; i < filled; i++)
                        for (uint64_t left = rows[i][w]; left; left &= left - 1) {
                            const uint32_t other = others[nk_first(left)].images[turn];
                            fresh[(size_t)other * NK_LANE_WORDS] |= nk_bit(place[i]);
                            mark(&fresh_any[other]);
                        }
                    continue;
                }
                transpose(block);
                for (; columns; columns &= columns - 1) {
                    const uint32_t other = others[nk_first(columns)].images[turn];
                    fresh[(size_t)other * NK_LANE_WORDS] |= block[nk_first(columns)];
                    mark(&fresh_any[other]);
                }
            }
        }
    }
}

/* Behind the width stand the attributes of functions, if any. */
#define KERNELS(name, vector_bytes, ...)                                               \
    __VA_ARGS__ static void pass_##name(void *context, uint32_t slice, int number)     \
    {                                                                                  \
        pass(context, slice, number, vector_bytes);                                    \
    }                                                                                  \
    __VA_ARGS__ static void hand_over_##name(void *context, uint32_t word, int number) \
    {                                                                                  \
        (void)number;                                                                  \
        hand_over(context, word);                                                      \
    }                                                                                  \
    static const struct nk_kernels name##_kernels = {pass_##name, hand_over_##name}

KERNELS(base, 16, );
#ifdef __x86_64__
KERNELS(avx2, 32, __attribute__((target("avx2,popcnt,bmi,bmi2"))));
KERNELS(avx512, 64, __attribute__((target("avx512f,avx512bw,avx512vl,popcnt,bmi,bmi2"))));
#endif

const struct nk_kernels *nk_find_kernels(int vector_bytes)
{
#ifdef __x86_64__
    const bool avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi2");
    const bool avx512 = avx2 && __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl");
    /* Zen 4 works on its 512 bits in two halves, which takes longer than to ask for 256 at once. */
    const bool halves = __builtin_cpu_is("amdfam19h");
    if (avx512 && (vector_bytes == 64 || (!vector_bytes && !halves)))
        return &avx512_kernels;
    if (avx2 && (vector_bytes == 32 || !vector_bytes))
        return &avx2_kernels;
#endif
    return vector_bytes == 16 || !vector_bytes ? &base_kernels : NULL;
}

/* ---- the first ply and the last ---- */

/* Fills `open` with the legal positions that are not over, and `found` with those of them that have no move.
 */
void nk_open_positions(void *context, uint32_t slice, int number)
{
    struct nk_analysis *a = context;
    struct nk_worker *worker = &a->workers[number];
    const nk_lanes *occupied = a->occupied + (size_t)slice * NK_MAX_SQUARES;
    nk_lanes undecided = nk_no_lanes; /* columns that are orbits, and not won */
    for (uint32_t c = slice * NK_LANES; c < a->orbits && c < (slice + 1) * NK_LANES; c++)
        if (!a->won[a->index->orbits[a->first_class + c].images[0]])
            undecided.word[c % NK_LANES / 64] |= nk_bit(c % 64);

    nk_lanes *mobile = worker->escapes;
    memset(mobile, 0, a->rows * sizeof *mobile);
    memset(worker->wanted, 1, a->slides.groups);
    /* Nothing is in almost_win yet, so its complement is everything: every position with a move. */
    slide_wanted(a, worker, slice, a->almost_win, true, mobile, 16);
    for (uint32_t r = 0; r < a->rows; r++) {
        const size_t at = (size_t)slice * a->rows + r;
        nk_lanes legal = a->won[r] ? nk_no_lanes : undecided;
        for (uint64_t left = a->squares[r]; left; left &= left - 1)
            take_away(&legal, &occupied[nk_first(left)]);
        a->open[at] = a->found[at] = legal;
        keep(&a->open[at], &mobile[r]);
        take_away(&a->found[at], &mobile[r]);
        a->found_any[at] = !nk_is_empty(&a->found[at]);
    }
    a->decided[slice] = enter(a, slice, NK_CODE_DRAW);
}

/* Ply 0: the positions in which the side that waits has won. */
void nk_finished_positions(void *context, uint32_t slice, int number)
{
    (void)number;
    struct nk_analysis *a = context;
    const struct nk_index *index = a->index;
    const size_t first = (size_t)slice * a->rows;
    uint64_t finished = 0;
    memset(a->found + first, 0, a->rows * sizeof *a->found);
    memset(a->found_any + first, 0, a->rows);
    for (uint32_t c = slice * NK_LANES; c < a->orbits && c < (slice + 1) * NK_LANES; c++) {
        const struct nk_orbit *orbit = &index->orbits[a->first_class + c];
        const uint32_t representative = orbit->images[0];
        if (!a->won[representative])
            continue;
        for (uint32_t r = 0; r < a->rows; r++) {
            if (a->won[r] || a->squares[r] & a->squares[representative])
                continue;
            a->found[first + r].word[c % NK_LANES / 64] |= nk_bit(c % 64);
            a->found_any[first + r] = 1;
            a->codes[(first + r) * NK_LANES + c % NK_LANES] = nk_code_loss(0);
            finished += orbit->size;
        }
    }
    a->decided[slice] = finished;
}

/* What is still open when a pass adds nothing is drawn. */
void nk_draw_the_rest(void *context, uint32_t slice, int number)
{
    (void)number;
    struct nk_analysis *a = context;
    for (size_t at = (size_t)slice * a->rows; at < (size_t)(slice + 1) * a->rows; at++) {
        a->found[at] = a->open[at];
        a->found_any[at] = !nk_is_empty(&a->found[at]);
    }
    a->decided[slice] = enter(a, slice, NK_CODE_DRAW);
}
