#include "solver/solve.h"

#include "common/program/report.h"
#include "common/system/system.h"
#include "solver/check.h"
#include "solver/cluster/cluster.h"
#include "solver/permit.h"
#include "solver/analysis/retrograde.h"
#include "solver/analysis/traps.h"

#include <stdlib.h>
#include <string.h>

struct run {
    const struct nk_settings *settings;
    struct nk_progress *progress;
};

/* ---- analysing ---- */

static void show_ply(void *context, int ply, uint64_t decided)
{
    const struct run *run = context;
    nk_progress_show_ply(run->progress, ply, decided);
}

/* Prints what the run needs and from where it resumes, in the first process. `disk` are bytes. */
static void print_beginning(const struct nk_settings *settings, const struct nk_plan *plan, uint64_t disk,
                            int ply)
{
    if (settings->quiet || !settings->checkpoint || !nk_cluster_is_first())
        return;
    if (nk_set_files(plan->layout) || nk_system_is_terminal(stderr))
        nk_report(nk_solver_name, "needs up to %s MiB of memory%s and %s MiB in " NK_PATH,
                  nk_group_mib(plan->memory).s, nk_in_each_process(), nk_group_mib(disk).s,
                  NK_PATH_OF(settings->checkpoint));
    if (ply >= 0)
        nk_report(nk_solver_name, "resuming after ply %d from " NK_PATH, ply,
                  NK_PATH_OF(settings->checkpoint));
}

/* Plans the analysis and opens the log. */
static enum nk_status begin(struct run *run, const struct nk_index *index, struct nk_plan *plan,
                            struct nk_log **log, struct nk_error *error)
{
    const struct nk_settings *settings = run->settings;
    uint64_t disk;
    enum nk_status status = nk_permit_memory(settings, index, plan, error);
    if (!status)
        status = nk_log_open(settings->checkpoint, index, log, error);
    if (!status)
        status = nk_permit_disk(settings, plan, *log, &disk, error);
    if (!status)
        print_beginning(settings, plan, disk, (*log)->state.ply);
    return status;
}

static enum nk_status analyse(struct run *run, const struct nk_index *index, const struct nk_plan *plan,
                              struct nk_log *log, struct nk_solution **solution, struct nk_error *error)
{
    const struct nk_solve_options options = {.progress = show_ply,
                                             .context = run,
                                             .log = log,
                                             .set_files = nk_set_files(plan->layout),
                                             .threads = run->settings->threads};
    nk_progress_stage(run->progress, "solving");
    const enum nk_status status = nk_solve(index, &options, solution, error);
    nk_progress_clear(run->progress);
    const bool can_continue = status == NK_E_WRITE || status == NK_E_MEMORY;
    if (can_continue && run->settings->checkpoint && log->state.ply >= 0)
        nk_report(nk_solver_name, NK_PATH " contains everything up to ply %d: the same command resumes there",
                  NK_PATH_OF(run->settings->checkpoint), log->state.ply);
    return status;
}

/* ---- writing ---- */

static const char no_memory_for_traps[] = "out of memory for the trap values; --no-traps leaves them out";

/* Writes the codes, which all processes send to the first one, and adds them to `traps`. There are neither a writer nor
 * traps in the other processes. */
static enum nk_status write_codes(const struct run *run, struct nk_solution *solution,
                                  struct nk_table_writer *writer, struct nk_traps *traps,
                                  struct nk_error *error)
{
    uint64_t written = 0, count;
    enum nk_status status = NK_OK;
    for (uint32_t part = 0; part < nk_solution_parts(solution) && !status; part++, written += count) {
        const uint8_t *codes;
        status = nk_solution_part(solution, part, &codes, &count, error);
        if (status || !codes)
            continue;
        nk_traps_add(traps, codes, count);
        status = nk_table_writer_append(writer, codes, count, error);
        nk_progress_show(run->progress, (double)(written + count) / (double)solution->index->entries);
    }
    return status;
}

/* Writes the codes, then the trap values that follow from them. */
static enum nk_status write_parts(const struct run *run, struct nk_solution *solution,
                                  struct nk_table_writer *writer, uint8_t **trap_values,
                                  struct nk_error *error)
{
    const struct nk_progress_sink sink = {nk_progress_show, run->progress};
    struct nk_traps *traps = NULL;
    if (!run->settings->no_traps && nk_traps_new(solution->index, &traps))
        return nk_fail(error, NK_E_MEMORY, 0, no_memory_for_traps);
    enum nk_status status = write_codes(run, solution, writer, traps, error);
    nk_progress_stage(run->progress, "computing trap values");
    if (!status && nk_traps_compute(traps, run->settings->threads, &sink, trap_values))
        status = nk_fail(error, NK_E_MEMORY, 0, no_memory_for_traps);
    nk_traps_free(traps);
    return status;
}

/* Writes the table and describes its file. */
static enum nk_status write_table(const struct run *run, struct nk_solution *solution,
                                  struct nk_solve_summary *summary, struct nk_error *error)
{
    struct nk_table_writer *writer;
    uint8_t *trap_values = NULL;
    enum nk_status status =
        nk_table_writer_open(run->settings->output, solution->index, run->settings->threads, &writer, error);
    if (status)
        return status;
    status = write_parts(run, solution, writer, &trap_values, error);
    if (!status)
        status = nk_table_writer_close(writer, &solution->summary, trap_values, &summary->file,
                                       &summary->codes_checksum, error);
    else
        nk_table_writer_abandon(writer);
    free(trap_values);
    return status;
}

/* Verifies the table, with intermediate results in `directory`, which may be NULL, and has the summary state what was
 * verified, not what a log contains that may have been changed. */
static enum nk_status verify(const struct run *run, const char *directory, struct nk_solve_summary *summary,
                             struct nk_error *error)
{
    struct nk_rules rules;
    struct nk_verified verified;
    const enum nk_status status = nk_check_file(run->settings->output, run->settings, directory,
                                                run->progress, &rules, &verified, NULL, error);
    if (status)
        return status;
    summary->counts = verified.summary;
    memcpy(summary->by_plies, verified.by_plies, sizeof summary->by_plies);
    summary->verified = true;
    return NK_OK;
}

/* What only the first process does with a solution. */
static enum nk_status write_and_verify(const struct run *run, const char *directory,
                                       struct nk_solution *solution, struct nk_solve_summary *summary,
                                       struct nk_error *error)
{
    nk_progress_stage(run->progress, "writing");
    const enum nk_status status = write_table(run, solution, summary, error);
    return status || !run->settings->verify ? status : verify(run, directory, summary, error);
}

/* ---- all of it ---- */

static void summarise(const struct nk_settings *settings, const struct nk_solution *solution,
                      struct nk_solve_summary *summary)
{
    const struct nk_index *index = solution->index;
    *summary = (struct nk_solve_summary){.rules = settings->rules,
                                         .counts = solution->summary,
                                         .processes = nk_cluster_size(),
                                         .sent = solution->sent,
                                         .path = settings->output};
    memcpy(summary->by_plies, solution->by_plies, sizeof summary->by_plies);
    if (solution->example < index->entries)
        summary->example =
            nk_position_text(&settings->rules, nk_index_position(index, solution->example), NK_BLACK);
}

/* Solves, writes and verifies, with the log that it opens. */
static enum nk_status solve(struct run *run, const struct nk_index *index, struct nk_log **log,
                            struct nk_solve_summary *summary, struct nk_error *error)
{
    const double began = nk_system_now();
    struct nk_plan plan = {0};
    struct nk_solution *solution = NULL;
    enum nk_status status = begin(run, index, &plan, log, error);
    if (!status)
        status = analyse(run, index, &plan, *log, &solution, error);
    if (!status) {
        summarise(run->settings, solution, summary);
        summary->solve_seconds = nk_system_now() - began;
        status = nk_cluster_is_first()
                     ? write_and_verify(run, (*log)->directory.path, solution, summary, error)
                     : write_codes(run, solution, NULL, NULL, error);
    }
    summary->total_seconds = nk_system_now() - began;
    nk_solution_free(solution);
    return status;
}

enum nk_status nk_solve_and_write(const struct nk_settings *settings, struct nk_progress *progress,
                                  struct nk_solve_summary *summary, struct nk_error *error)
{
    struct run run = {settings, progress};
    struct nk_index *index = NULL;
    struct nk_log *log = NULL;
    enum nk_status status = nk_cluster_is_first() ? nk_permit_output(settings, error) : NK_OK;
    if (status)
        return status;
    if (nk_index_new(&settings->rules, &index))
        status = nk_fail(error, NK_E_MEMORY, 0, "out of memory for the index of this board");
    else
        status = solve(&run, index, &log, summary, error);
    if (log && (!status || log->state.ply < 0)) /* done, or there is nothing to resume from */
        nk_log_remove(log);
    nk_log_close(log);
    nk_index_free(index);
    return status;
}
