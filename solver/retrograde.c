#include "solver/retrograde.h"

#include "common/parallel.h"

#include <stdlib.h>
#include <string.h>

/* What a thread needs for the slice at hand. */
struct worker {
    nk_lanes *escapes; /* [rows] positions with a move that does not lose */
    struct nk_bench *bench;
    uint8_t *wanted; /* [groups] groups that can matter */
};

/* Two ways to see the same position (mover m, other o), each a bit matrix in slices (see slide.h):
 *   by mover   row m, column the class of o: how a pass finds positions, since a slide changes m and keeps o
 *   by other   row o, column the class of m: how a pass looks up where its moves lead, since after the move
 * the roles are exchanged and the row is again the side that slid `hand_over` carries what a pass found from
 * the first to the second, turning each position so that the side that becomes the column stands as its
 * class's representative. */
struct analysis {
    const struct nk_index *index;
    const struct kernels *kernels;
    struct nk_slides slides;
    uint32_t rows;   /* arrangements */
    uint32_t slices; /* of NK_LANES classes */

    uint64_t *squares;  /* [rows] each arrangement's squares */
    uint8_t *won;       /* [rows] whether it wins */
    nk_lanes *occupied; /* [slices][NK_MAX_SQUARES] columns whose representative stands on a square */
    nk_lanes *small;    /* [slices] columns of classes with fewer members than there are symmetries */

    nk_lanes *open;       /* by mover: positions not decided yet */
    nk_lanes *found;      /* by mover: what this pass decides */
    nk_lanes *fresh;      /* by other: what the last pass decided */
    nk_lanes *almost_win; /* by other */
    uint8_t *found_any;   /* [slices][rows] the row of `found` is not empty */
    uint8_t *fresh_any;   /* the same of `fresh` */
    uint8_t *codes;       /* [slices][rows][NK_LANES] by mover */

    struct worker *workers; /* [threads] */
    int threads;

    /* Of the pass at hand. */
    uint8_t code;      /* what it writes */
    uint64_t *decided; /* [slices] how many positions it decided */
};

static const nk_lanes no_lanes = {{0}};

static void *new_lanes(size_t count)
{
    void *lanes = aligned_alloc(sizeof(nk_lanes), count * sizeof(nk_lanes));
    if (lanes)
        memset(lanes, 0, count * sizeof(nk_lanes));
    return lanes;
}

static void end(struct analysis *a)
{
    nk_slides_free(&a->slides);
    free(a->squares);
    free(a->won);
    free(a->occupied);
    free(a->small);
    free(a->open);
    free(a->found);
    free(a->fresh);
    free(a->almost_win);
    free(a->found_any);
    free(a->fresh_any);
    free(a->codes);
    for (int w = 0; a->workers && w < a->threads; w++) {
        free(a->workers[w].escapes);
        free(a->workers[w].bench);
        free(a->workers[w].wanted);
    }
    free(a->workers);
    free(a->decided);
}

static void describe_columns(struct analysis *a)
{
    const struct nk_index *index = a->index;
    for (uint32_t c = 0; c < index->class_count; c++) {
        const uint32_t slice = c / NK_LANES, word = c % NK_LANES / 64;
        if (index->classes[c].size < (uint32_t)index->rules.symmetries)
            a->small[slice].word[word] |= nk_bit(c % 64);
        for (uint64_t left = a->squares[index->classes[c].images[0]]; left; left &= left - 1)
            a->occupied[(size_t)slice * NK_MAX_SQUARES + (size_t)nk_first(left)].word[word] |= nk_bit(c % 64);
    }
}

static void describe_rows(struct analysis *a)
{
    uint64_t squares = nk_bit(a->index->rules.pieces) - 1;
    for (uint32_t r = 0; r < a->rows; r++, squares = nk_index_next(squares)) {
        a->squares[r] = squares;
        a->won[r] = nk_rules_won(&a->index->rules, squares);
    }
}

static bool begin_workers(struct analysis *a)
{
    for (int w = 0; w < a->threads; w++) {
        struct worker *worker = &a->workers[w];
        worker->escapes = new_lanes(a->rows);
        worker->bench = new_lanes(sizeof *worker->bench / sizeof(nk_lanes));
        worker->wanted = malloc(a->slides.groups);
        if (!worker->escapes || !worker->bench || !worker->wanted)
            return false;
    }
    return true;
}

static enum nk_status begin(struct analysis *a, const struct nk_index *index, int threads)
{
    memset(a, 0, sizeof *a);
    a->index = index;
    a->rows = index->arrangements;
    a->slices = (index->class_count + NK_LANES - 1) / NK_LANES;
    /* A slice is work for one; on a board with a single one, starting threads would take longer than it
     * saves. */
    a->threads = (uint32_t)threads < a->slices ? threads : (int)a->slices;
    const size_t all_rows = (size_t)a->slices * a->rows;
    if (nk_slides_make(index, &a->slides))
        return NK_E_MEMORY;
    a->squares = malloc(a->rows * sizeof *a->squares);
    a->won = malloc(a->rows);
    a->occupied = new_lanes((size_t)a->slices * NK_MAX_SQUARES);
    a->small = new_lanes(a->slices);
    a->open = new_lanes(all_rows);
    a->found = new_lanes(all_rows);
    a->fresh = new_lanes(all_rows);
    a->almost_win = new_lanes(all_rows);
    a->found_any = calloc(all_rows, 1);
    a->fresh_any = calloc(all_rows, 1);
    a->codes = calloc(all_rows, NK_LANES);
    a->workers = calloc((size_t)a->threads, sizeof *a->workers);
    a->decided = calloc(a->slices, sizeof *a->decided);
    if (!a->squares || !a->won || !a->occupied || !a->small || !a->open || !a->found || !a->fresh ||
        !a->almost_win || !a->found_any || !a->fresh_any || !a->codes || !a->workers || !a->decided ||
        !begin_workers(a)) {
        end(a);
        return NK_E_MEMORY;
    }
    describe_rows(a);
    describe_columns(a);
    return NK_OK;
}

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

NK_INLINE bool is_empty(const nk_lanes *lanes)
{
    uint64_t any = 0;
    for (int w = 0; w < NK_LANE_WORDS; w++)
        any |= lanes->word[w];
    return !any;
}

/* Marks the groups of pieces that some row with any[row] contains. */
NK_INLINE void want_groups(const struct analysis *a, struct worker *worker, const uint8_t *any)
{
    const uint32_t *group = a->slides.groups_of;
    memset(worker->wanted, 0, a->slides.groups);
    for (uint32_t r = 0; r < a->rows; r++, group += a->slides.pieces)
        if (any[r])
            for (int p = 0; p < a->slides.pieces; p++)
                worker->wanted[group[p]] = 1;
}

NK_INLINE void slide_wanted(const struct analysis *a, struct worker *worker, uint32_t slice,
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
NK_INLINE void find_predecessors(struct analysis *a, struct worker *worker, uint32_t slice, int vector_bytes)
{
    const size_t first = (size_t)slice * a->rows;
    memset(a->found + first, 0, a->rows * sizeof *a->found);
    want_groups(a, worker, a->fresh_any + first);
    slide_wanted(a, worker, slice, a->fresh, false, a->found + first, vector_bytes);
    for (size_t at = first; at < first + a->rows; at++) {
        keep(&a->found[at], &a->open[at]);
        a->found_any[at] = !is_empty(&a->found[at]);
    }
}

/* Of those it found, keeps the positions without an escape: a move that does not lead into almost_win. */
NK_INLINE void keep_lost(struct analysis *a, struct worker *worker, uint32_t slice, int vector_bytes)
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
        a->found_any[first + r] = !is_empty(&a->found[first + r]);
    }
}

/* Takes what a slice has found out of `open` and codes it. Returns how many positions that is. */
NK_INLINE uint64_t enter(struct analysis *a, uint32_t slice, uint8_t code)
{
    const struct nk_class *others = &a->index->classes[slice * NK_LANES];
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
        if (!is_empty(&weighed))
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
    struct analysis *a = context;
    struct worker *worker = &a->workers[number];
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

/* Hands what all slices found over to `fresh`, for the 64 classes of movers that share one word of its
 * columns. */
NK_INLINE void hand_over(void *context, uint32_t word)
{
    struct analysis *a = context;
    const struct nk_index *index = a->index;
    const struct nk_class *movers = &index->classes[word * 64];
    const uint32_t count = index->class_count - word * 64 < 64 ? index->class_count - word * 64 : 64;
    const size_t first = (size_t)(word / NK_LANE_WORDS) * a->rows;
    uint64_t *fresh = (uint64_t *)(a->fresh + first) + word % NK_LANE_WORDS;
    uint8_t *fresh_any = a->fresh_any + first;
    /* Every symmetry that takes a member of a class to its representative, for every member. */
    for (int g = 0; g < index->rules.symmetries; g++) {
        const int turn = index->rules.inverse[g];
        for (uint32_t s = 0; s < a->slices; s++) {
            const uint64_t *rows[64] = {0};
            uint8_t place[64] = {0};
            uint32_t filled = 0;
            for (uint32_t i = 0; i < count; i++) {
                const size_t at = (size_t)s * a->rows + movers[i].images[g];
                rows[filled] = a->found[at].word;
                place[filled] = (uint8_t)i;
                filled += a->found_any[at];
            }
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
                const struct nk_class *others = &index->classes[(s * NK_LANE_WORDS + w) * 64];
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

/* The two steps of a pass, compiled for each kind of vectors a machine may have. */
struct kernels {
    nk_work *pass;      /* item: slice */
    nk_work *hand_over; /* item: word of the columns */
};

#define KERNELS(name, vector_bytes, attributes)                                       \
    attributes static void pass_##name(void *context, uint32_t slice, int number)     \
    {                                                                                 \
        pass(context, slice, number, vector_bytes);                                   \
    }                                                                                 \
    attributes static void hand_over_##name(void *context, uint32_t word, int number) \
    {                                                                                 \
        (void)number;                                                                 \
        hand_over(context, word);                                                     \
    }                                                                                 \
    static const struct kernels name##_kernels = {pass_##name, hand_over_##name}

KERNELS(base, 16, );
#ifdef __x86_64__
KERNELS(avx2, 32, __attribute__((target("avx2,popcnt,bmi,bmi2"))));
KERNELS(avx512, 64, __attribute__((target("avx512f,avx512bw,avx512vl,popcnt,bmi,bmi2"))));
#endif

/* The kernels for vectors of that width, or the widest for 0; NULL when the machine does not have them. */
static const struct kernels *find_kernels(int vector_bytes)
{
#ifdef __x86_64__
    const bool avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi2");
    const bool avx512 = avx2 && __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl");
    if (avx512 && (vector_bytes == 64 || !vector_bytes))
        return &avx512_kernels;
    if (avx2 && (vector_bytes == 32 || !vector_bytes))
        return &avx2_kernels;
#endif
    return vector_bytes == 16 || !vector_bytes ? &base_kernels : NULL;
}

/* ---- the analysis, ply by ply ---- */

/* Fills `open` with the legal positions that are not over, and `found` with those of them that have no move.
 */
static void open_positions(void *context, uint32_t slice, int number)
{
    struct analysis *a = context;
    struct worker *worker = &a->workers[number];
    const nk_lanes *occupied = a->occupied + (size_t)slice * NK_MAX_SQUARES;
    nk_lanes undecided = no_lanes; /* columns that are classes, and not won */
    for (uint32_t c = slice * NK_LANES; c < a->index->class_count && c < (slice + 1) * NK_LANES; c++)
        if (!a->won[a->index->classes[c].images[0]])
            undecided.word[c % NK_LANES / 64] |= nk_bit(c % 64);

    nk_lanes *mobile = worker->escapes;
    memset(mobile, 0, a->rows * sizeof *mobile);
    memset(worker->wanted, 1, a->slides.groups);
    /* Nothing is in almost_win yet, so its complement is everything: every position with a move. */
    slide_wanted(a, worker, slice, a->almost_win, true, mobile, 16);
    for (uint32_t r = 0; r < a->rows; r++) {
        const size_t at = (size_t)slice * a->rows + r;
        nk_lanes legal = a->won[r] ? no_lanes : undecided;
        for (uint64_t left = a->squares[r]; left; left &= left - 1)
            take_away(&legal, &occupied[nk_first(left)]);
        a->open[at] = a->found[at] = legal;
        keep(&a->open[at], &mobile[r]);
        take_away(&a->found[at], &mobile[r]);
        a->found_any[at] = !is_empty(&a->found[at]);
    }
    a->decided[slice] = enter(a, slice, NK_CODE_DRAW);
}

static void clear_fresh(void *context, uint32_t slice, int number)
{
    (void)number;
    struct analysis *a = context;
    memset(a->fresh + (size_t)slice * a->rows, 0, a->rows * sizeof *a->fresh);
    memset(a->fresh_any + (size_t)slice * a->rows, 0, a->rows);
}

static void hand_over_all(struct analysis *a)
{
    nk_parallel(a->threads, a->slices, clear_fresh, a);
    nk_parallel(a->threads, (a->index->class_count + 63) / 64, a->kernels->hand_over, a);
}

/* Does a step for every slice. Returns how many positions it decided. */
static uint64_t each_slice(struct analysis *a, nk_work *step)
{
    uint64_t decided = 0;
    nk_parallel(a->threads, a->slices, step, a);
    for (uint32_t s = 0; s < a->slices; s++)
        decided += a->decided[s];
    return decided;
}

/* Ply 0: the positions in which the side that waits has won. */
static void finished_positions(void *context, uint32_t slice, int number)
{
    (void)number;
    struct analysis *a = context;
    const struct nk_index *index = a->index;
    const size_t first = (size_t)slice * a->rows;
    uint64_t finished = 0;
    memset(a->found + first, 0, a->rows * sizeof *a->found);
    memset(a->found_any + first, 0, a->rows);
    for (uint32_t c = slice * NK_LANES; c < index->class_count && c < (slice + 1) * NK_LANES; c++) {
        const uint32_t representative = index->classes[c].images[0];
        if (!a->won[representative])
            continue;
        for (uint32_t r = 0; r < a->rows; r++) {
            if (a->won[r] || a->squares[r] & a->squares[representative])
                continue;
            a->found[first + r].word[c % NK_LANES / 64] |= nk_bit(c % 64);
            a->found_any[first + r] = 1;
            a->codes[(first + r) * NK_LANES + c % NK_LANES] = nk_code_loss(0);
            finished += index->classes[c].size;
        }
    }
    a->decided[slice] = finished;
}

/* What is still open when a pass adds nothing is drawn. */
static void draw_the_rest(void *context, uint32_t slice, int number)
{
    (void)number;
    struct analysis *a = context;
    for (size_t at = (size_t)slice * a->rows; at < (size_t)(slice + 1) * a->rows; at++) {
        a->found[at] = a->open[at];
        a->found_any[at] = !is_empty(&a->found[at]);
    }
    a->decided[slice] = enter(a, slice, NK_CODE_DRAW);
}

static enum nk_status analyse(struct analysis *a, const struct nk_solve_options *options,
                              struct nk_solution *solution)
{
    struct nk_summary *summary = &solution->summary;
    summary->stuck = each_slice(a, open_positions);
    uint64_t decided = each_slice(a, finished_positions);
    for (int ply = 0; decided; ply++) {
        if (ply > NK_MAX_PLIES)
            return NK_E_LIMIT;
        solution->by_distance[ply] = decided;
        *(ply % 2 ? &summary->wins : &summary->losses) += decided;
        summary->longest = (uint32_t)ply;
        if (options->progress)
            options->progress(options->context, ply, decided);
        hand_over_all(a);
        a->code = ply % 2 ? nk_code_loss(ply + 1) : NK_CODE_WIN;
        decided = each_slice(a, a->kernels->pass);
    }
    summary->draws = summary->stuck + each_slice(a, draw_the_rest);
    summary->legal = summary->wins + summary->losses + summary->draws;
    summary->placements = a->index->placements;
    return NK_OK;
}

struct packing {
    const struct analysis *a;
    uint8_t *entries;
};

/* From codes by mover, which pay no heed to overlaps, to the entries of the index: those of 64 classes. */
static void pack(void *context, uint32_t word, int number)
{
    (void)number;
    const struct packing *packing = context;
    const struct analysis *a = packing->a;
    for (uint32_t c = word * 64; c < a->index->class_count && c < (word + 1) * 64; c++) {
        const uint64_t other = a->squares[a->index->classes[c].images[0]];
        const uint8_t *code = a->codes + (size_t)(c / NK_LANES) * a->rows * NK_LANES + c % NK_LANES;
        uint8_t *entry = packing->entries + (size_t)c * a->index->per_class;
        const uint8_t *next_class = entry + a->index->per_class;
        for (uint32_t r = 0; entry < next_class; r++, code += NK_LANES) {
            *entry = *code; /* overwritten by the next one if the sides overlap: cheaper than a branch */
            entry += !(a->squares[r] & other);
        }
    }
}

static uint64_t binomial(int n, int k)
{
    uint64_t product = 1;
    for (int i = 1; i <= k; i++)
        product = product * (uint64_t)(n - k + i) / (uint64_t)i;
    return product;
}

uint64_t nk_solve_memory(const struct nk_rules *rules, int threads)
{
    const uint64_t rows = binomial(rules->squares, rules->pieces);
    const uint64_t groups = binomial(rules->squares, rules->pieces - 1);
    /* By Burnside's lemma the classes are rows / symmetries and a little more: for each symmetry the
     * arrangements that it leaves alone, which are fewer than pairs and single squares on its axis can make.
     */
    uint64_t alone = 0;
    for (int fixed = rules->pieces % 2; fixed <= rules->pieces; fixed += 2)
        alone += binomial(NK_MAX_SIDE, fixed) * binomial(rules->squares / 2, (rules->pieces - fixed) / 2);
    const uint64_t symmetries = (uint64_t)rules->symmetries;
    uint64_t classes = (rows + (symmetries - 1) * alone) / symmetries;
    if (classes > rows)
        classes = rows;
    const uint64_t slices = (classes + NK_LANES - 1) / NK_LANES;
    const uint64_t matrix = slices * rows * sizeof(nk_lanes);
    const uint64_t workers = (uint64_t)(threads > 0 ? threads : nk_processors());
    return 4 * matrix + 2 * slices * rows + matrix * 8                         /* sets, flags, codes */
           + classes * binomial(rules->squares - rules->pieces, rules->pieces) /* the result */
           + groups * (uint64_t)(4 * rules->squares + 8) + rows * (uint64_t)(4 * rules->pieces + 9) +
           workers * (rows * sizeof(nk_lanes) + groups + sizeof(struct nk_bench)) +
           slices * NK_MAX_SQUARES * 64;
}

enum nk_status nk_solve(const struct nk_index *index, const struct nk_solve_options *options,
                        struct nk_solution **out)
{
    struct analysis a;
    const struct kernels *kernels = find_kernels(options->vector_bytes);
    const int threads = options->threads > 0 ? options->threads : nk_processors();
    if (!kernels)
        return NK_E_RULES;
    enum nk_status status = begin(&a, index, threads);
    if (status)
        return status;
    a.kernels = kernels;
    struct nk_solution *solution = calloc(1, sizeof *solution);
    uint8_t *codes = malloc(index->entries);
    status = solution && codes ? analyse(&a, options, solution) : NK_E_MEMORY;
    if (status) {
        free(solution);
        free(codes);
    } else {
        nk_parallel(a.threads, (index->class_count + 63) / 64, pack, &(struct packing){&a, codes});
        solution->codes = codes;
        *out = solution;
    }
    end(&a);
    return status;
}

void nk_solution_free(struct nk_solution *solution)
{
    if (!solution)
        return;
    free(solution->codes);
    free(solution);
}
