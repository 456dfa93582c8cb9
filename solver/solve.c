#include "solver/solve.h"

#include "common/program/report.h"
#include "common/system/system.h"
#include "common/table/write.h"
#include "solver/analysis/codes.h"
#include "solver/analysis/traps.h"
#include "solver/check.h"
#include "solver/cluster/cluster.h"
#include "solver/preconditions.h"

#include <stdlib.h>
#include <string.h>

struct solving {
    const struct nk_settings *settings;
    struct nk_progress *progress;
    struct nk_writer *output; /* of the table, before it is begun; only in the first process */
};

/* ---- analysing ---- */

/* Prints what the run needs and from where it resumes, in the first process. `disk` are bytes. */
static void print_beginning(const struct nk_settings *settings, const struct nk_plan *plan, uint64_t disk,
                            int ply)
{
    if (settings->quiet || !settings->checkpoint || !nk_cluster_is_first())
        return;
    if (plan->layout > NK_LOG_IN_FILES || nk_system_is_terminal(stderr))
        nk_report(nk_solver_name, "needs up to %s MiB of memory%s and %s MiB in " NK_PATH,
                  nk_group_mib(plan->memory).s, nk_in_each_process(), nk_group_mib(disk).s,
                  NK_PATH_OF(settings->checkpoint));
    if (ply >= 0)
        nk_report(nk_solver_name, "resuming after ply %d from " NK_PATH, ply,
                  NK_PATH_OF(settings->checkpoint));
}

/* Plans the analysis and opens the log. */
static enum nk_status plan_and_open(const struct solving *solving, const struct nk_index *index,
                                    struct nk_plan *plan, struct nk_log **log, struct nk_error *error)
{
    const struct nk_settings *settings = solving->settings;
    uint64_t disk;
    enum nk_status status = nk_require_memory(settings, index, plan, error);
    if (!status)
        status = nk_log_open(settings->checkpoint, index, log, error);
    if (!status)
        status = nk_require_disk(settings, plan, *log, &disk, error);
    if (!status)
        print_beginning(settings, plan, disk, (*log)->state.ply);
    return status;
}

/* Runs all passes that the log does not have. */
static enum nk_status run_passes(const struct solving *solving, const struct nk_plan *plan,
                                 struct nk_log *log, struct nk_solve_summary *summary, struct nk_error *error)
{
    const struct nk_analysis_options options = {.layout = plan->layout,
                                                .threads = solving->settings->threads};
    const struct nk_log_state *state = &log->state;
    struct nk_analysis *analysis = NULL;
    if (state->is_complete)
        return NK_OK;
    enum nk_status status = nk_analysis_new(log, &options, &analysis, error);
    while (!status && !state->is_complete)
        if (!(status = nk_analysis_pass(analysis, error)) && !state->is_complete)
            nk_progress_show_ply(solving->progress, state->ply, state->by_plies[state->ply]);
    if (!status)
        summary->sent = nk_analysis_sent(analysis);
    nk_analysis_free(analysis);
    return status;
}

static enum nk_status analyse(const struct solving *solving, const struct nk_plan *plan, struct nk_log *log,
                              struct nk_solve_summary *summary, struct nk_error *error)
{
    const char *directory = solving->settings->checkpoint;
    nk_progress_stage(solving->progress, "solving");
    const enum nk_status status = run_passes(solving, plan, log, summary, error);
    nk_progress_clear(solving->progress);
    const bool can_continue = status == NK_E_WRITE || status == NK_E_MEMORY;
    if (can_continue && directory && log->state.ply >= 0)
        nk_report(nk_solver_name, NK_PATH " contains everything up to ply %d: the same command resumes there",
                  NK_PATH_OF(directory), log->state.ply);
    return status;
}

/* ---- writing ---- */

static const char no_memory_for_traps[] = "out of memory for the trap values; --no-traps leaves them out";

/* Writes the codes, which all processes send to the first one, and adds them to `traps`. The other processes have
 * neither a writer nor traps. */
static enum nk_status write_codes(const struct solving *solving, struct nk_log *log,
                                  struct nk_table_writer *writer, struct nk_traps *traps,
                                  struct nk_error *error)
{
    struct nk_codes *codes = NULL;
    uint64_t written = 0, count;
    enum nk_status status = nk_codes_new(log, solving->settings->threads, &codes, error);
    for (uint32_t part = 0; !status && part < nk_codes_parts(codes); part++, written += count) {
        const uint8_t *some;
        status = nk_codes_part(codes, part, &some, &count, error);
        if (status || !some)
            continue;
        nk_traps_add(traps, some, count);
        status = nk_table_writer_append(writer, some, count, error);
        nk_progress_show(solving->progress, (double)(written + count) / (double)log->index->entries);
    }
    nk_codes_free(codes);
    return status;
}

/* Writes the codes, and computes the trap values that follow from them. */
static enum nk_status write_parts(const struct solving *solving, struct nk_log *log,
                                  struct nk_table_writer *writer, uint8_t **trap_values,
                                  struct nk_error *error)
{
    const struct nk_progress_sink sink = {nk_progress_show, solving->progress};
    struct nk_traps *traps = NULL;
    if (!solving->settings->no_traps && nk_traps_new(log->index, &traps))
        return nk_fail(error, NK_E_MEMORY, 0, no_memory_for_traps);
    enum nk_status status = write_codes(solving, log, writer, traps, error);
    nk_progress_stage(solving->progress, "computing trap values");
    if (!status && nk_traps_compute(traps, solving->settings->threads, &sink, trap_values))
        status = nk_fail(error, NK_E_MEMORY, 0, no_memory_for_traps);
    nk_traps_free(traps);
    return status;
}

/* Writes the table of a complete log, and adds to the summary what identifies its file. */
static enum nk_status write_table(struct solving *solving, struct nk_log *log,
                                  struct nk_solve_summary *summary, struct nk_error *error)
{
    struct nk_table_writer *writer;
    uint8_t *trap_values = NULL;
    enum nk_status status =
        nk_table_writer_open(solving->output, log->index, solving->settings->threads, &writer, error);
    solving->output = NULL;
    if (status)
        return status;
    nk_progress_stage(solving->progress, "writing");
    status = write_parts(solving, log, writer, &trap_values, error);
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
static void summarise(const struct nk_log *log, struct nk_solve_summary *summary)
{
    const struct nk_index *index = log->index;
    summary->counts = nk_log_summary(log);
    memcpy(summary->by_plies, log->state.by_plies, sizeof summary->by_plies);
    if (log->state.example < index->entries)
        summary->example =
            nk_position_text(&index->rules, nk_index_position(index, log->state.example), NK_BLACK);
}

/* Solves, writes and verifies, with the log that it opens. */
static enum nk_status solve(struct solving *solving, const struct nk_index *index, struct nk_log **log,
                            struct nk_solve_summary *summary, struct nk_error *error)
{
    const double began = nk_system_now();
    struct nk_plan plan = {0};
    enum nk_status status = plan_and_open(solving, index, &plan, log, error);
    if (!status)
        status = analyse(solving, &plan, *log, summary, error);
    if (status)
        return status;
    summarise(*log, summary);
    summary->solve_seconds = nk_system_now() - began;
    if (!nk_cluster_is_first())
        return write_codes(solving, *log, NULL, NULL, error);
    status = write_table(solving, *log, summary, error);
    if (!status && solving->settings->verify)
        status = nk_check_written(solving->settings, solving->progress, summary, error);
    summary->total_seconds = nk_system_now() - began;
    return status;
}

enum nk_status nk_solve_and_write(const struct nk_settings *settings, struct nk_progress *progress,
                                  struct nk_solve_summary *summary, struct nk_error *error)
{
    struct solving solving = {settings, progress, NULL};
    struct nk_index *index = NULL;
    struct nk_log *log = NULL;
    enum nk_status status =
        nk_cluster_is_first() ? nk_require_output(settings, &solving.output, error) : NK_OK;
    if (status)
        return status;
    nk_summary_begin(summary, &settings->rules, settings->output);
    summary->processes = nk_cluster_size();
    if (nk_index_new(&settings->rules, &index))
        status = nk_fail_memory(error);
    else
        status = solve(&solving, index, &log, summary, error);
    nk_writer_abandon(solving.output);
    if (log && (!status || log->state.ply < 0)) /* done, or there is nothing to resume from */
        nk_log_remove(log);
    nk_log_close(log);
    nk_index_free(index);
    return status;
}
