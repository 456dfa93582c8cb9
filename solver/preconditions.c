#include "solver/preconditions.h"

#include "common/system/system.h"
#include "solver/checkpoint.h"
#include "solver/summary.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- files ---- */

/* Whether two names are those of one directory. Windows has no inode numbers: there any directory on the same
 * drive is taken for it. */
static bool is_same_directory(const char *a, const char *b)
{
    struct stat first, second;
    return stat(a, &first) == 0 && stat(b, &second) == 0 && first.st_dev == second.st_dev &&
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

enum nk_status nk_require_output(const struct nk_settings *settings, struct nk_writer **output,
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
    if (settings->verify && nk_writer_has_device(writer)) {
        nk_writer_abandon(writer);
        return nk_fail(error, NK_E_UNSUPPORTED, 0,
                       NK_PATH " is not a regular file, so --verify cannot read the table from it",
                       NK_PATH_OF(nk_file_is_standard(path) ? "standard output" : path));
    }
    *output = writer;
    return NK_OK;
}

/* ---- memory and disk ---- */

const char *nk_in_each_process(const struct nk_settings *settings)
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
                 nk_group_mib(with_files.memory).s, nk_group_mib(with_files.disk).s);
    }
    return nk_fail(error, NK_E_MEMORY, 0, "this board needs %s MiB of memory%s, but %s MiB %s%s",
                   nk_group_mib(plan->memory).s, nk_in_each_process(settings), nk_group_whole_mib(most).s,
                   settings->memory ? "is what --memory allows" : "are available", advice);
}

enum nk_status nk_require_memory(const struct nk_settings *settings, const struct nk_index *index,
                                 struct nk_plan *plan, struct nk_error *error)
{
    /* The available memory is shared by all processes on this machine; --memory is the maximum for each. */
    const uint64_t available =
        nk_system_available_memory() / (uint64_t)(settings->cluster ? settings->cluster->local_size : 1);
    /* 0 if it is unknown: then the analysis fails if it is not enough. */
    const uint64_t most = settings->memory ? settings->memory : available ? available : UINT64_MAX;
    *plan = plan_of(settings, index, settings->checkpoint ? NK_LOSSES_IN_FILES : NK_IN_MEMORY);
    while (settings->checkpoint && plan->memory > most && plan->layout < NK_SETS_IN_FILES)
        *plan = plan_of(settings, index, plan->layout + 1);
    if (plan->memory > SIZE_MAX) /* where addresses have 32 bits */
        return nk_fail(error, NK_E_MEMORY, 0,
                       "out of memory: this board needs %s MiB%s, more than addresses reach",
                       nk_group_mib(plan->memory).s, nk_in_each_process(settings));
    /* The first process reports what is too much in all of them: --memory is the same, the available memory is not. */
    const bool is_reported = settings->memory && !nk_cluster_is_first(settings->cluster);
    return plan->memory <= most || is_reported ? NK_OK : too_large(settings, index, plan, most, error);
}

enum nk_status nk_require_disk(const struct nk_settings *settings, const struct nk_plan *plan,
                               const struct nk_losses *losses, uint64_t *bytes, struct nk_error *error)
{
    const uint64_t present = nk_losses_bytes(losses);
    uint64_t unused;
    *bytes = plan->disk > present ? plan->disk - present : 0;
    if (!settings->checkpoint || !nk_cluster_is_first(settings->cluster) ||
        !nk_system_free_space(settings->checkpoint, &unused) || unused >= *bytes)
        return NK_OK;
    return nk_fail(error, NK_E_WRITE, 0, "this board needs %s MiB in " NK_PATH ", but %s MiB are free there",
                   nk_group_mib(*bytes).s, NK_PATH_OF(settings->checkpoint), nk_group_whole_mib(unused).s);
}
