#include "player/commands/common.h"

#include "common/base/strbuf.h"
#include "common/play/opponents.h"
#include "common/system/file.h"
#include "common/system/system.h"
#include "common/table/format.h"
#include "common/table/open.h"
#include "common/table/path.h"
#include "player/terminal/display.h"
#include "player/terminal/print.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

const char *command_name = "neutreeko";
struct common_options common_options = {.board_style = -1};

/* The words of --color. */
enum { COLOR_AUTO, COLOR_ALWAYS, COLOR_NEVER };

bool use_colour(void)
{
    return common_options.color == COLOR_ALWAYS ||
           (common_options.color == COLOR_AUTO && nk_display_has_colour());
}

struct nk_board_view board_view(void)
{
    enum { UNICODE = 1 };
    const bool automatic = common_options.board_style < 0 && common_options.color != COLOR_NEVER;
    return (struct nk_board_view){.colour = use_colour(),
                                  .unicode = automatic ? nk_display_has_unicode()
                                                       : common_options.board_style == UNICODE};
}

struct nk_text painted_value(struct nk_value value)
{
    return nk_paint(value.result, use_colour(), nk_value_text(value).s);
}

/* ---- the table and its errors ---- */

static const char *table_path;   /* the table that the command reads; NULL if there is none */
static const char *table_source; /* what determines it: see find_table */

/* Reads the game of a damaged table from its header, if that can still be trusted: the number of placements must be
 * that of the board. The signature was correct, or the table would not count as damaged. */
static bool read_game_of_table(const char *path, struct nk_rules *rules)
{
    uint8_t header[NK_HEADER_BYTES] = {0};
    FILE *file = fopen(path, "rb");
    const bool read = file && fread(header, 1, sizeof header, file) == sizeof header;
    if (file)
        fclose(file);
    if (!read)
        return false;
    const struct nk_board board = nk_get_board(header);
    return nk_rules_init(rules, &board, NULL) == NK_OK &&
           nk_get64(header + NK_AT_PLACEMENTS) == nk_index_placements(rules);
}

/* Whether a text is printed as it is. */
static bool is_visible(const char *text)
{
    for (size_t length = 1; *text && length; text += length)
        length = nk_visible_length(text);
    return !*text;
}

/* Appends a path in quotes for a shell: in those of POSIX of 2024, which bash and zsh have known for long, if it has
 * to be escaped. */
static void add_quoted(struct nk_strbuf *text, const char *path)
{
    const bool visible = is_visible(path);
    nk_strbuf_add(text, "%s", visible ? "'" : "$'");
    while (*path) {
        char escaped[NK_ESCAPED];
        if (*path == '\'')
            nk_strbuf_add(text, "%s", visible ? "'\\'" : "\\");
        else if (*path == '\\' && !visible)
            nk_strbuf_add(text, "\\");
        path = nk_escape_first(path, escaped);
        nk_strbuf_add(text, "%s", escaped);
    }
    nk_strbuf_add(text, "'");
}

static void add_rebuilding(struct nk_strbuf *text, const struct nk_rules *rules)
{
    nk_strbuf_add(text, "Rebuild the table with: neutreeko-solve --force ");
    if (!nk_board_is_standard(&rules->board))
        nk_strbuf_add(text, "%s ", nk_board_options(&rules->board).s);
    nk_strbuf_add(text, "-o ");
    add_quoted(text, table_path);
}

/* Appends what to do when the table cannot be used, or nothing. The file may be anything unless it is a damaged table:
 * no advice may lead to its being overwritten. */
static void add_remedy(struct nk_strbuf *text, enum nk_status status)
{
    struct nk_rules rules;
    if (!table_path) {
        nk_strbuf_add(
            text, "Create one in your data directory with: neutreeko-solve\n"
                  "Or write it with neutreeko-solve -o FILE and specify --table FILE or NEUTREEKO_TABLE.");
    } else if (status == NK_E_CORRUPT && read_game_of_table(table_path, &rules)) {
        add_rebuilding(text, &rules);
    } else if (status == NK_E_CORRUPT) {
        nk_strbuf_add(text,
                      "Its board is unknown; write a table to another file: see neutreeko-solve --help");
    } else if (status == NK_E_NOT_TABLE) {
        nk_strbuf_add(text,
                      "Specify a table with --table FILE, or write one to another file with: neutreeko-solve "
                      "-o FILE");
    } else if (status == NK_E_READ && *table_path && !nk_file_is_standard(table_path) &&
               access(table_path, F_OK) && errno == ENOENT) {
        nk_strbuf_add(text, "Write it, for the standard board, with: neutreeko-solve -o ");
        add_quoted(text, table_path);
    }
}

char *table_remedy(enum nk_status status)
{
    struct nk_strbuf text = {NULL, 0, 0};
    add_remedy(&text, status);
    if (!text.length || !(text.bytes = malloc(text.length + 1)))
        return NULL;
    add_remedy(&(struct nk_strbuf){text.bytes, text.length + 1, 0}, status);
    return text.bytes;
}

static void print_remedy(enum nk_status status)
{
    char *remedy = table_remedy(status);
    if (remedy && status == NK_E_NOT_TABLE)
        terminal_print(stderr, 0, remedy);
    else if (remedy)
        fputs(remedy, stderr); /* a command stays in one line */
    if (remedy)
        putc('\n', stderr);
    free(remedy);
}

/* Whether an error is one of the table: the texts of those of its file begin with its name. */
static bool is_of_table(const struct nk_error *error)
{
    char name[sizeof error->text];
    nk_strbuf_add(&(struct nk_strbuf){name, sizeof name, 0}, NK_PATH ": ", NK_PATH_OF(table_path));
    return error->status == NK_E_UNSUPPORTED || strncmp(error->text, name, strlen(name)) == 0;
}

void report_error(const struct nk_error *error)
{
    fflush(stdout);
    nk_report(command_name, "%s", error->text);
    if (table_source && strcmp(table_source, NK_TABLE_VARIABLE) == 0 && is_of_table(error))
        fputs("The environment variable " NK_TABLE_VARIABLE " names this table.\n", stderr);
    if (table_path)
        print_remedy(error->status);
}

void report_no_memory(void)
{
    struct nk_error error;
    (void)nk_fail_memory(&error);
    report_error(&error);
}

void report_no_table(void)
{
    char *places[NK_MAX_TABLE_PATHS];
    const size_t count = nk_table_default_paths(places);
    nk_report(command_name, "no table of the solved game was found; searched:");
    for (size_t i = 0; i < count; i++) {
        fputs("  ", stderr);
        nk_print_escaped(stderr, places[i]);
        putc('\n', stderr);
        free(places[i]);
    }
    print_remedy(NK_OK);
}

const char *find_table(const char **source)
{
    table_path = common_options.table ? common_options.table : nk_table_path();
    table_source = common_options.table ? "--table" : nk_table_named() ? NK_TABLE_VARIABLE : "search";
    if (!table_path)
        table_source = NULL;
    *source = table_source;
    return table_path;
}

bool names_input(int argc, char **argv)
{
    for (int i = 0; i < argc; i++)
        if (nk_file_is_standard(argv[i]))
            return true;
    return false;
}

int open_table(struct nk_table **table)
{
    struct nk_error error;
    const char *source;
    if (!find_table(&source))
        report_no_table();
    else if (nk_table_open_named(table_path, table, &error))
        report_error(&error);
    else
        return EXIT_SUCCESS;
    return EXIT_FAILURE;
}

/* ---- opponents ---- */

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

/* ---- JSON ---- */

void print_seed(void)
{
    if (common_options.has_random_seed)
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
