#include "solver/check.h"

#include "common/system/file.h"
#include "common/system/system.h"
#include "common/table/open.h"

#include <string.h>

/* The bytes to use: 0 for as many as usual. */
static uint64_t memory_for(const struct nk_settings *settings, const struct nk_table *table)
{
    const uint64_t available = nk_system_available_memory();
    const bool is_short = available && available < nk_verify_usual_memory(nk_table_index(table));
    return settings->memory ? settings->memory : is_short ? available : 0;
}

/* Verifies a table that was opened from `path`, and sets what the summary has of it. */
static enum nk_status verify_table(struct nk_table *table, const char *path,
                                   const struct nk_settings *settings, struct nk_progress *progress,
                                   struct nk_solve_summary *summary, struct nk_error *error)
{
    const struct nk_progress_sink sink = {nk_progress_show, progress};
    const struct nk_verify_options options = {.threads = settings->threads,
                                              .memory = memory_for(settings, table),
                                              .path = nk_file_is_standard(path) ? NULL : path,
                                              .progress = &sink};
    struct nk_verified verified;
    nk_progress_stage(progress, "verifying");
    const enum nk_status status = nk_verify(table, &options, &verified, error);
    if (status)
        return status;
    summary->counts = verified.summary;
    summary->codes_checksum = verified.codes_checksum;
    summary->verified = true;
    memcpy(summary->by_plies, verified.by_plies, sizeof summary->by_plies);
    return NK_OK;
}

enum nk_status nk_check_written(const struct nk_settings *settings, struct nk_progress *progress,
                                struct nk_solve_summary *summary, struct nk_error *error)
{
    struct nk_table *table;
    enum nk_status status = nk_table_open(settings->output, &table, error);
    if (status)
        return status;
    status = verify_table(table, settings->output, settings, progress, summary, error);
    nk_table_close(table);
    return status;
}

enum nk_status nk_check(const struct nk_settings *settings, struct nk_progress *progress,
                        struct nk_solve_summary *summary, struct nk_error *error)
{
    const double began = nk_system_now();
    struct nk_table *table;
    enum nk_status status = nk_table_open_named(settings->check, &table, error);
    if (status)
        return status;
    nk_summary_begin(summary, nk_table_rules(table), settings->check);
    summary->solve_seconds = -1;
    status = verify_table(table, settings->check, settings, progress, summary, error);
    if (!status)
        status = nk_table_digest(table, &summary->file, error);
    nk_table_close(table);
    summary->total_seconds = nk_system_now() - began;
    return status;
}
