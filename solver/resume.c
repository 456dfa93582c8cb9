#include "solver/analysis.h"
#include "solver/comm.h"

#include <string.h>

/* A checkpoint holds the codes, in which what is still open is marked as a draw. All the rest follows. */

struct passage {
    struct nk_analysis *a;
    uint32_t slice;
    uint8_t code; /* of the loss decided last */
};

static void give_codes(void *context, uint64_t offset, uint8_t *bytes, size_t length)
{
    const struct passage *passage = context;
    const struct nk_analysis *a = passage->a;
    memcpy(bytes, a->codes + (size_t)passage->slice * a->rows * NK_LANES + offset, length);
    const nk_lanes *open = a->open + (size_t)passage->slice * a->rows + offset / NK_LANES;
    for (size_t at = 0; at < length; at += NK_LANES, open++)
        for (uint32_t w = 0; w < NK_LANE_WORDS; w++)
            for (uint64_t left = open->word[w]; left; left &= left - 1)
                bytes[at + (size_t)w * 64 + (size_t)nk_first(left)] = NK_CODE_DRAW;
}

/* Takes codes for `open` positions and puts those of wins into `found`; all others must be as they are. */
static bool take_codes(void *context, uint64_t offset, const uint8_t *bytes, size_t length)
{
    const struct passage *passage = context;
    const struct nk_analysis *a = passage->a;
    uint8_t *codes = a->codes + (size_t)passage->slice * a->rows * NK_LANES;
    for (size_t i = 0; i < length; i++) {
        const size_t row = (size_t)passage->slice * a->rows + (offset + i) / NK_LANES;
        const uint32_t column = (uint32_t)((offset + i) % NK_LANES);
        const uint64_t bit = nk_bit(column % 64);
        uint64_t *open = &a->open[row].word[column / 64];
        if (!(*open & bit)) {
            if (bytes[i] != codes[offset + i])
                return false;
        } else if (bytes[i] == NK_CODE_WIN) {
            *open &= ~bit;
            a->found[row].word[column / 64] |= bit;
            a->found_any[row] = 1;
        } else if (bytes[i] != NK_CODE_DRAW) {
            if (bytes[i] == nk_code_loss(0) || bytes[i] > passage->code)
                return false;
            *open &= ~bit;
            codes[offset + i] = bytes[i];
        }
    }
    return true;
}

static void load_slice(void *context, uint32_t slice, int number)
{
    (void)number;
    struct nk_analysis *a = context;
    struct passage passage = {a, slice, a->code};
    memset(a->found + (size_t)slice * a->rows, 0, a->rows * sizeof *a->found);
    memset(a->found_any + (size_t)slice * a->rows, 0, a->rows);
    a->errors[slice].status = nk_checkpoint_load(a->checkpoint, a->first_class / NK_LANES + slice, take_codes,
                                                 &passage, &a->errors[slice]);
}

static void save_slice(void *context, uint32_t slice, int number)
{
    (void)number;
    struct nk_analysis *a = context;
    struct passage passage = {a, slice, a->code};
    const int ply = 2 * (a->code - NK_CODE_LOSS);
    a->errors[slice].status = nk_checkpoint_save(a->checkpoint, ply, a->first_class / NK_LANES + slice,
                                                 give_codes, &passage, &a->errors[slice]);
}

static enum nk_status first_error(const struct nk_analysis *a, struct nk_error *error)
{
    for (uint32_t s = 0; s < a->slices; s++)
        if (a->errors[s].status)
            return nk_fail(error, a->errors[s].status, 0, "%s", a->errors[s].text);
    return NK_OK;
}

/* Finds the positions with the code of the pass at hand again. */
static void find_code(void *context, uint32_t slice, int number)
{
    (void)number;
    struct nk_analysis *a = context;
    for (size_t at = (size_t)slice * a->rows; at < (size_t)(slice + 1) * a->rows; at++) {
        a->found[at] = nk_no_lanes;
        for (uint32_t c = 0; c < NK_LANES; c++)
            a->found[at].word[c / 64] |= (uint64_t)(a->codes[at * NK_LANES + c] == a->code) << c % 64;
        a->found_any[at] = !nk_is_empty(&a->found[at]);
    }
}

/* Brings everything to where it was after `ply`, when the checkpoint was saved. */
enum nk_status nk_resume_analysis(struct nk_analysis *a, int ply, struct nk_error *error)
{
    a->code = nk_code_loss(ply);
    nk_parallel(a->threads, a->slices, load_slice, a);
    const enum nk_status status = first_error(a, error);
    if (!nk_comm_all(!status))
        return status ? status : nk_fail(error, NK_E_READ, 0, "another rank could not load its part");
    /* `found` holds all wins: by other they are what almost_win is in the next pass but one. */
    nk_hand_over_all(a);
    nk_lanes *wins = a->fresh;
    a->fresh = a->almost_win;
    a->almost_win = wins;
    nk_parallel(a->threads, a->slices, find_code, a);
    return NK_OK;
}

/* Saves a checkpoint if it is time for one. The analysis goes on whether that works or not. */
void nk_save_analysis(struct nk_analysis *a, const struct nk_solve_options *options, int ply,
                      const uint64_t *by_distance)
{
    struct nk_error error;
    /* One clock for all ranks. */
    uint64_t due = nk_comm_rank() == 0 && nk_checkpoint_due(a->checkpoint);
    nk_comm_sum(&due, 1);
    if (!due)
        return;
    a->code = nk_code_loss(ply);
    nk_parallel(a->threads, a->slices, save_slice, a);
    const enum nk_status saved = first_error(a, &error);
    if (!nk_checkpoint_commit(a->checkpoint, ply, by_distance, saved, &error)) {
        if (options->saved)
            options->saved(options->context, ply);
    } else if (options->warn) {
        options->warn(options->context, &error);
    }
}
