/* What neutreeko-solve does: it solves a board, writes its table and verifies it, or verifies a table that exists. It
 * first checks what must hold, so that an error is reported before hours of computation: that the table can be written,
 * and that memory and disk are sufficient. All functions return NK_OK, or an error with its message in *error. */

#include "solver/solver.h"

#include "common/program/program.h"
#include "common/system/system.h"
#include "common/table/table.h"
#include "solver/analysis/analysis.h"
#include "solver/analysis/traps.h"
#include "solver/verify/verify.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- the output ---- */

/* Whether two names are those of one directory. Windows has no inode numbers: there any directory on the same
 * drive is taken for it. */
static bool is_same_directory(const char *a, const char *b)
{
    struct stat first, second;
    return nk_system_stat(a, &first) && nk_system_stat(b, &second) && first.st_dev == second.st_dev &&
           first.st_ino == second.st_ino;
}

/* A table would lose its content if the directory of --checkpoint had a file of its name while the program runs. */
static enum nk_status require_name(const struct nk_settings *settings, const char *path,
                                   struct nk_error *error)
{
    const char *name = nk_system_file_name(path);
    char *directory;
    if (!settings->checkpoint || !nk_checkpoint_has_name(name))
        return NK_OK;
    if (asprintf(&directory, "%.*s.", (int)(name - path), path) < 0)
        return nk_fail_memory(error);
    const bool is_in_checkpoint = is_same_directory(directory, settings->checkpoint);
    free(directory);
    if (!is_in_checkpoint)
        return NK_OK;
    return nk_fail(error, NK_E_EXISTS, 0,
                   NK_PATH " has the name of a file of the checkpoint: choose another one", NK_PATH_OF(path));
}

/* Opens the writer of the table, if it can be written, as far as this shows now. NK_E_EXISTS if there is another file
 * than a table, or if it has the name of a file of the checkpoint; NK_E_UNSUPPORTED for --verify if it cannot be read
 * again; NK_E_WRITE, NK_E_READ, NK_E_MEMORY. */
static enum nk_status open_output(const struct nk_settings *settings, struct nk_writer **output,
                                  struct nk_error *error)
{
    const char *path = settings->output;
    struct nk_writer *writer;
    if (settings->is_default)
        (void)nk_file_make_directories(path, NULL); /* a failure shows when the file is created */
    enum nk_status status = require_name(settings, path, error);
    if (!status)
        status = nk_writer_open(path, settings->force, &writer, error);
    if (status)
        return status;
    if (settings->verify && nk_writer_is_stream(writer)) {
        nk_writer_abandon(writer);
        return nk_fail(error, NK_E_UNSUPPORTED, 0,
                       NK_PATH " is not a regular file, so --verify cannot read the table from it",
                       NK_PATH_OF(nk_file_is_standard(path) ? "standard output" : path));
    }
    *output = writer;
    return NK_OK;
}

/* ---- memory and disk ---- */

/* Bytes in MiB, rounded up, as nk_group_digits prints them: what is needed. */
static struct nk_text needed_mib(uint64_t bytes)
{
    return nk_group_digits((bytes + (1 << 20) - 1) >> 20);
}

/* What follows a number of bytes, if there are several processes. */
static const char *in_each_process(const struct nk_settings *settings)
{
    return nk_cluster_size(settings->cluster) > 1 ? " in each process" : "";
}

static struct nk_plan plan_of(const struct nk_settings *settings, const struct nk_index *index,
                              enum nk_layout layout)
{
    return nk_plan(index, settings->cluster, layout, settings->threads, !settings->no_traps);
}

/* Records that a plan takes more memory than `most`, and what --checkpoint would take. */
static enum nk_status too_large(const struct nk_settings *settings, const struct nk_index *index,
                                const struct nk_plan *plan, uint64_t most, struct nk_error *error)
{
    char advice[240] = "";
    if (!settings->checkpoint) {
        const struct nk_plan with_files = plan_of(settings, index, NK_SETS_IN_FILES);
        snprintf(advice, sizeof advice, "; with --checkpoint it needs %s MiB and %s MiB on disk",
                 needed_mib(with_files.memory).s, needed_mib(with_files.disk).s);
    }
    const struct nk_size available = nk_size_of(most);
    return nk_fail(error, NK_E_MEMORY, 0, "this board needs %s MiB of memory%s, but %s %s %s%s",
                   needed_mib(plan->memory).s, in_each_process(settings), nk_group_digits(available.number).s,
                   available.unit, settings->memory ? "is what --memory allows" : "are available", advice);
}

/* Plans with the layout that takes the least time and fits in memory. NK_E_MEMORY if none does. */
static enum nk_status plan_memory(const struct nk_settings *settings, const struct nk_index *index,
                                  struct nk_plan *plan, struct nk_error *error)
{
    uint64_t most = settings->memory;
    *plan = plan_of(settings, index, settings->checkpoint ? NK_LOSSES_IN_FILES : NK_IN_MEMORY);
    /* The available memory is shared by all processes on this machine; --memory is the maximum for each. */
    if (!most && plan->memory > NK_LITTLE_MEMORY)
        most =
            nk_system_available_memory() / (uint64_t)(settings->cluster ? settings->cluster->local_size : 1);
    if (!most) /* unknown: then the analysis fails if it is not enough */
        most = UINT64_MAX;
    while (settings->checkpoint && plan->memory > most && plan->layout < NK_SETS_IN_FILES)
        *plan = plan_of(settings, index, plan->layout + 1);
    if (plan->memory > SIZE_MAX) /* where addresses have 32 bits */
        return nk_fail(error, NK_E_MEMORY, 0,
                       "out of memory: this board needs %s MiB%s, more than addresses reach",
                       needed_mib(plan->memory).s, in_each_process(settings));
    /* The first process reports what is too much in all of them: --memory is the same, the available memory is not. */
    const bool is_reported = settings->memory && !nk_cluster_is_first(settings->cluster);
    return plan->memory <= most || is_reported ? NK_OK : too_large(settings, index, plan, most, error);
}

/* Checks that the directory has enough space for the rest of the losses and the sets. *bytes receives how much they
 * need. NK_E_WRITE if it has not. */
static enum nk_status require_disk(const struct nk_settings *settings, const struct nk_plan *plan,
                                   const struct nk_losses *losses, uint64_t *bytes, struct nk_error *error)
{
    const uint64_t present = nk_losses_bytes(losses);
    uint64_t unused;
    *bytes = plan->disk > present ? plan->disk - present : 0;
    if (!settings->checkpoint || !nk_cluster_is_first(settings->cluster) ||
        !nk_system_free_space(settings->checkpoint, &unused) || unused >= *bytes)
        return NK_OK;
    const struct nk_size free_size = nk_size_of(unused);
    return nk_fail(error, NK_E_WRITE, 0, "this board needs %s MiB in " NK_PATH ", but %s %s are free there",
                   needed_mib(*bytes).s, NK_PATH_OF(settings->checkpoint),
                   nk_group_digits(free_size.number).s, free_size.unit);
}

/* ---- analysing ---- */

/* What is to be done, and what that has open; the summary is complete in the first process only. */
struct solver_run {
    const struct nk_settings *settings;
    struct nk_progress *progress;
    struct nk_solve_summary *summary;
    struct nk_writer *output;       /* of the table, until that is complete; only in the first process */
    struct nk_table_writer *writer; /* of the table that is being written to it */
    struct nk_index *index;
    struct nk_storage *checkpoint; /* or NULL */
    struct nk_losses *losses;
    uint64_t few; /* positions: a pass is sparse if the one before has decided at most so many */
};

/* Prints what the run needs and from where it resumes, in the first process. `disk` are bytes. */
static void print_beginning(const struct nk_settings *settings, const struct nk_plan *plan, uint64_t disk,
                            int ply)
{
    if (settings->quiet || !settings->checkpoint || !nk_cluster_is_first(settings->cluster))
        return;
    if (plan->layout > NK_LOSSES_IN_FILES || nk_system_is_terminal(stderr))
        nk_report("needs up to %s MiB of memory%s and %s MiB in " NK_PATH, needed_mib(plan->memory).s,
                  in_each_process(settings), needed_mib(disk).s, NK_PATH_OF(settings->checkpoint));
    if (ply >= 0)
        nk_report("resuming after ply %d from " NK_PATH, ply, NK_PATH_OF(settings->checkpoint));
}

/* Plans the analysis, and opens the checkpoint and the record of losses. */
static enum nk_status plan_and_open(struct solver_run *run, struct nk_plan *plan, struct nk_error *error)
{
    const struct nk_settings *settings = run->settings;
    uint64_t disk;
    enum nk_status status = plan_memory(settings, run->index, plan, error);
    if (!status && settings->checkpoint)
        status = nk_checkpoint_open(settings->checkpoint, settings->cluster, &run->checkpoint, error);
    if (!status)
        status = nk_losses_new(run->index, settings->cluster, run->checkpoint, &run->losses, error);
    if (!status)
        status = require_disk(settings, plan, run->losses, &disk, error);
    if (!status)
        print_beginning(settings, plan, disk, run->losses->state.ply);
    return status;
}

static enum nk_status show_pass(void *context, int ply, uint64_t decided, struct nk_error *error)
{
    const struct solver_run *run = context;
    (void)error;
    nk_progress_show_ply(run->progress, ply, decided, run->few);
    return NK_OK;
}

/* Decides all positions, and adds their counts to the summary. After a failure that another run may not have, prints
 * from where it would continue. */
static enum nk_status analyse(struct solver_run *run, struct nk_error *error)
{
    struct nk_solve_summary *summary = run->summary;
    const double began = nk_system_now();
    struct nk_plan plan = {0};
    enum nk_status status = plan_and_open(run, &plan, error);
    if (status)
        return status;
    const struct nk_losses_state *state = &run->losses->state;
    const struct nk_analysis_options options = {.layout = plan.layout, .threads = run->settings->threads};
    run->few = nk_sparse_limit(run->index, run->settings->cluster, plan.layout) *
               (uint64_t)run->index->rules.symmetries;
    nk_progress_stage(run->progress, "solving");
    status = nk_find_losses(run->losses, &options, show_pass, run, &summary->sent, error);
    nk_progress_clear(run->progress);
    if ((status == NK_E_WRITE || status == NK_E_MEMORY) && run->checkpoint && state->ply >= 0)
        nk_report(NK_PATH " contains everything up to ply %d: the same command resumes there",
                  NK_PATH_OF(run->settings->checkpoint), state->ply);
    if (status)
        return status;
    summary->counts = nk_losses_summary(run->losses);
    memcpy(summary->by_plies, state->by_plies, sizeof summary->by_plies);
    if (state->example < run->index->entries)
        summary->example =
            nk_position_text(&run->index->rules, nk_index_position(run->index, state->example), NK_BLACK);
    summary->solve_seconds = nk_system_now() - began;
    return NK_OK;
}

/* ---- writing ---- */

static enum nk_status write_codes(void *context, const uint8_t *codes, uint64_t count, double done,
                                  struct nk_error *error)
{
    const struct solver_run *run = context;
    const enum nk_status status = nk_table_writer_append(run->writer, codes, count, error);
    nk_progress_show(run->progress, done);
    return status;
}

/* Writes the codes of a complete record of losses, and computes the trap values unless there are to be none. */
static enum nk_status find_values(struct solver_run *run, uint8_t **trap_values, struct nk_error *error)
{
    const struct nk_progress_sink progress = {nk_progress_show, run->progress};
    const int threads = run->settings->threads;
    struct nk_traps *traps = NULL;
    enum nk_status status = NK_OK;
    bool is_short = !run->settings->no_traps && nk_traps_new(run->index, &traps);
    if (!is_short)
        status = nk_find_codes(run->losses, threads, traps, write_codes, run, error);
    if (!status && traps) {
        nk_progress_stage(run->progress, "computing trap values");
        is_short = nk_traps_compute(traps, threads, &progress, trap_values);
    }
    nk_traps_free(traps);
    return is_short ? nk_fail(error, NK_E_MEMORY, 0,
                              "out of memory for the trap values; --no-traps leaves them out")
                    : status;
}

/* Writes the table, and adds to the summary what identifies its file. */
static enum nk_status write_table(struct solver_run *run, struct nk_error *error)
{
    struct nk_solve_summary *summary = run->summary;
    struct nk_writer *const output = run->output;
    uint8_t *trap_values = NULL;
    enum nk_status status = nk_table_writer_open(nk_table_sink_of(output), run->index, run->settings->threads,
                                                 &run->writer, error);
    if (status)
        return status;
    nk_progress_stage(run->progress, "writing");
    status = find_values(run, &trap_values, error);
    if (!status)
        status = nk_table_writer_close(run->writer, &summary->counts, trap_values, &summary->file.bytes,
                                       &summary->codes_checksum, error);
    else
        nk_table_writer_abandon(run->writer);
    free(trap_values);
    if (status)
        return status;
    run->output = NULL;
    return nk_writer_commit(output, &summary->file.checksum, error);
}

/* ---- verifying ---- */

/* Verifies a table that was opened from `path`, and has the summary state what was verified. */
static enum nk_status verify_table(const struct solver_run *run, struct nk_table *table, const char *path,
                                   struct nk_error *error)
{
    const struct nk_progress_sink progress = {nk_progress_show, run->progress};
    struct nk_solve_summary *summary = run->summary;
    const uint64_t available = nk_system_available_memory();
    const bool is_short = available && available < nk_verify_usual_memory(table->index);
    const struct nk_verify_options options = {.threads = run->settings->threads,
                                              .memory = run->settings->memory ? run->settings->memory
                                                        : is_short            ? available
                                                                              : 0,
                                              .path = nk_file_is_standard(path) ? NULL : path,
                                              .progress = &progress};
    struct nk_verified verified;
    nk_progress_stage(run->progress, "verifying");
    const enum nk_status status = nk_verify(table, &options, &verified, error);
    if (status)
        return status;
    summary->counts = verified.summary;
    summary->codes_checksum = verified.codes_checksum;
    summary->verified = true;
    memcpy(summary->by_plies, verified.by_plies, sizeof summary->by_plies);
    return NK_OK;
}

/* Verifies the table that was written, of which the summary then states what was verified instead of what was solved:
 * the files of a checkpoint may have been changed. */
static enum nk_status verify_written(const struct solver_run *run, struct nk_error *error)
{
    struct nk_table *table;
    enum nk_status status = nk_table_open(run->settings->output, &table, error);
    if (status)
        return status;
    status = verify_table(run, table, run->settings->output, error);
    nk_table_close(table);
    return status;
}

/* ---- what main calls ---- */

/* Begins the summary of a table with this path, which must outlive it; all else is 0. */
static void begin_summary(struct nk_solve_summary *summary, const struct nk_rules *rules, const char *path)
{
    struct nk_position start;
    memset(summary, 0, sizeof *summary); /* in its place: it is large for a stack that may be small */
    summary->board = rules->board;
    if (nk_rules_start(rules, &start))
        summary->start = nk_position_text(rules, start, NK_BLACK);
    summary->path = path;
}

enum nk_status nk_check(const struct nk_settings *settings, struct nk_progress *progress,
                        struct nk_solve_summary *summary, struct nk_error *error)
{
    const struct solver_run run = {.settings = settings, .progress = progress, .summary = summary};
    const double began = nk_system_now();
    struct nk_table *table;
    enum nk_status status = nk_table_open_path_or_input(settings->check, &table, error);
    if (status)
        return status;
    begin_summary(summary, nk_table_rules(table), settings->check);
    summary->solve_seconds = -1;
    status = verify_table(&run, table, settings->check, error);
    if (!status)
        status = nk_table_digest(table, &summary->file, error);
    nk_table_close(table);
    summary->total_seconds = nk_system_now() - began;
    return status;
}

/* Solves, writes and verifies. */
static enum nk_status solve(struct solver_run *run, struct nk_error *error)
{
    const double began = nk_system_now();
    enum nk_status status = analyse(run, error);
    if (status)
        return status;
    if (!nk_cluster_is_first(run->settings->cluster))
        return nk_find_codes(run->losses, run->settings->threads, NULL, NULL, NULL, error);
    status = write_table(run, error);
    if (!status && run->settings->verify)
        status = verify_written(run, error);
    run->summary->total_seconds = nk_system_now() - began;
    return status;
}

enum nk_status nk_solve_and_write(const struct nk_settings *settings, struct nk_progress *progress,
                                  struct nk_solve_summary *summary, struct nk_error *error)
{
    struct solver_run run = {.settings = settings, .progress = progress, .summary = summary};
    enum nk_status status =
        nk_cluster_is_first(settings->cluster) ? open_output(settings, &run.output, error) : NK_OK;
    if (status)
        return status;
    begin_summary(summary, &settings->rules, settings->output);
    summary->processes = nk_cluster_size(settings->cluster);
    run.index = nk_index_new(&settings->rules);
    status = run.index ? solve(&run, error) : nk_fail_memory(error);
    nk_writer_abandon(run.output);
    if (run.checkpoint) {
        /* The board is solved, or there is nothing to resume from. */
        if (run.losses && (!status || run.losses->state.ply < 0))
            nk_checkpoint_remove(run.checkpoint);
        nk_checkpoint_close(run.checkpoint);
    }
    nk_losses_free(run.losses);
    nk_index_free(run.index);
    return status;
}
