/* neutreeko-solve: solves the game and writes the table. */

#include "common/options.h"
#include "common/program.h"
#include "common/progress.h"
#include "common/system.h"
#include "common/table.h"
#include "common/table_path.h"
#include "common/strbuf.h"
#include "solver/cluster/cluster.h"
#include "solver/plan.h"
#include "solver/analysis/retrograde.h"
#include "solver/summary.h"
#include "solver/analysis/trap.h"
#include "solver/verify/verify.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <xxhash.h>

static const char program[] = "neutreeko-solve";

static struct {
    const char *output; /* NULL for that of nk_user_table_path */
    bool is_default;    /* the output is that one */
    const char *check;  /* a table to check instead of solving, or NULL */
    bool verify, force, json, quiet, no_traps;
    struct nk_rules rules;
    uint64_t threads;       /* 0 for one per processor */
    uint64_t memory;        /* the maximum in bytes, or 0 for what is available */
    const char *checkpoint; /* a directory, or NULL */
} options;

static const char about[] = "Solve Neutreeko completely and write the table that neutreeko plays from.\n"
                            "\n"
                            "Examples:\n"
                            "  neutreeko-solve                      write the table that neutreeko finds\n"
                            "  neutreeko-solve -o t.dat --verify    write t.dat and verify every position\n"
                            "  neutreeko-solve --check t.dat        verify every position of a table\n"
                            "  neutreeko-solve --board 7x7 -o 7x7.dat\n"
                            "  neutreeko-solve --board 7x7 --pieces 4 -o 7x7-4.dat --checkpoint half-done\n";

static const char notes[] = "\n"
                            "The winning conditions line, orthogonal and diagonal are lines in all,\n"
                            "orthogonal or diagonal directions; equidistant is one of three pieces exactly\n"
                            "halfway between the others, and centre is a piece on the centre square.\n"
                            "\n"
                            "Where MPI is installed, 'mpirun -n N neutreeko-solve-mpi' distributes the\n"
                            "analysis among N processes. The table is the same for any number of threads\n"
                            "and processes.\n"
                            "\n"
                            "Exit status: 0 for success, 1 for a failure, 2 for incorrect usage.\n";

/* On standard error. */
static struct nk_progress shown;
static const struct nk_progress_sink sink = {nk_progress_show, &shown};

/* Returns false after an error message. */
static bool succeeded(enum nk_status status, const struct nk_error *error)
{
    nk_progress_clear(&shown);
    if (status && *error->text) /* otherwise another process reports it */
        nk_report(program, "%s", error->text);
    return !status;
}

#define SAVED NK_PATH " contains everything up to ply %d: the same command resumes there"

/* Prepares the line that a rank prints when it is terminated because another one has died; ply is -1 before anything
 * has been saved. */
static void note_checkpoint(void *context, int ply)
{
    (void)context;
    char line[500];
    struct nk_strbuf text = {line, sizeof line, 0};
    if (nk_cluster_size() == 1)
        return;
    nk_strbuf_add(&text, "%s: rank %d was terminated, as all ranks are when one has died; ", program,
                  nk_cluster_process());
    if (ply >= 0)
        nk_strbuf_add(&text, SAVED "\n", NK_PATH_OF(options.checkpoint), ply);
    else
        nk_strbuf_add(&text, "nothing was saved%s\n", options.checkpoint ? " yet" : " (use --checkpoint)");
    nk_cluster_set_last_line(line);
}

static bool print_report(const struct nk_solve_summary *report)
{
    if (options.json)
        nk_print_summary_json(report);
    else if (!options.quiet)
        nk_print_summary(report);
    return nk_flush_output(program);
}

/* Verifies a table, and sets the rules to those of the table. `directory` is open, for intermediate results, or NULL. */
static bool verify(const char *path, const char *directory, struct nk_verified *verified)
{
    struct nk_error error;
    struct nk_table *table;
    const struct nk_verify_options how = {
        .threads = (int)options.threads, .memory = options.memory, .directory = directory, .progress = &sink};
    if (!succeeded(nk_table_open(path, &table, &error), &error))
        return false;
    options.rules = *nk_table_rules(table);
    nk_progress_stage(&shown, "verifying");
    const enum nk_status status = nk_verify(table, &how, verified, &error);
    nk_table_close(table);
    return succeeded(status, &error);
}

/* Whether a table would lose its content, since the directory of --checkpoint has a file of this name while the program
 * runs (log.c, verify.c). Reports it. Windows has no inode numbers: there any file on the same drive is taken for it. */
static bool is_in_checkpoint(const char *path)
{
    static const char *const names[] = {"state", "log.", "verify"};
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    struct stat own, saved;
    char *directory;
    bool found = false;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        found |= strncmp(name, names[i], strlen(names[i])) == 0;
    if (!found || !options.checkpoint || asprintf(&directory, "%.*s.", (int)(name - path), path) < 0)
        return false;
    found = stat(directory, &own) == 0 && stat(options.checkpoint, &saved) == 0 &&
            own.st_dev == saved.st_dev && own.st_ino == saved.st_ino;
    free(directory);
    if (found)
        nk_report(program, NK_PATH " has the name of a file of the checkpoint: choose another one",
                  NK_PATH_OF(path));
    return found;
}

static int check(void)
{
    const double begin = nk_system_now();
    struct nk_error error;
    struct nk_verified verified;
    struct nk_directory directory = {0};
    bool done = !is_in_checkpoint(options.check) &&
                (!options.checkpoint ||
                 succeeded(nk_directory_open(options.checkpoint, &directory, &error), &error)) &&
                verify(options.check, directory.path, &verified);
    nk_directory_close(&directory);
    if (done) {
        struct nk_solve_summary report = {.rules = &options.rules,
                                          .summary = &verified.summary,
                                          .by_distance = verified.by_distance,
                                          .solve_seconds = -1,
                                          .total_seconds = nk_system_now() - begin,
                                          .path = options.check,
                                          .verified = true};
        done =
            succeeded(nk_file_describe(options.check, &report.file, &error), &error) && print_report(&report);
    }
    return done ? EXIT_SUCCESS : EXIT_FAILURE;
}

/* ---- memory and disk ---- */

static struct nk_plan plan_of(const struct nk_index *index, enum nk_layout layout)
{
    return nk_plan(index, layout, (int)options.threads, !options.no_traps);
}

/* Bytes as MiB, rounded up. */
static const char *mib(uint64_t bytes, char text[28])
{
    return nk_group_digits((bytes + (1 << 20) - 1) >> 20, text);
}

static const char *in_each_rank(void)
{
    return nk_cluster_size() > 1 ? " in each rank" : "";
}

/* Plans with the layout that takes the least time. Returns whether the memory is sufficient; reports it if not. */
static bool fits(const struct nk_index *index, struct nk_plan *plan)
{
    char needed[28], bound[28];
    /* The available memory is shared by all ranks on this machine; --memory is the maximum for each. */
    const uint64_t most =
        options.memory ? options.memory : nk_system_available_memory() / (uint64_t)nk_cluster_local_size();
    *plan = plan_of(index, options.checkpoint ? NK_LOG_IN_FILES : NK_IN_MEMORY);
    if (plan->memory > most && options.checkpoint)
        *plan = plan_of(index, NK_SETS_IN_FILES);
    if (plan->memory <= most)
        return true;
    /* --memory is the same for all ranks, so one message is enough; the available memory is not. */
    if (options.memory && nk_cluster_process() > 0)
        return false;
    nk_report(program, "this board needs %s MiB of memory%s, but %s MiB %s", mib(plan->memory, needed),
              in_each_rank(), mib(most, bound), options.memory ? "is what --memory allows" : "are available");
    if (!options.checkpoint) {
        *plan = plan_of(index, NK_SETS_IN_FILES);
        nk_report(program, "with --checkpoint it needs %s MiB and %s MiB on disk", mib(plan->memory, needed),
                  mib(plan->disk, bound));
    }
    return false;
}

/* Whether the directory has enough space for the rest of the log and the sets; reports it if not. */
static bool fits_on_disk(const struct nk_plan *plan, const struct nk_log *log)
{
    char needed[28], bound[28];
    const uint64_t present = nk_log_bytes(log), bytes = plan->disk > present ? plan->disk - present : 0;
    uint64_t unused;
    if (!options.checkpoint || nk_cluster_process() > 0)
        return true;
    if (!options.quiet && (plan->layout == NK_SETS_IN_FILES || nk_system_is_terminal(stderr)))
        nk_report(program, "needs up to %s MiB of memory%s and %s MiB in " NK_PATH, mib(plan->memory, needed),
                  in_each_rank(), mib(bytes, bound), NK_PATH_OF(options.checkpoint));
    if (!nk_system_free_space(options.checkpoint, &unused) || unused >= bytes)
        return true;
    nk_report(program, "this board needs %s MiB in " NK_PATH ", but %s MiB are free there",
              mib(bytes, needed), NK_PATH_OF(options.checkpoint), mib(unused, bound));
    return false;
}

/* ---- solving ---- */

/* Writes the table part by part, then the traps of its draws. */
static enum nk_status write_parts(const struct nk_index *index, struct nk_solution *solution,
                                  struct nk_table_writer *writer, struct nk_file *file,
                                  struct nk_error *error)
{
    static const char no_memory[] = "out of memory for the traps; --no-traps leaves them out";
    const bool is_first = nk_cluster_is_first();
    struct nk_traps *traps = NULL;
    uint8_t *values = NULL;
    uint64_t written = 0, count;
    enum nk_status status = NK_OK;
    if (is_first && !options.no_traps && nk_traps_new(index, &traps))
        status = nk_fail(error, NK_E_MEMORY, 0, no_memory);
    status = nk_cluster_agree(status, error);
    for (uint32_t part = 0; part < nk_solution_parts(solution) && !status; part++, written += count) {
        const uint8_t *codes;
        status = nk_solution_part(solution, part, &codes, &count, error);
        if (!status && codes) {
            nk_traps_add(traps, codes, count);
            status = nk_table_writer_append(writer, codes, count, error);
            nk_progress_show(&shown, (double)(written + count) / (double)index->entries);
        }
        status = nk_cluster_agree(status, error); /* else the other ranks would send for ever */
    }
    nk_progress_stage(&shown, "computing trap values");
    if (!status && nk_traps_compute(traps, (int)options.threads, &sink, &values))
        status = nk_fail(error, NK_E_MEMORY, 0, no_memory);
    if (!status && is_first)
        status = nk_table_writer_close(writer, &solution->summary, values, file, error);
    else
        nk_table_writer_abandon(writer);
    nk_traps_free(traps);
    free(values);
    return status;
}

/* Opens the log, with a plan for the analysis. Returns whether all ranks can begin; reports it if not. `index` is NULL
 * when memory ran out. */
static bool may_begin(const struct nk_index *index, struct nk_plan *plan, struct nk_log **log)
{
    struct nk_error error;
    if (!nk_cluster_all(index && fits(index, plan)) ||
        !nk_cluster_all(succeeded(nk_log_open(options.checkpoint, index, log, &error), &error)) ||
        !nk_cluster_all(fits_on_disk(plan, *log)))
        return false;
    const int ply = (int)(*log)->state.ply;
    if (ply >= 0 && nk_cluster_is_first() && !options.quiet)
        nk_report(program, "resuming after ply %d from " NK_PATH, ply, NK_PATH_OF(options.checkpoint));
    note_checkpoint(NULL, ply);
    return true;
}

static bool analyse(const struct nk_index *index, bool has_set_files, struct nk_log *log,
                    struct nk_solution **solution)
{
    struct nk_error error;
    const struct nk_solve_options how = {.progress = nk_progress_show_ply,
                                         .saved = note_checkpoint,
                                         .context = &shown,
                                         .log = log,
                                         .has_set_files = has_set_files,
                                         .threads = (int)options.threads};
    nk_progress_stage(&shown, "solving");
    const enum nk_status status = nk_solve(index, &how, solution, &error);
    nk_progress_clear(&shown);
    if (status == NK_E_WRITE && options.checkpoint && nk_cluster_is_first() && log->state.ply >= 0)
        nk_report(program, SAVED, NK_PATH_OF(options.checkpoint), (int)log->state.ply);
    return succeeded(status, &error);
}

/* Writes the table and, if requested, verifies it, with intermediate results in `directory`, which may be NULL. Rank 0
 * then has *verified. Returns whether all ranks succeeded. */
static bool write_table(const struct nk_index *index, struct nk_solution *solution, const char *directory,
                        struct nk_file *file, struct nk_verified *verified)
{
    struct nk_error error;
    struct nk_table_writer *writer = NULL;
    const bool is_first = nk_cluster_is_first();
    nk_progress_stage(&shown, "writing");
    enum nk_status status = nk_cluster_agree(
        is_first ? nk_table_writer_open(options.output, index, (int)options.threads, &writer, &error) : NK_OK,
        &error);
    if (!status)
        status = write_parts(index, solution, writer, file, &error);
    return nk_cluster_all(succeeded(status, &error) &&
                          (!is_first || !options.verify || verify(options.output, directory, verified)));
}

/* Whether the output, a file that is not empty, may be replaced: it is a table, damaged or not. A wrong name must not
 * destroy another file. Reports it if not. */
static bool may_replace(void)
{
    uint8_t first[sizeof nk_magic];
    const int file = nk_system_open(options.output, O_RDONLY);
    const bool was_read = file >= 0 && nk_file_read_at(file, first, sizeof first, 0);
    const int why = errno; /* 0 if it is shorter */
    if (file >= 0)
        close(file);
    if (was_read && memcmp(first, nk_magic, sizeof first) == 0)
        return true;
    if (!was_read && why)
        nk_report(program, NK_PATH ": %s", NK_PATH_OF(options.output), strerror(why));
    else
        nk_report(program,
                  NK_PATH " exists and is not a table: choose another file, or replace it with --force",
                  NK_PATH_OF(options.output));
    return false;
}

/* Whether the table can be written, as far as this shows before it is computed. Reports it if not. */
static bool may_write(void)
{
    struct nk_writer *writer = NULL;
    struct nk_error error;
    struct stat old;
    if (options.is_default)
        (void)nk_file_make_directories(options.output, NULL); /* a failure shows when the file is created */
    const bool exists = stat(options.output, &old) == 0, is_file = exists && S_ISREG(old.st_mode);
    if (is_in_checkpoint(options.output) || (is_file && old.st_size > 0 && !options.force && !may_replace()))
        return false;
    /* Opening a pipe would wait for its reader, who would then see its end. */
    if (exists && !is_file && !S_ISDIR(old.st_mode)) {
        if (options.verify)
            nk_report(program, NK_PATH " is not a regular file, so --verify cannot read the table from it",
                      NK_PATH_OF(options.output));
        return !options.verify;
    }
    const enum nk_status status = nk_writer_open(options.output, &writer, &error);
    nk_writer_abandon(writer);
    return succeeded(status, &error);
}

static int solve(void)
{
    const double begin = nk_system_now();
    struct nk_index *index = NULL;
    struct nk_solution *solution = NULL;
    struct nk_log *log = NULL;
    struct nk_plan plan = {0};
    struct nk_verified verified;
    if (!nk_cluster_all(nk_cluster_process() > 0 || may_write()))
        return EXIT_FAILURE;
    if (nk_index_new(&options.rules, &index))
        nk_report(program, "out of memory for the index of this board");
    bool done =
        may_begin(index, &plan, &log) && analyse(index, plan.layout == NK_SETS_IN_FILES, log, &solution);
    if (done) {
        struct nk_solve_summary report = {.rules = &options.rules,
                                          .summary = &solution->summary,
                                          .by_distance = solution->by_distance,
                                          .solve_seconds = nk_system_now() - begin,
                                          .sent = solution->sent,
                                          .path = options.output,
                                          .verified = options.verify};
        if (solution->example < index->entries)
            nk_position_print(&options.rules, nk_index_position(index, solution->example), NK_BLACK,
                              report.example);
        done = write_table(index, solution, log->directory.path, &report.file, &verified);
        if (options.verify) { /* print what was verified, not what a log says that may have been changed */
            report.summary = &verified.summary;
            report.by_distance = verified.by_distance;
        }
        nk_cluster_set_last_line("");
        if (done)
            nk_log_remove(log);
        report.total_seconds = nk_system_now() - begin;
        done = done && (nk_cluster_process() > 0 || print_report(&report));
    }
    if (log && log->state.ply < 0) /* there is nothing to resume from */
        nk_log_remove(log);
    nk_solution_free(solution);
    nk_log_close(log);
    nk_index_free(index);
    return done ? EXIT_SUCCESS : EXIT_FAILURE;
}

/* ---- options ---- */

/* The game as the options describe it. */
static struct {
    const char *board;
    uint64_t pieces, row; /* 0 for the default row */
    int win;              /* an enum nk_win: the words of --win are in its order */
} game = {.board = "5x5", .pieces = 3, .win = NK_WIN_LINE};

static const struct nk_program_option known_options[] = {
    NK_HEADING("Board options"),
    NK_TEXT("board", "WxH", "Set the width and height, 3 to 8 each", NULL, &game.board),
    NK_NUMBER("pieces", "P", "Set the pieces per side, 2 to 5", NULL, &game.pieces, NK_MIN_PIECES,
              NK_MAX_PIECES),
    NK_NUMBER("row", "K", "Set the row length, 2 to P", "3, or P if that is less", &game.row, 2,
              NK_MAX_PIECES),
    {.name = "win",
     .argument = "line|orthogonal|diagonal|equidistant|centre",
     .help = "Set the winning condition (see below)",
     .choice = &game.win},
    NK_HEADING("Table options"),
    {.name = "output",
     .letter = 'o',
     .argument = "FILE",
     .help = "Write the table to FILE, which is required for games other than the standard one",
     .fallback = "neutreeko/perfect_move.dat in $XDG_DATA_HOME or ~/.local/share",
     .text = &options.output},
    NK_FLAG("force", "Replace FILE even if it is not a table", &options.force),
    NK_FLAG("no-traps", "Write no trap values; neutreeko then sets no traps in drawn positions",
            &options.no_traps),
    NK_FLAG("verify", "Verify every position of the written table", &options.verify),
    {.name = "check",
     .argument = "FILE",
     .help = "Verify every position of this table instead of solving",
     .excludes = "board pieces row win output force verify no-traps",
     .text = &options.check},
    NK_HEADING("Resource options"),
    NK_NUMBER("threads", "N", "Set the number of threads", "one per processor", &options.threads, 1, 256),
    {.name = "memory",
     .argument = "SIZE",
     .help = "Set the maximum memory, such as 800M or 12G",
     .fallback = "the available memory",
     .size = &options.memory},
    NK_TEXT(
        "checkpoint", "DIR",
        "Save the progress in this directory, and resume from what is found there, which is removed when the "
        "table has been written, or verified with --check",
        NULL, &options.checkpoint),
    NK_HEADING("Output options"),
    NK_FLAG("json", "Print the summary as JSON", &options.json),
    NK_FLAG("quiet", "Print neither summary nor progress", &options.quiet),
    NK_HEADING("General options"),
    NK_LAST_OPTION,
};

static const struct nk_command_line command = {program, " [OPTION]...",
                                               about,   known_options,
                                               notes,   .version = "neutreeko-solve (Neutreeko) " NK_VERSION};

static bool parse_board(const char *text, int *width, int *height)
{
    *width = text[0] - '0';
    *height = *width >= 0 && *width <= 9 && (text[1] == 'x' || text[1] == 'X') ? text[2] - '0' : -1;
    return *height >= 0 && *height <= 9 && !text[3];
}

/* Sets the rules, and the output unless there is one. Returns the exit status. */
static int set_game(void)
{
    char quoted[NK_QUOTED_TEXT];
    int width, height, row = (int)game.row;
    struct nk_error error;
    struct nk_rules standard;
    if (!parse_board(game.board, &width, &height))
        return nk_usage_error(program, "--board '%s': expected width x height, as in 7x7",
                              nk_quote(game.board, quoted));
    if (!row)
        row = game.win == NK_WIN_EQUIDISTANT || game.win == NK_WIN_CENTRE || game.pieces < 3
                  ? (int)game.pieces
                  : 3;
    const struct nk_board board = {width, height, (int)game.pieces, row, (enum nk_win)game.win};
    if (nk_rules_init(&options.rules, &board, &error))
        return nk_usage_error(program, "%s", error.text);
    nk_rules_standard(&standard);
    if (options.output || options.check)
        return EXIT_SUCCESS;
    if (!nk_rules_equal(&options.rules, &standard))
        return nk_usage_error(program,
                              "the default file is for the standard game: specify another with --output");
    if (!(options.output = nk_user_table_path()))
        return nk_usage_error(program, "neither XDG_DATA_HOME nor HOME is set: specify a file with --output");
    options.is_default = true;
    return EXIT_SUCCESS;
}

/* Whether all ranks have the same options; otherwise they would wait for each other, or mix up their boards. `status`
 * is what reading them gave. The first rank reports a difference. */
static bool have_same_options(int status)
{
    const char *directory = options.checkpoint ? options.checkpoint : "";
    const struct {
        const char *what;
        uint64_t value;
    } values[] = {
        {"arguments", (uint64_t)status},
        {"--check", options.check != NULL},
        {"--board", (uint64_t)(options.rules.board.width * 10 + options.rules.board.height)},
        {"--pieces", (uint64_t)options.rules.board.pieces},
        {"--row", (uint64_t)options.rules.board.row_length},
        {"--win", (uint64_t)options.rules.board.win},
        {"--no-traps", options.no_traps},
        {"--memory", options.memory},
        {"--checkpoint", XXH3_64bits(directory, strlen(directory))},
    };
    for (size_t i = 0; i < sizeof values / sizeof values[0]; i++)
        if (!nk_cluster_same(values[i].value)) {
            if (nk_cluster_is_first())
                nk_report(program, "the ranks were started with different %s: start all with the same",
                          values[i].what);
            return false;
        }
    return true;
}

static int run(int argc, char **argv)
{
    int status;
    bool is_read = nk_read_options(&command, &argc, &argv, &status);
    if (is_read && (status = set_game()))
        is_read = false;
    if (!have_same_options(is_read ? -1 : status))
        return EXIT_USAGE;
    if (!is_read)
        return status;
    nk_progress_init(&shown, options.quiet || nk_cluster_process() > 0 ? NULL : stderr);
    if (options.check)
        return nk_cluster_process() > 0 ? EXIT_SUCCESS : check();
    return solve();
}

int main(int argc, char **argv)
{
    nk_program_begin();
    nk_cluster_begin(&argc, &argv);
    const int status = run(argc, argv);
    nk_cluster_end();
    return status;
}
