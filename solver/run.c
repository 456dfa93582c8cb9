#include "solver/run.h"

#include "common/program/report.h"
#include "common/system/system.h"
#include "common/table/write.h"
#include "solver/analysis/codes.h"
#include "solver/analysis/traps.h"
#include "solver/check.h"
#include "solver/checkpoint.h"
#include "solver/preconditions.h"

#include <stdlib.h>
#include <string.h>

struct solver_run {
    const struct nk_settings *settings;
    struct nk_progress *progress;
    struct nk_writer *output;         /* of the table, before it is begun; only in the first process */
    struct nk_checkpoint *checkpoint; /* or NULL */
};

/* ---- analysing ---- */

/* Prints what the run needs and from where it resumes, in the first process. `disk` are bytes. */
static void print_beginning(const struct nk_settings *settings, const struct nk_plan *plan, uint64_t disk,
                            int ply)
{
    if (settings->quiet || !settings->checkpoint || !nk_cluster_is_first(settings->cluster))
        return;
    if (plan->layout > NK_LOSSES_IN_FILES || nk_system_is_terminal(stderr))
        nk_report(nk_solver_name, "needs up to %s MiB of memory%s and %s MiB in " NK_PATH,
                  nk_group_mib(plan->memory).s, nk_in_each_process(settings), nk_group_mib(disk).s,
                  NK_PATH_OF(settings->checkpoint));
    if (ply >= 0)
        nk_report(nk_solver_name, "resuming after ply %d from " NK_PATH, ply,
                  NK_PATH_OF(settings->checkpoint));
}

/* Plans the analysis, and opens the checkpoint. */
static enum nk_status plan_and_open(struct solver_run *solving, const struct nk_index *index,
                                    struct nk_plan *plan, struct nk_losses **losses, struct nk_error *error)
{
    const struct nk_settings *settings = solving->settings;
    uint64_t disk;
    enum nk_status status = nk_require_memory(settings, index, plan, error);
    if (!status && settings->checkpoint)
        status = nk_checkpoint_open(settings->checkpoint, settings->cluster, &solving->checkpoint, error);
    if (!status)
        status = nk_losses_new(index, settings->cluster,
                               solving->checkpoint ? &solving->checkpoint->storage : NULL, losses, error);
    if (!status)
        status = nk_require_disk(settings, plan, *losses, &disk, error);
    if (!status)
        print_beginning(settings, plan, disk, (*losses)->state.ply);
    return status;
}

/* Runs all passes that remain. */
static enum nk_status run_passes(const struct solver_run *solving, const struct nk_plan *plan,
                                 struct nk_losses *losses, struct nk_solve_summary *summary,
                                 struct nk_error *error)
{
    const struct nk_analysis_options options = {.layout = plan->layout,
                                                .threads = solving->settings->threads};
    const struct nk_losses_state *state = &losses->state;
    struct nk_analysis *analysis = NULL;
    if (state->is_complete)
        return NK_OK;
    enum nk_status status = nk_analysis_new(losses, &options, &analysis, error);
    while (!status && !state->is_complete)
        if (!(status = nk_analysis_pass(analysis, error)) && !state->is_complete)
            nk_progress_show_ply(solving->progress, state->ply, state->by_plies[state->ply]);
    if (!status)
        summary->sent = nk_analysis_sent(analysis);
    nk_analysis_free(analysis);
    return status;
}

static enum nk_status analyse(const struct solver_run *solving, const struct nk_plan *plan,
                              struct nk_losses *losses, struct nk_solve_summary *summary,
                              struct nk_error *error)
{
    const char *directory = solving->settings->checkpoint;
    nk_progress_stage(solving->progress, "solving");
    const enum nk_status status = run_passes(solving, plan, losses, summary, error);
    nk_progress_clear(solving->progress);
    const bool can_continue = status == NK_E_WRITE || status == NK_E_MEMORY;
    if (can_continue && directory && losses->state.ply >= 0)
        nk_report(nk_solver_name, NK_PATH " contains everything up to ply %d: the same command resumes there",
                  NK_PATH_OF(directory), losses->state.ply);
    return status;
}

/* ---- writing ---- */

static const char no_memory_for_traps[] = "out of memory for the trap values; --no-traps leaves them out";

/* Writes the codes, which all processes send to the first one, and adds them to `traps`. The other processes have
 * neither a writer nor traps. */
static enum nk_status write_codes(const struct solver_run *solving, struct nk_losses *losses,
                                  struct nk_table_writer *writer, struct nk_traps *traps,
                                  struct nk_error *error)
{
    struct nk_codes *codes = NULL;
    uint64_t written = 0, count;
    enum nk_status status = nk_codes_new(losses, solving->settings->threads, &codes, error);
    for (uint32_t part = 0; !status && part < nk_codes_parts(codes); part++, written += count) {
        const uint8_t *some;
        status = nk_codes_part(codes, part, &some, &count, error);
        if (status || !some)
            continue;
        nk_traps_add(traps, some, count);
        status = nk_table_writer_append(writer, some, count, error);
        nk_progress_show(solving->progress, (double)(written + count) / (double)losses->index->entries);
    }
    nk_codes_free(codes);
    return status;
}

/* Writes the codes, and computes the trap values that follow from them. */
static enum nk_status write_parts(const struct solver_run *solving, struct nk_losses *losses,
                                  struct nk_table_writer *writer, uint8_t **trap_values,
                                  struct nk_error *error)
{
    const struct nk_progress_sink sink = {nk_progress_show, solving->progress};
    struct nk_traps *traps = NULL;
    if (!solving->settings->no_traps && nk_traps_new(losses->index, &traps))
        return nk_fail(error, NK_E_MEMORY, 0, no_memory_for_traps);
    enum nk_status status = write_codes(solving, losses, writer, traps, error);
    nk_progress_stage(solving->progress, "computing trap values");
    if (!status && nk_traps_compute(traps, solving->settings->threads, &sink, trap_values))
        status = nk_fail(error, NK_E_MEMORY, 0, no_memory_for_traps);
    nk_traps_free(traps);
    return status;
}

/* Writes the table of a complete losses, and adds to the summary what identifies its file. */
static enum nk_status write_table(struct solver_run *solving, struct nk_losses *losses,
                                  struct nk_solve_summary *summary, struct nk_error *error)
{
    struct nk_table_writer *writer;
    uint8_t *trap_values = NULL;
    enum nk_status status =
        nk_table_writer_open(solving->output, losses->index, solving->settings->threads, &writer, error);
    solving->output = NULL;
    if (status)
        return status;
    nk_progress_stage(solving->progress, "writing");
    status = write_parts(solving, losses, writer, &trap_values, error);
    if (!status)
        status = nk_table_writer_close(writer, &summary->counts, trap_values, &summary->file,
                                       &summary->codes_checksum, error);
    else
        nk_table_writer_abandon(writer);
    free(trap_values);
    return status;
}

/* ---- all of it ---- */

/* Adds the counts of the analysis to the summary. */
static void summarise(const struct nk_losses *losses, struct nk_solve_summary *summary)
{
    const struct nk_index *index = losses->index;
    summary->counts = nk_losses_summary(losses);
    memcpy(summary->by_plies, losses->state.by_plies, sizeof summary->by_plies);
    if (losses->state.example < index->entries)
        summary->example =
            nk_position_text(&index->rules, nk_index_position(index, losses->state.example), NK_BLACK);
}

/* Solves, writes and verifies, with the losses that it creates. */
static enum nk_status solve(struct solver_run *solving, const struct nk_index *index,
                            struct nk_losses **losses, struct nk_solve_summary *summary,
                            struct nk_error *error)
{
    const double began = nk_system_now();
    struct nk_plan plan = {0};
    enum nk_status status = plan_and_open(solving, index, &plan, losses, error);
    if (!status)
        status = analyse(solving, &plan, *losses, summary, error);
    if (status)
        return status;
    summarise(*losses, summary);
    summary->solve_seconds = nk_system_now() - began;
    if (!nk_cluster_is_first(solving->settings->cluster))
        return write_codes(solving, *losses, NULL, NULL, error);
    status = write_table(solving, *losses, summary, error);
    if (!status && solving->settings->verify)
        status = nk_check_written(solving->settings, solving->progress, summary, error);
    summary->total_seconds = nk_system_now() - began;
    return status;
}

enum nk_status nk_solve_and_write(const struct nk_settings *settings, struct nk_progress *progress,
                                  struct nk_solve_summary *summary, struct nk_error *error)
{
    struct solver_run solving = {.settings = settings, .progress = progress};
    struct nk_index *index = NULL;
    struct nk_losses *losses = NULL;
    enum nk_status status =
        nk_cluster_is_first(settings->cluster) ? nk_require_output(settings, &solving.output, error) : NK_OK;
    if (status)
        return status;
    nk_summary_begin(summary, &settings->rules, settings->output);
    summary->processes = nk_cluster_size(settings->cluster);
    if (nk_index_new(&settings->rules, &index))
        status = nk_fail_memory(error);
    else
        status = solve(&solving, index, &losses, summary, error);
    nk_writer_abandon(solving.output);
    if (losses && solving.checkpoint &&
        (!status || losses->state.ply < 0)) /* done, or nothing to resume from */
        nk_checkpoint_remove(solving.checkpoint);
    nk_losses_free(losses);
    nk_checkpoint_close(solving.checkpoint);
    nk_index_free(index);
    return status;
}
