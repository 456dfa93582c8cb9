/* What the commands share: how they print boards and values, the table and its errors, the file that they write, parts
 * of help texts, the random seed, progress. */

#include "player/player.h"

#include "common/base/base.h"
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

struct common_options common_options = {.board_style = -1};

/* ---- boards and values ---- */

/* The words of --color. */
enum { COLOR_AUTO, COLOR_ALWAYS, COLOR_NEVER };

bool use_colour(void)
{
    const char *no_color = getenv("NO_COLOR");
    return common_options.color == COLOR_ALWAYS ||
           (common_options.color == COLOR_AUTO && nk_system_is_screen(stdout) && !(no_color && *no_color));
}

struct board_view output_view(void)
{
    enum { UNICODE = 1 };
    const bool automatic = common_options.board_style < 0;
    return (struct board_view){.colour = use_colour(),
                               .unicode = automatic ? nk_system_is_screen(stdout) && nk_system_has_utf8()
                                                    : common_options.board_style == UNICODE};
}

/* ---- the table and its errors ---- */

static bool uses_default_file; /* the table is the one in the default place */

int report_error(const struct nk_error *error)
{
    const bool is_of_file = error->status == NK_E_CORRUPT || error->status == NK_E_NOT_TABLE;
    fflush(stdout);
    if (error->status == NK_E_WRITE) {
        nk_system_note_lost_reader();
        if (nk_system_has_lost_reader())
            return EXIT_FAILURE;
    }
    nk_report("%s", error->text);
    if (uses_default_file && is_of_file)
        fputs(
            "Write this file again with neutreeko-solve --force, or remove it: then neutreeko solves the game "
            "itself.\n",
            stderr);
    return EXIT_FAILURE;
}

int report_no_memory(void)
{
    struct nk_error error;
    (void)nk_fail_memory(&error);
    return report_error(&error);
}

bool table_file(char **path)
{
    *path = common_options.table ? strdup(common_options.table) : nk_table_default_path();
    if (!*path)
        return !common_options.table && errno != ENOMEM;
    if (!common_options.table && !nk_system_access(*path, F_OK) && (errno == ENOENT || errno == ENOTDIR)) {
        free(*path);
        *path = NULL;
    }
    return true;
}

bool open_table(struct nk_table **table)
{
    struct nk_error error;
    char *path;
    if (!table_file(&path)) {
        report_no_memory();
        return false;
    }
    uses_default_file = path && !common_options.table;
    /* For the standard game, starting threads takes longer than they save. */
    const enum nk_status status = uses_default_file ? nk_table_open(path, table, &error)
                                  : path            ? nk_table_open_path_or_input(path, table, &error)
                                                    : nk_table_solve(NULL, 1, 0, NULL, NULL, table, &error);
    free(path);
    if (!status)
        return true;
    report_error(&error);
    if (uses_default_file && status == NK_E_READ)
        fputs("Make this file readable, or remove it: then neutreeko solves the game itself.\n", stderr);
    return false;
}

bool names_input(int argc, char **argv)
{
    for (int i = 0; i < argc; i++)
        if (nk_file_is_standard(argv[i]))
            return true;
    return false;
}

/* ---- the file that is written ---- */

static struct nk_writer *output; /* of --output, NULL for standard output */

bool begin_output(void)
{
    const char *path = common_options.output;
    struct nk_error error;
    if (!path || nk_file_is_standard(path))
        return true;
    if (!nk_writer_open(path, common_options.force, &output, &error) && !nk_writer_redirect(output, &error)) {
        nk_name_output(path);
        return true;
    }
    report_error(&error);
    (void)end_output(false);
    return false;
}

bool end_output(bool complete)
{
    struct nk_writer *const file = output;
    struct nk_error error;
    output = NULL;
    if (!file)
        return true;
    if (complete && nk_flush_output()) {
        if (!nk_writer_commit(file, NULL, &error))
            return true;
        report_error(&error);
        return false;
    }
    nk_writer_abandon(file);
    return !complete;
}

/* ---- help texts ---- */

struct nk_text opponent_about(const struct nk_opponent_kind *kind)
{
    if (kind->max)
        return nk_text_of("(%d to %d) %s", kind->min, kind->max, kind->about);
    return kind->same_as ? nk_text_of("%s, %s", kind->same_as, kind->about) : nk_text_of("%s", kind->about);
}

void print_opponents(const char *title, bool people)
{
    const struct nk_opponent_kind *kind;
    char label[32];
    printf("\n%s:\n", title);
    for (int n = 0; (kind = nk_opponent_kind_at(n)); n++) {
        if (!people && kind == nk_opponent_human.kind)
            continue;
        snprintf(label, sizeof label, "  %s", kind->form);
        nk_print_help_entry(label, 15, opponent_about(kind).s);
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
