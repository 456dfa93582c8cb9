#include "solver/solve.h"

#include "common/program/report.h"
#include "common/base/strbuf.h"
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

#define SAVED NK_PATH " contains everything up to ply %d: the same command resumes there"

/* ---- analysing ---- */

/* Prepares the line that a process prints when it is terminated because another one has died; ply is -1 before anything
 * has been saved. */
static void note_saved(void *context, int ply)
{
    const struct run *run = context;
    const char *directory = run->settings->checkpoint;
    char line[500], escaped[1000];
    struct nk_strbuf text = {line, sizeof line, 0}, printed = {escaped, sizeof escaped, 0};
    if (nk_cluster_size() == 1)
        return;
    nk_strbuf_add(&text, "%s: process %d was terminated, as all processes are when one has died; ",
                  nk_solver_name, nk_cluster_process());
    if (ply >= 0)
        nk_strbuf_add(&text, SAVED, NK_PATH_OF(directory), ply);
    else
        nk_strbuf_add(&text, "nothing was saved%s", directory ? " yet" : " (use --checkpoint)");
    nk_strbuf_add_escaped(&printed, line);
    nk_strbuf_add(&printed, "\n");
    nk_cluster_set_last_line(escaped);
}

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
    enum nk_status status = nk_cluster_agree(nk_permit_memory(settings, index, plan, error), error);
    if (!status)
        status = nk_cluster_agree(nk_log_open(settings->checkpoint, index, log, error), error);
    if (status)
        return status;
    status = nk_cluster_agree(nk_permit_disk(settings, plan, *log, &disk, error), error);
    if (status)
        return status;
    print_beginning(settings, plan, disk, (*log)->state.ply);
    note_saved(run, (*log)->state.ply);
    return NK_OK;
}

static enum nk_status analyse(struct run *run, const struct nk_index *index, const struct nk_plan *plan,
                              struct nk_log *log, struct nk_solution **solution, struct nk_error *error)
{
    const struct nk_solve_options options = {.progress = show_ply,
                                             .saved = note_saved,
                                             .context = run,
                                             .log = log,
                                             .set_files = nk_set_files(plan->layout),
                                             .threads = run->settings->threads};
    nk_progress_stage(run->progress, "solving");
    const enum nk_status status = nk_solve(index, &options, solution, error);
    nk_progress_clear(run->progress);
    const bool can_continue = status == NK_E_WRITE || status == NK_E_MEMORY;
    if (can_continue && run->settings->checkpoint && log->state.ply >= 0 && nk_cluster_is_first())
        nk_report(nk_solver_name, SAVED, NK_PATH_OF(run->settings->checkpoint), log->state.ply);
    return status;
}

/* ---- writing ---- */

/* Writes the table part by part, then the trap values of its draws. */
static enum nk_status write_parts(const struct run *run, const struct nk_index *index,
                                  struct nk_solution *solution, struct nk_table_writer *writer,
                                  struct nk_solve_summary *summary, struct nk_error *error)
{
    static const char no_memory[] = "out of memory for the trap values; --no-traps leaves them out";
    const struct nk_progress_sink sink = {nk_progress_show, run->progress};
    const bool is_first = nk_cluster_is_first();
    struct nk_traps *traps = NULL;
    uint8_t *values = NULL;
    uint64_t written = 0, count;
    enum nk_status status = NK_OK;
    if (is_first && !run->settings->no_traps && nk_traps_new(index, &traps))
        status = nk_fail(error, NK_E_MEMORY, 0, no_memory);
    status = nk_cluster_agree(status, error);
    for (uint32_t part = 0; part < nk_solution_parts(solution) && !status; part++, written += count) {
        const uint8_t *codes;
        status = nk_solution_part(solution, part, &codes, &count, error);
        if (!status && codes) {
            nk_traps_add(traps, codes, count);
            status = nk_table_writer_append(writer, codes, count, error);
            nk_progress_show(run->progress, (double)(written + count) / (double)index->entries);
        }
        status = nk_cluster_agree(status, error); /* else the other processes would send for ever */
    }
    nk_progress_stage(run->progress, "computing trap values");
    if (!status && nk_traps_compute(traps, run->settings->threads, &sink, &values))
        status = nk_fail(error, NK_E_MEMORY, 0, no_memory);
    if (!status && is_first)
        status = nk_table_writer_close(writer, &solution->summary, values, &summary->file,
                                       &summary->codes_checksum, error);
    else
        nk_table_writer_abandon(writer);
    nk_traps_free(traps);
    free(values);
    return status;
}

/* Writes the table and describes its file. */
static enum nk_status write_table(const struct run *run, const struct nk_index *index,
                                  struct nk_solution *solution, struct nk_solve_summary *summary,
                                  struct nk_error *error)
{
    struct nk_table_writer *writer = NULL;
    enum nk_status status = NK_OK;
    nk_progress_stage(run->progress, "writing");
    if (nk_cluster_is_first())
        status = nk_table_writer_open(run->settings->output, index, run->settings->threads, &writer, error);
    status = nk_cluster_agree(status, error);
    if (!status)
        status = write_parts(run, index, solution, writer, summary, error);
    return nk_cluster_agree(status, error);
}

/* Verifies the table if the first process is to, with intermediate results in `directory`, which may be NULL, and has
 * the summary state what was verified, not what a log contains that may have been changed. All processes call this
 * whether or not they were started with --verify, which may differ between them. */
static enum nk_status verify(const struct run *run, const char *directory, struct nk_solve_summary *summary,
                             struct nk_error *error)
{
    struct nk_rules rules;
    struct nk_verified verified;
    enum nk_status status = NK_OK;
    if (nk_cluster_is_first() && run->settings->verify) {
        status = nk_check_file(run->settings->output, run->settings, directory, run->progress, &rules,
                               &verified, NULL, error);
        if (!status) {
            summary->counts = verified.summary;
            memcpy(summary->by_plies, verified.by_plies, sizeof summary->by_plies);
            summary->verified = true;
        }
    }
    return nk_cluster_agree(status, error);
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
        status = write_table(run, index, solution, summary, error);
    }
    if (!status)
        status = verify(run, (*log)->directory.path, summary, error);
    nk_cluster_set_last_line("");
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
    enum nk_status status = NK_OK;
    if (nk_cluster_is_first())
        status = nk_permit_output(settings, error);
    status = nk_cluster_agree(status, error);
    if (status)
        return status;
    if (nk_index_new(&settings->rules, &index))
        status = nk_fail(error, NK_E_MEMORY, 0, "out of memory for the index of this board");
    status = nk_cluster_agree(status, error);
    if (!status)
        status = solve(&run, index, &log, summary, error);
    if (log && (!status || log->state.ply < 0)) /* done, or there is nothing to resume from */
        nk_log_remove(log);
    nk_log_close(log);
    nk_index_free(index);
    return status;
}
