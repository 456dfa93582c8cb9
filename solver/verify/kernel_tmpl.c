/* The kernel: the functions in which the verifier spends its time. Compiled once for each width of vectors, with
 * VECTOR_BYTES and the instructions for it (solver/meson.build); the compiler turns loops over bytes into vectors. */
#include "solver/verify/kernel.h"

#include "common/table/format.h"

#include <string.h>

typedef struct nk_verify_lanes lanes;

/* ---- moves ---- */

enum { EDGE = NK_MAX_SQUARES }; /* stands for the square beyond the edge: never vacant */

/* All moves of one slider, from every square, with the other pieces of its side stationary. */
struct slider {
    const struct nk_rules *rules;
    int count;                              /* of the squares without a stationary piece */
    uint8_t squares[NK_MAX_SQUARES];        /* these, in ascending order */
    uint32_t configuration[NK_MAX_SQUARES]; /* of the side with the slider on this square */
    lanes vacant[NK_MAX_SQUARES + 1];       /* 255 where no piece is on the square, otherwise 0 */
    /* The value of where the slider stops after it has arrived on this square in the present direction; 0 if the
     * square is not vacant. */
    lanes arrived[NK_MAX_SQUARES + 1];
    lanes best[NK_MAX_SQUARES]; /* the greatest value of the slides from this square */
};

/* Finds the configurations of the stationary pieces and the slider on each square. The number of a configuration is a
 * sum with a term for each piece, which depends on how many pieces are below it (common/game/index.h). */
static void place_slider(const struct nk_index *index, uint64_t stationary, struct slider *slider)
{
    const uint32_t(*choose)[NK_MAX_PIECES + 1] = index->choose;
    uint32_t sum = 0; /* of the terms of the stationary pieces */
    int below = 0;
    for (uint64_t left = stationary; left; left &= left - 1)
        sum += choose[nk_first(left)][++below + 1]; /* all above the slider */
    below = 0;
    slider->count = 0;
    for (int s = 0; s < index->rules.squares; s++) {
        if (stationary & nk_bit(s)) {
            below++;
            sum += choose[s][below] - choose[s][below + 1];
        } else {
            slider->squares[slider->count++] = (uint8_t)s;
            slider->configuration[s] = sum + choose[s][below + 1];
        }
    }
}

/* The slider arrives on a square: it stops there if the next square is not vacant. */
static inline void arrive(const lanes *restrict next_arrived, const lanes *restrict next_vacant,
                          const lanes *restrict stop_here, const lanes *restrict vacant, lanes *restrict best,
                          lanes *restrict arrived)
{
    for (int l = 0; l < NK_VERIFY_LANES; l++) {
        const uint8_t beyond = next_arrived->lane[l];
        best->lane[l] = beyond > best->lane[l] ? beyond : best->lane[l];
        arrived->lane[l] =
            (uint8_t)((beyond | (stop_here->lane[l] & (uint8_t)~next_vacant->lane[l])) & vacant->lane[l]);
    }
}

static void slide(const lanes *after, struct slider *slider)
{
    for (int d = 0; d < NK_DIRECTIONS; d++) {
        /* Each square needs the next one in the direction, so squares are visited against it. */
        const bool is_rising = d <= NK_EAST || d == NK_NORTH_WEST;
        for (int i = 0; i < slider->count; i++) {
            const int s = slider->squares[is_rising ? slider->count - 1 - i : i];
            const int neighbour = slider->rules->next[d][s];
            const int next = neighbour == NK_NO_SQUARE ? (int)EDGE : neighbour;
            arrive(&slider->arrived[next], &slider->vacant[next], &after[slider->configuration[s]],
                   &slider->vacant[s], &slider->best[s], &slider->arrived[s]);
        }
    }
}

static void raise(const lanes *restrict found, lanes *restrict best)
{
    for (int l = 0; l < NK_VERIFY_LANES; l++)
        best->lane[l] = found->lane[l] > best->lane[l] ? found->lane[l] : best->lane[l];
}

static void best_moves(const struct nk_index *index, const uint64_t others[NK_VERIFY_LANES],
                       const lanes *after, lanes *best)
{
    const struct nk_rules *rules = &index->rules;
    struct slider slider = {.rules = rules};
    lanes vacant[NK_MAX_SQUARES];
    for (int s = 0; s < NK_MAX_SQUARES; s++)
        for (int l = 0; l < NK_VERIFY_LANES; l++)
            vacant[s].lane[l] = others[l] & nk_bit(s) ? 0 : UINT8_MAX;
    memcpy(slider.vacant, vacant, sizeof vacant);
    memset(best, 0, index->configurations * sizeof *best);
    uint64_t stationary = nk_bit(rules->board.pieces - 1) - 1;
    uint32_t left_sets = nk_index_sets(index, rules->board.pieces - 1);
    for (; left_sets; left_sets--, stationary = nk_index_next(stationary)) {
        place_slider(index, stationary, &slider);
        for (uint64_t left = stationary; left; left &= left - 1) {
            memset(&slider.vacant[nk_first(left)], 0, sizeof *vacant);
            memset(&slider.arrived[nk_first(left)], 0, sizeof *vacant);
        }
        memset(slider.best, 0, sizeof slider.best);
        slide(after, &slider);
        for (int i = 0; i < slider.count; i++)
            raise(&slider.best[slider.squares[i]], &best[slider.configuration[slider.squares[i]]]);
        for (uint64_t left = stationary; left; left &= left - 1)
            slider.vacant[nk_first(left)] = vacant[nk_first(left)];
    }
}

/* ---- values after moves ---- */

static void to_values(const uint8_t *restrict codes, uint32_t count, uint8_t *restrict values)
{
    for (uint32_t i = 0; i < count; i++)
        values[i] = codes[i] < NK_CODE_LOSS ? codes[i] : (uint8_t)(NK_VERIFY_SUM - codes[i]);
}

static void gather(const uint8_t *row, const uint32_t *low, const uint32_t *high,
                   const struct nk_verify_halves from[NK_VERIFY_LANES], lanes *restrict to)
{
    for (int l = 0; l < NK_VERIFY_LANES; l++)
        to->lane[l] = row[low[from[l].low] + high[from[l].high]];
}

/* ---- codes ---- */

static uint32_t select_entries(const uint64_t *squares, uint32_t count, uint64_t other, const lanes *best,
                               int lane, uint8_t *restrict selected)
{
    uint32_t entries = 0;
    for (uint32_t r = 0; r < count; r++) {
        /* Overwritten by the next one if it is not an entry: faster than a branch, since these are irregular. */
        selected[entries] = best[r].lane[lane];
        entries += !(squares[r] & other);
    }
    return entries;
}

/* No position is over, and no code of a loss is wrong but for its distance. */
static bool agree(const uint8_t *codes, const uint8_t *best, uint32_t count)
{
    uint8_t wrong = 0;
    for (uint32_t i = 0; i < count; i++) {
        const uint8_t code = codes[i] < NK_CODE_LOSS + 1 ? codes[i] : NK_CODE_LOSS + 1;
        const uint8_t value = best[i] < NK_VERIFY_WIN ? best[i] : NK_VERIFY_WIN;
        const uint8_t right = value == NK_VERIFY_WIN    ? NK_CODE_WIN
                              : value == NK_VERIFY_DRAW ? NK_CODE_DRAW
                                                        : NK_CODE_LOSS + 1;
        wrong |= code ^ right;
    }
    return !wrong;
}

static inline void count_one(uint8_t code, uint8_t best, uint64_t counts[NK_VERIFY_COUNTS])
{
    /* As the codes agree, one of both is 0, or both are those of a draw. */
    counts[(code | best) + (best < NK_VERIFY_WIN ? 0 : NK_VERIFY_WINS)]++;
}

static bool measure(uint8_t *restrict codes, const uint8_t *restrict best, uint32_t count,
                    struct nk_verify_counts *restrict counts)
{
    uint32_t i = 0;
    if (!agree(codes, best, count))
        return false;
    for (; i + NK_VERIFY_APART <= count; i += NK_VERIFY_APART)
        for (uint32_t part = 0; part < NK_VERIFY_APART; part++)
            count_one(codes[i + part], best[i + part], counts->apart[part]);
    for (; i < count; i++)
        count_one(codes[i], best[i], counts->apart[0]);
    for (i = 0; i < count; i++)
        codes[i] = codes[i] == NK_CODE_WIN ? (uint8_t)(NK_VERIFY_SUM - best[i]) : 0;
    return true;
}

static bool check(const uint8_t *codes, const uint8_t *farthest, uint32_t count)
{
    bool wrong = false;
    for (uint32_t i = 0; i < count; i++)
        wrong |= (codes[i] >= NK_CODE_LOSS) & ((uint8_t)(codes[i] - 1) != farthest[i]);
    return !wrong;
}

#define NAME_OF(bytes) nk_verify_kernel_##bytes
#define NAME(bytes) NAME_OF(bytes)
const struct nk_verify_kernel NAME(VECTOR_BYTES) = {
    .to_values = to_values,
    .gather = gather,
    .best_moves = best_moves,
    .select = select_entries,
    .measure = measure,
    .check = check,
};
