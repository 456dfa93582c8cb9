/* What the commands share: how they print boards and values, the table and its errors, parts of help texts, the random
 * seed, progress. */

#include "player/player.h"

#include "common/play/play.h"
#include "common/system/system.h"
#include "common/table/table.h"
#include "player/terminal/terminal.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

const char *command_name = "neutreeko";
struct common_options common_options = {.board_style = -1};

/* ---- boards and values ---- */

/* The words of --color. */
enum { COLOR_AUTO, COLOR_ALWAYS, COLOR_NEVER };

bool use_colour(void)
{
    return common_options.color == COLOR_ALWAYS ||
           (common_options.color == COLOR_AUTO && display_has_colour());
}

struct board_view output_view(void)
{
    enum { UNICODE = 1 };
    const bool automatic = common_options.board_style < 0 && common_options.color != COLOR_NEVER;
    return (struct board_view){.colour = use_colour(),
                               .unicode =
                                   automatic ? display_has_unicode() : common_options.board_style == UNICODE};
}

struct nk_text painted_value(struct nk_value value)
{
    return paint_result(value.result, use_colour(), nk_value_text(value).s);
}

/* ---- the table and its errors ---- */

static bool uses_default_file; /* the table is the one in the default place */

void report_error(const struct nk_error *error)
{
    const bool is_of_file = error->status == NK_E_CORRUPT || error->status == NK_E_NOT_TABLE;
    fflush(stdout);
    nk_report(command_name, "%s", error->text);
    if (uses_default_file && is_of_file)
        fputs(
            "Write this file again with neutreeko-solve --force, or remove it: then neutreeko solves the game "
            "itself.\n",
            stderr);
}

void report_no_memory(void)
{
    struct nk_error error;
    (void)nk_fail_memory(&error);
    report_error(&error);
}

bool table_file(char **path)
{
    *path = common_options.table ? strdup(common_options.table) : nk_table_default_path();
    if (!*path)
        return !common_options.table && errno != ENOMEM;
    if (!common_options.table && access(*path, F_OK) && (errno == ENOENT || errno == ENOTDIR)) {
        free(*path);
        *path = NULL;
    }
    return true;
}

int open_table(struct nk_table **table)
{
    struct nk_error error;
    char *path;
    if (!table_file(&path)) {
        report_no_memory();
        return EXIT_FAILURE;
    }
    uses_default_file = path && !common_options.table;
    /* For the standard game, starting threads takes longer than they save. */
    const enum nk_status status = path ? nk_table_open_path_or_input(path, table, &error)
                                       : nk_table_solve(NULL, 1, 0, NULL, NULL, table, &error);
    free(path);
    if (!status)
        return EXIT_SUCCESS;
    report_error(&error);
    return EXIT_FAILURE;
}

bool names_input(int argc, char **argv)
{
    for (int i = 0; i < argc; i++)
        if (nk_file_is_standard(argv[i]))
            return true;
    return false;
}

/* ---- help texts ---- */

const char *opponent_about(const struct nk_opponent_description *kind, char text[OPPONENT_ABOUT])
{
    if (kind->max)
        snprintf(text, OPPONENT_ABOUT, "(%d to %d) %s", kind->min, kind->max, kind->about);
    else if (kind->same_as)
        snprintf(text, OPPONENT_ABOUT, "%s, %s", kind->same_as, kind->about);
    else
        snprintf(text, OPPONENT_ABOUT, "%s", kind->about);
    return text;
}

void print_opponents(const char *title, bool people)
{
    struct nk_opponent_description kind;
    char label[32], about[OPPONENT_ABOUT];
    printf("\n%s:\n", title);
    for (int n = 0; nk_opponent_kind_at(n, &kind); n++) {
        if (!people && strcmp(kind.form, "human") == 0)
            continue;
        snprintf(label, sizeof label, "  %s", kind.form);
        nk_print_help_entry(label, 15, opponent_about(&kind, about));
    }
}

/* ---- the random seed ---- */

void print_seed(void)
{
    if (!common_options.has_given_seed)
        printf("Random seed: %" PRIu64 " (see --seed)\n", common_options.seed);
}

void json_add_seed(struct nk_json *json)
{
    char digits[24];
    snprintf(digits, sizeof digits, "%" PRIu64, common_options.seed);
    nk_json_literal(json, "seed", digits);
}

/* ---- long work ---- */

void begin_progress(struct nk_progress *progress, const char *stage)
{
    nk_progress_init(progress, nk_system_is_terminal(stderr) ? stderr : NULL);
    nk_progress_stage(progress, stage);
}
