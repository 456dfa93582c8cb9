/* neutreeko-solve: its options, the summary that it prints, and main. What it does is in run.c. */

#include "solver/solver.h"

#include "common/base/base.h"
#include "common/program/program.h"
#include "common/system/system.h"
#include "common/table/table.h"
#include "json_keys.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

/* ---- options ---- */

static const char about[] = "Solve Neutreeko completely and write the table that neutreeko plays from.\n"
                            "\n"
                            "Examples:\n"
                            "  neutreeko-solve                      write the table that neutreeko loads\n"
                            "  neutreeko-solve -o t.dat --verify    write t.dat and verify every position\n"
                            "  neutreeko-solve --check t.dat        verify every position of a table\n"
                            "  neutreeko-solve --board 7x7 -o 7x7.dat\n"
                            "  neutreeko-solve --board 7x7 --pieces 4 -o t.dat --checkpoint saved\n";

static const char notes[] = "\n"
                            "The winning conditions line, orthogonal and diagonal are lines in all,\n"
                            "orthogonal or diagonal directions; equidistant is one of three pieces exactly\n"
                            "halfway between the others, and centre is a piece on the centre square.\n"
                            "\n"
                            "Where MPI is installed, 'mpirun -n N neutreeko-solve-mpi' distributes the\n"
                            "analysis among N processes. The table is the same for any number of threads\n"
                            "and processes.\n"
                            "\n" SOLVE_JSON_KEYS "\n"
                            "Exit status: 0 for success, 1 for a failure, 2 for incorrect usage.\n";

/* What is left to do after the options have been read: a status that is none of those with which a program ends. */
enum { PROCEED = -1 };

static struct nk_settings given;

/* The options that are numbers or words, before they are checked. */
static struct {
    const char *board;
    uint64_t pieces, row; /* 0 for the default row */
    uint64_t threads;
    int win; /* an enum nk_win: the words of --win are in its order */
} values = {.board = "5x5", .pieces = 3, .win = NK_WIN_LINE};

static const struct nk_program_option known_options[] = {
    NK_HEADING("Board options"),
    NK_TEXT("board", "WxH", "Set the width and height, 3 to 8 each", NULL, &values.board),
    NK_NUMBER("pieces", "P", "Set the pieces per side, 2 to 5", NULL, &values.pieces, NK_MIN_PIECES,
              NK_MAX_PIECES),
    NK_NUMBER("row", "K", "Set the row length, 2 to P", "3, or P if that is less", &values.row,
              NK_MIN_ROW_LENGTH, NK_MAX_PIECES),
    {.name = "win",
     .argument = "line|orthogonal|diagonal|equidistant|centre",
     .help = "Set the winning condition| (see below)",
     .choice = &values.win},
    NK_HEADING("Table options"),
    {.name = "output",
     .letter = 'o',
     .argument = "FILE",
     .help = "Write the table to FILE| or, with -, to standard output, without a summary; required for games "
             "other than the standard one",
     .fallback = "neutreeko/perfect_move.dat in $XDG_DATA_HOME or ~/.local/share",
     .text = &given.output},
    NK_FLAG("force", "Replace FILE if it exists", &given.force),
    NK_FLAG("no-traps", "Write no trap values|; neutreeko then sets no traps in drawn positions",
            &given.no_traps),
    NK_FLAG("verify", "Verify every position of the written table", &given.verify),
    {.name = "check",
     .argument = "FILE",
     .help = "Verify every position of this table instead of solving|, - for that of standard input",
     .excludes = "board pieces row win output force verify no-traps checkpoint",
     .text = &given.check},
    NK_HEADING("Resource options"),
    NK_NUMBER("threads", "N", "Set the number of threads", "one per processor", &values.threads, 1, 256),
    {.name = "memory",
     .argument = "SIZE",
     .help = "Set the maximum memory, such as 800M or 12G",
     .fallback = "the available memory",
     .size = &given.memory},
    NK_TEXT(
        "checkpoint", "DIR",
        "Save the progress in this directory, or resume from it|; when the table has been written, its files are "
        "removed, and so is the directory if this run created it and it is empty; one that an interrupted run "
        "created stays",
        NULL, &given.checkpoint),
    NK_HEADING("Output options"),
    NK_FLAG("json", "Print the summary as JSON", &given.json),
    {.name = "verbose",
     .help = "Also print the number of positions for each distance| and the checksum of the results",
     .excludes = "json quiet",
     .flag = &given.verbose},
    NK_FLAG("quiet", "Print neither summary nor progress", &given.quiet),
    NK_HEADING("General options"),
    NK_LAST_OPTION,
};

static const struct nk_command_line command = {
    "neutreeko-solve", " [OPTION]...", about,
    known_options,     notes,          .version = "neutreeko-solve (Neutreeko) " NK_VERSION};

static bool parse_board(const char *text, int *width, int *height)
{
    *width = text[0] - '0';
    *height = *width >= 0 && *width <= 9 && (text[1] == 'x' || text[1] == 'X') ? text[2] - '0' : -1;
    return *height >= 0 && *height <= 9 && !text[3];
}

/* Whether the table goes to standard output, where no summary may follow. */
static bool writes_standard(void)
{
    return given.output && nk_file_is_standard(given.output);
}

/* Sets the rules, and the output unless there is one. Returns PROCEED or the exit status. */
static int set_game(void)
{
    int width, height, row = (int)values.row;
    struct nk_error error;
    if (!parse_board(values.board, &width, &height))
        return nk_usage_error("--board '%s': expected width x height, as in 7x7", nk_quote(values.board).s);
    if (!row)
        row = nk_win_usual_row_length((enum nk_win)values.win, (int)values.pieces);
    const struct nk_board board = {width, height, (int)values.pieces, row, (enum nk_win)values.win};
    if (nk_rules_init(&given.rules, &board, &error))
        return nk_usage_error("%s", error.text);
    given.threads = (int)values.threads;
    if (writes_standard() && (given.json || given.verbose))
        return nk_usage_error("--%s cannot be combined with --output -", given.json ? "json" : "verbose");
    if (given.output || given.check)
        return PROCEED;
    if (!nk_board_is_standard(&board))
        return nk_usage_error("the default file is for the standard game: specify another with --output");
    if (!(given.output = nk_table_default_path()) && errno == ENOMEM) {
        (void)nk_fail_memory(&error);
        nk_report("%s", error.text);
        return EXIT_FAILURE;
    }
    if (!given.output)
        return nk_usage_error("neither XDG_DATA_HOME nor HOME is set: specify a file with --output");
    given.is_default = true;
    return PROCEED;
}

/* Whether all processes have read the same options; otherwise they would wait for each other, or mix up their boards.
 * `status` is PROCEED in this process, or its exit status: options were wrong, or only the help text was requested. The
 * first process reports a difference. */
static bool have_same_options(int status)
{
    const char *directory = given.checkpoint ? given.checkpoint : "";
    const struct {
        const char *what;
        uint64_t value;
    } compared[] = {
        {"arguments", (uint64_t)status},
        {"--check", given.check != NULL},
        {"--board", (uint64_t)(given.rules.board.width * 10 + given.rules.board.height)},
        {"--pieces", (uint64_t)given.rules.board.pieces},
        {"--row", (uint64_t)given.rules.board.row_length},
        {"--win", (uint64_t)given.rules.board.win},
        {"--no-traps", given.no_traps},
        {"--memory", given.memory},
        {"--checkpoint", XXH3_64bits(directory, strlen(directory))},
    };
    for (size_t i = 0; i < sizeof compared / sizeof compared[0]; i++)
        if (!nk_cluster_same(given.cluster, compared[i].value)) {
            if (nk_cluster_is_first(given.cluster))
                nk_report("the processes were started with different %s: start all with the same",
                          compared[i].what);
            return false;
        }
    return true;
}

/* ---- the summary ---- */

/* Prints the number of positions for each distance. */
static void print_plies(const struct nk_solve_summary *summary)
{
    printf("\nplies        positions\n");
    for (uint32_t d = 0; d <= summary->counts.longest; d++)
        printf("%5" PRIu32 " %-5s %11s\n", d, d % 2 ? "win" : "loss",
               nk_group_digits(summary->by_plies[d]).s);
    putchar('\n');
}

static void print_counts(const struct nk_solve_summary *summary, bool verbose)
{
    const struct nk_summary *s = &summary->counts;
    const uint64_t longest = summary->by_plies[s->longest];
    if (verbose)
        printf("placements   %s\n", nk_group_digits(s->placements).s);
    printf("legal        %s\n", nk_group_digits(s->legal).s);
    printf("wins         %s\n", nk_group_digits(s->wins).s);
    printf("losses       %s\n", nk_group_digits(s->losses).s);
    printf("draws        %s\n", nk_group_digits(s->draws).s);
    if (s->stalemates)
        printf("  no move    %s\n", nk_group_digits(s->stalemates).s);
    printf("longest %-4s %s, %s position%s\n", s->longest % 2 ? "win" : "loss",
           nk_distance_text((int)s->longest).s, nk_group_digits(longest).s, nk_plural(longest));
    if (*summary->example.s)
        printf("  such as    %s\n", summary->example.s);
    if (verbose)
        print_plies(summary);
}

static void print_summary(const struct nk_solve_summary *summary, bool verbose)
{
    printf("board        %s\n", nk_board_name(&summary->board).s);
    print_counts(summary, verbose);
    if (summary->solve_seconds >= 0)
        printf("solved in    %.3f s\n", summary->solve_seconds);
    if (verbose || summary->solve_seconds < 0)
        printf("in all       %.3f s\n", summary->total_seconds);
    if (summary->processes > 1)
        printf("processes    %d, which sent each other %s bytes\n", summary->processes,
               nk_group_digits(summary->sent).s);
    if (verbose)
        printf("codes        xxh3 %016" PRIx64 "\n", summary->codes_checksum);
    printf("file         %s bytes, xxh3 %016" PRIx64 "\n", nk_group_digits(summary->file.bytes).s,
           summary->file.checksum);
    fputs("             ", stdout);
    nk_print_escaped(summary->path);
    putchar('\n');
    if (summary->verified)
        printf("verified     all positions are correct\n");
}

static void print_summary_json(const struct nk_solve_summary *summary)
{
    const struct nk_summary *s = &summary->counts;
    char codes[17], checksum[17];
    snprintf(codes, sizeof codes, "%016" PRIx64, summary->codes_checksum);
    snprintf(checksum, sizeof checksum, "%016" PRIx64, summary->file.checksum);
    struct nk_json *json = nk_json_begin_line();
    nk_json_board(json, &summary->board);
    nk_json_string(json, "start", *summary->start.s ? summary->start.s : NULL);
    nk_json_integer(json, "placements", (int64_t)s->placements);
    nk_json_integer(json, "legal", (int64_t)s->legal);
    nk_json_integer(json, "wins", (int64_t)s->wins);
    nk_json_integer(json, "losses", (int64_t)s->losses);
    nk_json_integer(json, "draws", (int64_t)s->draws);
    nk_json_integer(json, "stalemates", (int64_t)s->stalemates);
    nk_json_integer(json, "longest", s->longest);
    nk_json_string(json, "longest_example", *summary->example.s ? summary->example.s : NULL);
    nk_json_begin(json, "by_plies", '[');
    for (uint32_t d = 0; d <= s->longest; d++)
        nk_json_integer(json, NULL, (int64_t)summary->by_plies[d]);
    nk_json_end(json, ']');
    if (summary->solve_seconds < 0)
        nk_json_null(json, "solve_seconds");
    else
        nk_json_real(json, "solve_seconds", summary->solve_seconds);
    nk_json_real(json, "total_seconds", summary->total_seconds);
    if (summary->processes > 1) {
        nk_json_integer(json, "processes", summary->processes);
        nk_json_integer(json, "bytes_sent", (int64_t)summary->sent);
    }
    nk_json_string(json, "codes_xxh3", codes);
    nk_json_integer(json, "bytes", (int64_t)summary->file.bytes);
    nk_json_string(json, "xxh3", checksum);
    nk_json_string(json, "table", summary->path);
    nk_json_bool(json, "verified", summary->verified);
    nk_json_end_line(json);
}

/* ---- main ---- */

/* Does what the options request. Returns the exit status. */
static int solve_or_check(void)
{
    const bool is_first_process = nk_cluster_is_first(given.cluster);
    struct nk_progress progress;            /* on standard error */
    static struct nk_solve_summary summary; /* too large for a small stack */
    struct nk_error error;
    if (given.check && !is_first_process)
        return EXIT_SUCCESS;
    nk_progress_init(&progress, given.quiet || !is_first_process ? NULL : stderr);
    const enum nk_status status = given.check ? nk_check(&given, &progress, &summary, &error)
                                              : nk_solve_and_write(&given, &progress, &summary, &error);
    nk_progress_clear(&progress);
    if (status) {
        nk_report("%s", error.text);
        nk_cluster_abort(EXIT_FAILURE);
        return EXIT_FAILURE;
    }
    if (!is_first_process)
        return EXIT_SUCCESS;
    if (given.json)
        print_summary_json(&summary);
    else if (!given.quiet && !writes_standard())
        print_summary(&summary, given.verbose);
    return nk_flush_output() ? EXIT_SUCCESS : EXIT_FAILURE;
}

int main(int argc, char **argv)
{
    nk_program_begin();
    int status;
    given.cluster = nk_cluster_begin(&argc, &argv);
    if (nk_read_options(&command, &argc, &argv, &status))
        status = set_game();
    if (!have_same_options(status))
        status = NK_EXIT_USAGE;
    else if (status == PROCEED)
        status = solve_or_check();
    nk_cluster_end();
    return status;
}
