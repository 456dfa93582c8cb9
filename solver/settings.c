#include "solver/settings.h"

#include "common/program/options.h"
#include "common/program/report.h"
#include "common/system/file.h"
#include "common/table/open.h"
#include "json_keys.h"

#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

const char nk_solver_name[] = "neutreeko-solve";

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

static struct nk_settings settings;

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
     .help = "Set the winning condition (see below)",
     .choice = &values.win},
    NK_HEADING("Table options"),
    {.name = "output",
     .letter = 'o',
     .argument = "FILE",
     .help = "Write the table to FILE or, with -, to standard output, without a summary; required for games "
             "other than the standard one",
     .fallback = "neutreeko/perfect_move.dat in $XDG_DATA_HOME or ~/.local/share",
     .text = &settings.output},
    NK_FLAG("force", "Replace FILE if it exists", &settings.force),
    NK_FLAG("no-traps", "Write no trap values; neutreeko then sets no traps in drawn positions",
            &settings.no_traps),
    NK_FLAG("verify", "Verify every position of the written table", &settings.verify),
    {.name = "check",
     .argument = "FILE",
     .help = "Verify every position of this table, - for that of standard input, instead of solving",
     .excludes = "board pieces row win output force verify no-traps checkpoint",
     .text = &settings.check},
    NK_HEADING("Resource options"),
    NK_NUMBER("threads", "N", "Set the number of threads", "one per processor", &values.threads, 1, 256),
    {.name = "memory",
     .argument = "SIZE",
     .help = "Set the maximum memory, such as 800M or 12G",
     .fallback = "the available memory",
     .size = &settings.memory},
    NK_TEXT(
        "checkpoint", "DIR",
        "Save the progress in this directory, or resume from it; when the table has been written, its files are "
        "removed, and so is the directory if this run created it and it is empty; one that an interrupted run "
        "created stays",
        NULL, &settings.checkpoint),
    NK_HEADING("Output options"),
    NK_FLAG("json", "Print the summary as JSON", &settings.json),
    {.name = "verbose",
     .help = "Also print the number of positions for each distance and the checksum of the results",
     .excludes = "json quiet",
     .flag = &settings.verbose},
    NK_FLAG("quiet", "Print neither summary nor progress", &settings.quiet),
    NK_HEADING("General options"),
    NK_LAST_OPTION,
};

static const struct nk_command_line command = {
    nk_solver_name, " [OPTION]...", about,
    known_options,  notes,          .version = "neutreeko-solve (Neutreeko) " NK_VERSION};

static bool parse_board(const char *text, int *width, int *height)
{
    *width = text[0] - '0';
    *height = *width >= 0 && *width <= 9 && (text[1] == 'x' || text[1] == 'X') ? text[2] - '0' : -1;
    return *height >= 0 && *height <= 9 && !text[3];
}

/* Sets the rules, and the output unless there is one. Returns the exit status. */
static int set_game(void)
{
    int width, height, row = (int)values.row;
    struct nk_error error;
    if (!parse_board(values.board, &width, &height))
        return nk_usage_error(nk_solver_name, "--board '%s': expected width x height, as in 7x7",
                              nk_quote(values.board).s);
    if (!row)
        row = nk_win_usual_row_length((enum nk_win)values.win, (int)values.pieces);
    const struct nk_board board = {width, height, (int)values.pieces, row, (enum nk_win)values.win};
    if (nk_rules_init(&settings.rules, &board, &error))
        return nk_usage_error(nk_solver_name, "%s", error.text);
    settings.threads = (int)values.threads;
    if (settings.output && nk_file_is_standard(settings.output)) {
        if (settings.json || settings.verbose)
            return nk_usage_error(nk_solver_name, "--%s cannot be combined with --output -",
                                  settings.json ? "json" : "verbose");
        settings.writes_standard = true;
    }
    if (settings.output || settings.check)
        return EXIT_SUCCESS;
    if (!nk_board_is_standard(&board))
        return nk_usage_error(nk_solver_name,
                              "the default file is for the standard game: specify another with --output");
    if (!(settings.output = nk_table_default_path()))
        return nk_usage_error(nk_solver_name,
                              "neither XDG_DATA_HOME nor HOME is set: specify a file with --output");
    settings.is_default = true;
    return EXIT_SUCCESS;
}

/* Whether all processes have the same options; otherwise they would wait for each other, or mix up their boards.
 * `proceeds` and `status` are what reading them gave. The first one reports a difference. */
static bool have_same_options(bool proceeds, int status)
{
    const char *directory = settings.checkpoint ? settings.checkpoint : "";
    const struct {
        const char *what;
        uint64_t value;
    } compared[] = {
        {"arguments", proceeds ? 0 : 1 + (uint64_t)status},
        {"--check", settings.check != NULL},
        {"--board", (uint64_t)(settings.rules.board.width * 10 + settings.rules.board.height)},
        {"--pieces", (uint64_t)settings.rules.board.pieces},
        {"--row", (uint64_t)settings.rules.board.row_length},
        {"--win", (uint64_t)settings.rules.board.win},
        {"--no-traps", settings.no_traps},
        {"--memory", settings.memory},
        {"--checkpoint", XXH3_64bits(directory, strlen(directory))},
    };
    for (size_t i = 0; i < sizeof compared / sizeof compared[0]; i++)
        if (!nk_cluster_same(settings.cluster, compared[i].value)) {
            if (nk_cluster_is_first(settings.cluster))
                nk_report(nk_solver_name,
                          "the processes were started with different %s: start all with the same",
                          compared[i].what);
            return false;
        }
    return true;
}

bool nk_read_settings(const struct nk_cluster *cluster, int argc, char **argv, const struct nk_settings **out,
                      int *status)
{
    settings.cluster = cluster;
    bool proceeds = nk_read_options(&command, &argc, &argv, status);
    if (proceeds && (*status = set_game()))
        proceeds = false;
    if (!have_same_options(proceeds, *status)) {
        *status = EXIT_USAGE;
        return false;
    }
    *out = &settings;
    return proceeds;
}
