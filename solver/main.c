/* neutreeko-solve: solves the game and writes the table. */

#include "common/program/program.h"
#include "common/program/report.h"
#include "solver/check.h"
#include "solver/run.h"

#include <stdlib.h>

/* Does what the settings request. Returns the exit status. */
static int solve_or_check(const struct nk_settings *settings)
{
    const bool is_first_process = nk_cluster_is_first(settings->cluster);
    struct nk_progress progress;            /* on standard error */
    static struct nk_solve_summary summary; /* too large for a small stack */
    struct nk_error error;
    if (settings->check && !is_first_process)
        return EXIT_SUCCESS;
    nk_progress_init(&progress, settings->quiet || !is_first_process ? NULL : stderr);
    const enum nk_status status = settings->check ? nk_check(settings, &progress, &summary, &error)
                                                  : nk_solve_and_write(settings, &progress, &summary, &error);
    nk_progress_clear(&progress);
    if (status) {
        nk_report(nk_solver_name, "%s", error.text);
        nk_cluster_abort(EXIT_FAILURE);
        return EXIT_FAILURE;
    }
    if (!is_first_process)
        return EXIT_SUCCESS;
    if (settings->json)
        nk_print_summary_json(&summary);
    else if (!settings->quiet && !settings->writes_standard)
        nk_print_summary(&summary, settings->verbose);
    return nk_flush_output(nk_solver_name) ? EXIT_SUCCESS : EXIT_FAILURE;
}

int main(int argc, char **argv)
{
    const struct nk_settings *settings;
    nk_program_begin();
    const struct nk_cluster *cluster = nk_cluster_begin(&argc, &argv);
    int status;
    if (nk_read_settings(cluster, argc, argv, &settings, &status))
        status = solve_or_check(settings);
    nk_cluster_end();
    return status;
}
