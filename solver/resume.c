#include "solver/resume.h"

#include "common/parallel.h"
#include "common/status.h"
#include "solver/comm.h"
#include "solver/pass.h"

#include <string.h>

/* What the work of each slice needs. */
struct state {
    struct nk_analysis *a;
    int ply; /* of the last pass, which decided losses */
};

/* The codes of a slice that are being saved or loaded. */
struct slice_codes {
    struct nk_analysis *a;
    uint32_t slice;
    uint8_t code; /* of the losses that the last pass decided */
};

static void produce_codes(void *context, uint64_t offset, uint8_t *bytes, size_t length)
{
    const struct slice_codes *saved = context;
    const struct nk_analysis *a = saved->a;
    memcpy(bytes, a->codes + (size_t)saved->slice * a->rows * NK_LANES + offset, length);
    const nk_lanes *undecided = nk_rows_of(a, &a->undecided, saved->slice) + offset / NK_LANES;
    for (size_t at = 0; at < length; at += NK_LANES, undecided++)
        for (uint32_t w = 0; w < NK_LANE_WORDS; w++)
            for (uint64_t left = undecided->word[w]; left; left &= left - 1)
                bytes[at + (size_t)w * 64 + (size_t)nk_first(left)] = NK_CODE_DRAW;
}

/* Loads codes of undecided positions and collects the wins in `next`. The codes that were known before the first pass
 * must agree. */
static bool consume_codes(void *context, uint64_t offset, const uint8_t *bytes, size_t length)
{
    const struct slice_codes *loaded = context;
    const struct nk_analysis *a = loaded->a;
    uint8_t *codes = a->codes + (size_t)loaded->slice * a->rows * NK_LANES;
    for (size_t i = 0; i < length; i++) {
        const size_t row = (size_t)loaded->slice * a->rows + (offset + i) / NK_LANES;
        const uint32_t column = (uint32_t)((offset + i) % NK_LANES);
        const uint64_t bit = nk_bit(column % 64);
        uint64_t *undecided = &a->undecided.rows[row].word[column / 64];
        if (!(*undecided & bit)) {
            if (bytes[i] != codes[offset + i])
                return false;
        } else if (bytes[i] == NK_CODE_WIN) {
            *undecided &= ~bit;
            a->next.rows[row].word[column / 64] |= bit;
            a->next.nonempty[row] = 1;
        } else if (bytes[i] != NK_CODE_DRAW) {
            if (bytes[i] == nk_code_loss(0) || bytes[i] > loaded->code)
                return false;
            *undecided &= ~bit;
            codes[offset + i] = bytes[i];
        }
    }
    return true;
}

static void load_slice(void *context, uint32_t slice, int worker)
{
    (void)worker;
    const struct state *state = context;
    struct nk_analysis *a = state->a;
    struct slice_codes codes = {a, slice, nk_code_loss(state->ply)};
    const struct nk_bitset next = nk_slice_of(a, &a->next, slice);
    memset(next.rows, 0, a->rows * sizeof *next.rows);
    memset(next.nonempty, 0, a->rows);
    a->errors[slice].status = nk_checkpoint_load(a->checkpoint, a->share.first_slice + slice, consume_codes,
                                                 &codes, &a->errors[slice]);
}

static void save_slice(void *context, uint32_t slice, int worker)
{
    (void)worker;
    const struct state *state = context;
    struct nk_analysis *a = state->a;
    struct slice_codes codes = {a, slice, nk_code_loss(state->ply)};
    a->errors[slice].status = nk_checkpoint_save(a->checkpoint, state->ply, a->share.first_slice + slice,
                                                 produce_codes, &codes, &a->errors[slice]);
}

static enum nk_status first_error(const struct nk_analysis *a, struct nk_error *error)
{
    for (uint32_t s = 0; s < a->share.slices; s++)
        if (a->errors[s].status)
            return nk_fail(error, a->errors[s].status, 0, "%s", a->errors[s].text);
    return NK_OK;
}

/* Sets `next` to the positions with the code of the last pass. */
static void find_last_losses(void *context, uint32_t slice, int worker)
{
    (void)worker;
    const struct state *state = context;
    struct nk_analysis *a = state->a;
    const uint8_t code = nk_code_loss(state->ply);
    for (size_t at = (size_t)slice * a->rows; at < (size_t)(slice + 1) * a->rows; at++) {
        a->next.rows[at] = nk_no_lanes;
        for (uint32_t c = 0; c < NK_LANES; c++)
            a->next.rows[at].word[c / 64] |= (uint64_t)(a->codes[at * NK_LANES + c] == code) << c % 64;
        a->next.nonempty[at] = nk_lanes_any(&a->next.rows[at]);
    }
}

enum nk_status nk_resume_analysis(struct nk_analysis *a, int ply, struct nk_error *error)
{
    struct state state = {a, ply};
    nk_parallel(a->threads, a->share.slices, load_slice, &state);
    const enum nk_status status = first_error(a, error);
    if (!nk_comm_all(!status))
        return status ? status : nk_fail(error, NK_E_READ, 0, "another process could not load its part");
    /* `next` now holds all wins. Transposed, they are `almost_win`. */
    nk_transpose_frontier(a);
    nk_lanes *wins = a->frontier.rows;
    a->frontier.rows = a->almost_win.rows;
    a->almost_win.rows = wins;
    nk_parallel(a->threads, a->share.slices, find_last_losses, &state);
    return NK_OK;
}

bool nk_save_is_due(const struct nk_analysis *a)
{
    uint64_t due = nk_comm_rank() == 0 && nk_checkpoint_due(a->checkpoint); /* one clock for all processes */
    nk_comm_sum(&due, 1);
    return due;
}

enum nk_status nk_save_analysis(struct nk_analysis *a, int ply, const uint64_t *by_distance,
                                struct nk_error *error)
{
    struct state state = {a, ply};
    nk_parallel(a->threads, a->share.slices, save_slice, &state);
    const enum nk_status status = first_error(a, error);
    return nk_checkpoint_commit(a->checkpoint, ply, by_distance, status, error);
}
