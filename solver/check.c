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

enum nk_status nk_check_file(const char *path, const struct nk_settings *settings,
                             struct nk_progress *progress, struct nk_rules *rules,
                             struct nk_verified *verified, struct nk_file_digest *file,
                             struct nk_error *error)
{
    const struct nk_progress_sink sink = {nk_progress_show, progress};
    struct nk_verify_options options = {.threads = settings->threads, .progress = &sink};
    struct nk_table *table;
    enum nk_status status = nk_table_open_named(path, &table, error);
    if (status)
        return status;
    options.memory = memory_for(settings, table);
    options.path = nk_file_is_standard(path) ? NULL : path;
    *rules = *nk_table_rules(table);
    nk_progress_stage(progress, "verifying");
    status = nk_verify(table, &options, verified, error);
    if (!status && file)
        status = nk_table_digest(table, file, error);
    nk_table_close(table);
    return status;
}

enum nk_status nk_check(const struct nk_settings *settings, struct nk_progress *progress,
                        struct nk_solve_summary *summary, struct nk_error *error)
{
    const double begin = nk_system_now();
    struct nk_rules rules;
    struct nk_verified verified;
    struct nk_file_digest file;
    const enum nk_status status =
        nk_check_file(settings->check, settings, progress, &rules, &verified, &file, error);
    if (status)
        return status;
    *summary = (struct nk_solve_summary){.rules = rules,
                                         .counts = verified.summary,
                                         .solve_seconds = -1,
                                         .total_seconds = nk_system_now() - begin,
                                         .codes_checksum = verified.codes_checksum,
                                         .file = file,
                                         .path = settings->check,
                                         .verified = true};
    memcpy(summary->by_plies, verified.by_plies, sizeof summary->by_plies);
    return NK_OK;
}
