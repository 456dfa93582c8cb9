#include "solver/resume.h"

#include "common/status.h"
#include "solver/comm.h"
#include "solver/kernel.h"
#include "solver/pass.h"

#include <string.h>

/* A slice that is being restored. */
struct slice {
    struct nk_bitset next;
    const nk_lanes *undecided;
    uint32_t rows;
};

/* Adds recorded losses to `next`. They must be undecided, and recorded once. */
static bool add_losses(void *context, uint8_t code, uint32_t row, const nk_lanes *lanes)
{
    (void)code;
    const struct slice *slice = context;
    nk_lanes wrong = *lanes, undecided = slice->undecided[row];
    nk_lanes_andnot(&undecided, &slice->next.rows[row]);
    nk_lanes_andnot(&wrong, &undecided);
    nk_lanes_or(&slice->next.rows[row], lanes);
    slice->next.nonempty[row] = 1;
    return !nk_lanes_any(&wrong);
}

static void read_losses(struct nk_analysis *a, uint32_t slice, const struct nk_worker *worker, uint8_t first,
                        uint8_t last)
{
    struct slice context = {nk_slice_of(a, &a->next, slice), worker->undecided, a->rows};
    struct nk_error error;
    if (nk_log_read(a->log, a->share.first_slice + slice, first, last, add_losses, &context, &error))
        nk_log_fail(a->log, &error);
}

/* Adds to `next`, which has the losses of ply 0, those of all plies before the last, or up to an odd one. */
static void read_earlier_losses(struct nk_analysis *a, uint32_t slice, struct nk_worker *worker)
{
    read_losses(a, slice, worker, nk_code_loss(2), (uint8_t)(nk_code_loss((int)a->log->state.ply + 1) - 1));
}

/* Sets `next` to the losses of the last ply. The frontier, which are all wins, becomes `almost_win`. */
static void read_last_losses(struct nk_analysis *a, uint32_t slice, struct nk_worker *worker)
{
    const struct nk_bitset next = nk_slice_of(a, &a->next, slice);
    const uint8_t last = nk_code_loss((int)a->log->state.ply);
    memcpy(worker->almost_win, nk_slice_of(a, &a->frontier, slice).rows, a->rows * sizeof *next.rows);
    memset(next.rows, 0, a->rows * sizeof *next.rows);
    memset(next.nonempty, 0, a->rows);
    read_losses(a, slice, worker, last, last);
}

static const struct nk_step restore_earlier_losses = {.run = read_earlier_losses},
                            restore_last_losses = {.run = read_last_losses, .uses_almost_win = true};

/* Runs a step, which must decide as many positions as were recorded for the plies first, first + 2, ... up to `last`. */
static bool restore(struct nk_analysis *a, const struct nk_step *step, int first, int last)
{
    uint64_t expected = 0;
    for (int ply = first; ply <= last; ply += 2)
        expected += a->log->state.by_distance[ply];
    return nk_run_step(a, step, NK_CODE_WIN) == expected;
}

enum nk_status nk_resume_analysis(struct nk_analysis *a, struct nk_error *error)
{
    const int ply = (int)a->log->state.ply;
    bool agrees = true;
    if (ply > 0) {
        agrees = restore(a, &restore_earlier_losses, 0, ply - 1);
        nk_transpose_frontier(a);
        agrees = restore(a, &a->kernel->find_wins, 1, ply) && agrees;
    }
    if (ply > 0 && ply % 2 == 0) {
        nk_transpose_frontier(a);
        agrees = restore(a, &restore_last_losses, ply, ply) && agrees;
    }
    const enum nk_status status = nk_comm_agree(nk_log_failure(a->log, error), error);
    if (status || agrees)
        return status;
    return nk_fail(error, NK_E_CORRUPT, 0,
                   NK_PATH
                   ": the log contradicts the rules: remove the directory to start over, or name another one",
                   NK_PATH_OF(a->log->directory.path));
}
