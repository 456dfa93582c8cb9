/* neutreeko-solve: works the game out and writes the table. */

#include "common/json_stdout.h"
#include "common/program.h"
#include "common/table.h"
#include "common/strbuf.h"
#include "solver/retrograde.h"
#include "solver/comm.h"
#include "solver/trap.h"
#include "solver/verify.h"

#include <errno.h>
#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#include <xxhash.h>

enum { EXIT_USAGE = 2, GO_ON = -1 };

static const char program[] = "neutreeko-solve";
static const char default_output[] = "data/perfect_move.dat";

struct options {
    const char *output;
    const char *check; /* a table to check instead of solving, or NULL */
    bool verify, json, quiet, no_traps;
    struct nk_rules rules;
    int threads;            /* 0 for one a processor */
    uint64_t memory;        /* bytes the solution may take at most */
    const char *checkpoint; /* a directory, or NULL */
    int seconds;            /* between checkpoints */
};

/* What the summary tells. */
struct account {
    const struct nk_rules *rules;
    const struct nk_summary *summary;
    const uint64_t *by_distance;
    char example[NK_POSITION_TEXT]; /* decided in summary->longest plies; empty when there is none */
    double solve_seconds;           /* negative when nothing was solved */
    double total_seconds;
    uint64_t sent; /* bytes from rank to rank */
    struct nk_file file;
};

static const char help[] =
    "Usage: neutreeko-solve [OPTION]...\n"
    "Work Neutreeko out completely and write the table that neutreeko plays from.\n"
    "\n"
    "Examples:\n"
    "  neutreeko-solve                      write data/perfect_move.dat\n"
    "  neutreeko-solve -o t.dat --verify    write t.dat and check every position of it\n"
    "  neutreeko-solve --check t.dat        check every position of an existing table\n"
    "  neutreeko-solve --board 7x7 -o 7x7.dat\n"
    "  neutreeko-solve --board 7x7 --pieces 4 -o 7x7-4.dat --checkpoint half-done\n"
    "\n"
    "The game:\n"
    "      --board WxH     width and height, 3 to 8 each (default 5x5)\n"
    "      --pieces P      pieces a side, 2 to 5 (default 3)\n"
    "      --row K         pieces in a winning row, 2 to P (default 3, or P if that is less)\n"
    "      --win RULE      what wins: line, orthogonal or diagonal (rows of that kind), equidistant (of "
    "three\n"
    "                      pieces one exactly halfway between the others), centre (a piece on the centre "
    "square)\n"
    "\n"
    "Options:\n"
    "  -o, --output FILE   where to write the table (default data/perfect_move.dat; another game needs a "
    "name)\n"
    "      --verify        check the written table, every position from what its moves lead to\n"
    "      --check FILE    solve nothing; check this table\n"
    "      --threads N     threads to use (default: all processors); the table is the same\n"
    "      --memory SIZE   memory to use at most, such as 800M or 12G (default: what is free)\n"
    "      --checkpoint DIR  save every few minutes what has been worked out to this directory, and go on "
    "from\n"
    "                      what is there; it is emptied when the table is written\n"
    "      --checkpoint-every SECONDS  how often at most (default 180)\n"
    "      --no-traps      leave out what lets neutreeko set traps in drawn positions\n"
    "      --json          print the summary as JSON\n"
    "      --quiet         print neither summary nor progress\n"
    "  -h, --help          show this help\n"
    "      --version       show the version\n"
    "\n"
    "Built with MPI, it shares one analysis out among the processes that mpirun starts; the table is the "
    "same.\n"
    "\n"
    "Exit status: 0 when all went well, 1 for a failure, 2 for wrong usage.\n";

static int usage_error(void)
{
    fprintf(stderr, "Try '%s --help' for more information.\n", program);
    return EXIT_USAGE;
}

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

/* Returns false after a complaint. */
static bool succeeded(enum nk_status status, const struct nk_error *error)
{
    if (status)
        fprintf(stderr, "%s: %s\n", program, error->text);
    return !status;
}

/* What the analysis reports to. */
struct reports {
    double begin;           /* of the analysis */
    const char *checkpoint; /* its directory, or NULL */
};

static void show_progress(void *context, int ply, uint64_t decided)
{
    const struct reports *reports = context;
    fprintf(stderr, "\rply %d: %" PRIu64 " positions decided, %.1f s  ", ply, decided,
            now() - reports->begin);
}

/* Prepares the line that a rank prints when it is ended because another one has died; ply is -1 before the
 * first checkpoint. */
static void note_saved(void *context, int ply)
{
    const struct reports *reports = context;
    char line[500];
    struct nk_strbuf text = {line, sizeof line, 0};
    if (nk_comm_size() == 1)
        return;
    nk_strbuf_add(&text, "%s: rank %d was ended from outside, as all are when one has died; ", program,
                  nk_comm_rank());
    if (ply >= 0)
        nk_strbuf_add(&text, NK_PATH " holds all up to ply %d: the same command goes on from there\n",
                      NK_PATH_OF(reports->checkpoint), ply);
    else
        nk_strbuf_add(&text, "no checkpoint had been saved%s\n",
                      reports->checkpoint ? " yet" : " (--checkpoint saves them)");
    nk_comm_set_last_line(line);
}

static void warn(void *context, const struct nk_error *error)
{
    (void)context;
    fprintf(stderr, "%s: no checkpoint saved: %s; going on\n", program, error->text);
}

/* 3542000 as 3,542,000. */
static const char *grouped(uint64_t number, char text[28])
{
    char digits[21];
    const int length = snprintf(digits, sizeof digits, "%" PRIu64, number);
    char *out = text;
    for (int i = 0; i < length; i++) {
        if (i && (length - i) % 3 == 0)
            *out++ = ',';
        *out++ = digits[i];
    }
    *out = '\0';
    return text;
}

static void print_text(const struct account *account)
{
    const struct nk_rules *rules = account->rules;
    const struct nk_summary *s = account->summary;
    char number[28];
    printf("board        %dx%d, %d pieces a side, ", rules->width, rules->height, rules->pieces);
    if (rules->win == NK_WIN_LINE)
        printf("%d in a row\n", rules->row_length);
    else
        printf("win: %s\n", nk_win_name(rules->win));
    printf("placements   %s\n", grouped(s->placements, number));
    printf("legal        %s\n", grouped(s->legal, number));
    printf("wins         %s\n", grouped(s->wins, number));
    printf("losses       %s\n", grouped(s->losses, number));
    printf("draws        %s\n", grouped(s->draws, number));
    if (s->stalemates)
        printf("  no move    %s\n", grouped(s->stalemates, number));
    printf("longest %-4s %" PRIu32 " plies, %s positions\n", s->longest % 2 ? "win" : "loss", s->longest,
           grouped(account->by_distance[s->longest], number));
    if (*account->example)
        printf("  such as    %s\n", account->example);
    printf("\nplies        positions\n");
    for (uint32_t d = 0; d <= s->longest; d++)
        printf("%5" PRIu32 " %-5s %11s\n", d, d % 2 ? "win" : "loss",
               grouped(account->by_distance[d], number));
    printf("\n");
    if (account->solve_seconds >= 0)
        printf("solved in    %.3f s\n", account->solve_seconds);
    printf("in all       %.3f s\n", account->total_seconds);
    if (nk_comm_size() > 1)
        printf("ranks        %d, which sent each other %s bytes\n", nk_comm_size(),
               grouped(account->sent, number));
    printf("file         %s bytes, xxh3 %016" PRIx64 "\n", grouped(account->file.bytes, number),
           account->file.checksum);
}

static void print_json(const struct account *account)
{
    const struct nk_rules *rules = account->rules;
    const struct nk_summary *s = account->summary;
    struct nk_position position;
    char board[8], checksum[17], start[NK_POSITION_TEXT] = "";
    snprintf(board, sizeof board, "%dx%d", rules->width, rules->height);
    snprintf(checksum, sizeof checksum, "%016" PRIx64, account->file.checksum);
    if (nk_rules_start(rules, &position))
        nk_position_print(rules, position, NK_BLACK, start);
    struct nk_json *json = nk_json_begin_line();
    nk_json_string(json, "board", board);
    nk_json_integer(json, "pieces", rules->pieces);
    nk_json_integer(json, "row", rules->row_length);
    nk_json_string(json, "win", nk_win_name(rules->win));
    nk_json_string(json, "start", *start ? start : NULL);
    nk_json_integer(json, "placements", (int64_t)s->placements);
    nk_json_integer(json, "legal", (int64_t)s->legal);
    nk_json_integer(json, "wins", (int64_t)s->wins);
    nk_json_integer(json, "losses", (int64_t)s->losses);
    nk_json_integer(json, "draws", (int64_t)s->draws);
    nk_json_integer(json, "stuck", (int64_t)s->stalemates);
    nk_json_integer(json, "longest", s->longest);
    nk_json_string(json, "longest_example", *account->example ? account->example : NULL);
    nk_json_begin_array(json, "by_distance");
    for (uint32_t d = 0; d <= s->longest; d++)
        nk_json_integer(json, NULL, (int64_t)account->by_distance[d]);
    nk_json_end_array(json);
    if (account->solve_seconds < 0)
        nk_json_null(json, "solve_seconds");
    else
        nk_json_real(json, "solve_seconds", account->solve_seconds);
    nk_json_real(json, "total_seconds", account->total_seconds);
    nk_json_integer(json, "ranks", nk_comm_size());
    nk_json_integer(json, "bytes_sent", (int64_t)account->sent);
    nk_json_integer(json, "file_bytes", (int64_t)account->file.bytes);
    nk_json_string(json, "xxh3", checksum);
    nk_json_end_line(json);
}

/* Returns the exit status: whatever was printed must have reached its place. */
static int printed_all(void)
{
    if (fflush(stdout) == 0 && !ferror(stdout))
        return EXIT_SUCCESS;
    fprintf(stderr, "%s: cannot write to standard output: %s\n", program, strerror(errno));
    return EXIT_FAILURE;
}

static int report(const struct options *options, const struct account *account)
{
    if (options->json)
        print_json(account);
    else if (!options->quiet)
        print_text(account);
    return printed_all();
}

static bool verify(const struct options *options, const char *path, struct nk_table **table,
                   struct nk_verified *verified)
{
    struct nk_error error;
    if (!succeeded(nk_table_open(path, table, &error), &error))
        return false;
    if (succeeded(nk_verify(*table, options->threads, verified, &error), &error))
        return true;
    nk_table_close(*table);
    return false;
}

static int check(const struct options *options)
{
    const double begin = now();
    struct nk_error error;
    struct nk_table *table;
    struct nk_verified verified;
    if (!verify(options, options->check, &table, &verified))
        return EXIT_FAILURE;
    struct account account = {.rules = nk_table_rules(table),
                              .summary = &verified.summary,
                              .by_distance = verified.by_distance,
                              .solve_seconds = -1,
                              .total_seconds = now() - begin};
    int status = EXIT_FAILURE;
    if (succeeded(nk_file_describe(options->check, &account.file, &error), &error))
        status = report(options, &account);
    nk_table_close(table);
    return status;
}

/* Memory that can be had without pushing others out: what Linux calls available, else half of all. */
static uint64_t free_memory(void)
{
    static const char label[] = "MemAvailable:";
    unsigned long long kilobytes = 0;
    char line[128];
    FILE *file = fopen("/proc/meminfo", "r");
    while (!kilobytes && file && fgets(line, sizeof line, file))
        if (strncmp(line, label, strlen(label)) == 0)
            kilobytes = strtoull(line + strlen(label), NULL, 10);
    if (file)
        fclose(file);
    if (kilobytes)
        return kilobytes * 1024;
    return (uint64_t)sysconf(_SC_PHYS_PAGES) * (uint64_t)sysconf(_SC_PAGESIZE) / 2;
}

/* Whether traps can be reckoned for such a board, which takes all codes in one piece. */
static bool may_have_traps(const struct nk_rules *rules, const struct nk_summary *summary, uint64_t entries)
{
    return entries <= NK_MAX_TRAP_ENTRIES && summary->draws / (uint64_t)rules->symmetries <= NK_MAX_TRAPS;
}

/* Whether the analysis keeps within its bound; complains if not. */
static bool fits(const struct options *options, const struct nk_index *index)
{
    char needed[28], bound[28];
    uint64_t bytes = nk_solve_memory(index, options->threads, nk_comm_size());
    if (!options->no_traps && index->entries <= NK_MAX_TRAP_ENTRIES) {
        const uint64_t later = nk_solution_memory(index, nk_comm_size()) + index->entries +
                               nk_traps_memory(index, options->threads);
        bytes = later > bytes ? later : bytes;
    }
    /* What is free is there for all ranks on this machine, what --memory allows for each. */
    const uint64_t most = options->memory ? options->memory : free_memory() / (uint64_t)nk_comm_local_size();
    if (bytes <= most)
        return true;
    /* What --memory allows is the same for all ranks, what is free is not: then each says so. */
    if (options->memory && nk_comm_rank() > 0)
        return false;
    fprintf(stderr, "%s: this board needs %s MiB of memory%s, but %s MiB %s\n", program,
            grouped((bytes >> 20) + 1, needed), nk_comm_size() > 1 ? " in each rank" : "",
            grouped(most >> 20, bound), options->memory ? "is what --memory allows" : "are free");
    return false;
}

/* Writes the table from all codes at once, with the traps. */
static bool write_with_traps(const struct options *options, const struct nk_index *index,
                             struct nk_solution *solution, struct nk_file *file)
{
    struct nk_error error;
    uint8_t *codes, *traps = NULL;
    if (!succeeded(nk_solution_codes(solution, &codes, &error), &error))
        return false;
    bool done = true;
    if (codes) {
        enum nk_status status = nk_traps(index, codes, options->threads, &traps);
        if (status)
            (void)nk_fail(&error, status, 0, "out of memory for the traps; --no-traps leaves them out");
        else
            status = nk_table_write(options->output, index, &solution->summary, codes, traps, file, &error);
        done = succeeded(status, &error);
    }
    free(traps);
    free(codes);
    return done;
}

/* Writes the table part by part. */
static bool write_without_traps(const struct options *options, const struct nk_index *index,
                                struct nk_solution *solution, struct nk_file *file)
{
    struct nk_error error;
    struct nk_table_writer *writer = NULL;
    enum nk_status status = NK_OK;
    const bool is_first = nk_comm_rank() == 0;
    if (is_first)
        status = nk_table_writer_open(options->output, index, &writer, &error);
    for (uint32_t part = 0; part < nk_solution_parts(solution); part++) {
        const uint8_t *codes;
        uint64_t count;
        if (!nk_comm_all(!status)) /* else the other ranks would send for ever */
            break;
        nk_solution_part(solution, part, &codes, &count);
        if (codes)
            status = nk_table_writer_append(writer, codes, count, &error);
    }
    if (!status && is_first)
        status = nk_table_writer_close(writer, &solution->summary, NULL, file, &error);
    else
        nk_table_writer_abandon(writer);
    return succeeded(status, &error);
}

/* Opens the checkpoint if one is wanted; *ply is that of what it holds, or -1. */
static bool open_checkpoint(const struct options *options, const struct nk_index *index,
                            struct nk_checkpoint **checkpoint, int *ply)
{
    struct nk_error error;
    const uint64_t *by_distance;
    *ply = -1;
    if (!options->checkpoint)
        return true;
    if (!succeeded(nk_solve_checkpoint(index, options->checkpoint, options->seconds, checkpoint, &error),
                   &error))
        return false;
    *ply = nk_checkpoint_ply(*checkpoint, &by_distance);
    return true;
}

/* Whether all ranks can begin, and from the same ply; complains if not. `index` is NULL when memory ran
 * out. */
static bool may_begin(const struct options *options, const struct nk_index *index, struct reports *reports,
                      struct nk_checkpoint **checkpoint)
{
    int ply = -1;
    const bool is_first = nk_comm_rank() == 0;
    if (!nk_comm_all(index && fits(options, index) && open_checkpoint(options, index, checkpoint, &ply)))
        return false;
    if (!nk_comm_same((uint64_t)ply)) {
        if (is_first)
            fprintf(stderr,
                    "%s: the ranks find different checkpoints in %s: name a directory that all share\n",
                    program, options->checkpoint);
        return false;
    }
    if (ply >= 0 && is_first && !options->quiet)
        fprintf(stderr, "%s: going on after ply %d, from %s\n", program, ply, options->checkpoint);
    note_saved(reports, ply);
    return true;
}

static int solve(const struct options *options)
{
    const double begin = now();
    bool done = false;
    struct nk_error error;
    struct nk_index *index = NULL;
    struct nk_solution *solution = NULL;
    struct nk_checkpoint *checkpoint = NULL;
    struct reports reports = {.begin = begin, .checkpoint = options->checkpoint};
    const struct nk_rules *rules = &options->rules;
    const bool is_first = nk_comm_rank() == 0;
    if (nk_index_new(rules, &index))
        fprintf(stderr, "%s: out of memory for the index of this board\n", program);
    if (!may_begin(options, index, &reports, &checkpoint))
        goto done;
    const bool progress = is_first && !options->quiet && isatty(STDERR_FILENO);
    const struct nk_solve_options how = {.progress = progress ? show_progress : NULL,
                                         .warn = warn,
                                         .saved = note_saved,
                                         .context = &reports,
                                         .checkpoint = checkpoint,
                                         .threads = options->threads};
    const enum nk_status status = nk_solve(index, &how, &solution, &error);
    if (progress)
        fprintf(stderr, "\r\033[K");
    if (!succeeded(status, &error))
        goto done;
    struct account account = {.rules = rules,
                              .summary = &solution->summary,
                              .by_distance = solution->by_distance,
                              .solve_seconds = now() - reports.begin,
                              .sent = solution->sent};
    if (solution->example < index->entries)
        nk_position_print(rules, nk_index_position(index, solution->example), NK_BLACK, account.example);
    const bool traps = !options->no_traps && may_have_traps(rules, &solution->summary, index->entries);
    done = (traps ? write_with_traps : write_without_traps)(options, index, solution, &account.file);
    if (done && is_first && options->verify) {
        struct nk_table *table;
        struct nk_verified verified;
        done = verify(options, options->output, &table, &verified);
        if (done)
            nk_table_close(table);
    }
    done = nk_comm_all(done);
    nk_comm_set_last_line("");
    if (done && checkpoint)
        nk_checkpoint_remove(checkpoint);
    account.total_seconds = now() - begin;
    if (done && is_first)
        done = report(options, &account) == EXIT_SUCCESS;
done:
    nk_solution_free(solution);
    nk_checkpoint_close(checkpoint);
    nk_index_free(index);
    return done ? EXIT_SUCCESS : EXIT_FAILURE;
}

/* Reads a whole number from least to most. */
static bool read_number(const char *text, int least, int most, int *number)
{
    char *end;
    errno = 0;
    const long value = strtol(text, &end, 10);
    if (errno || end == text || *end || value < least || value > most)
        return false;
    *number = (int)value;
    return true;
}

/* Reads "800M" or "12G" or a number of bytes. */
static bool read_size(const char *text, uint64_t *bytes)
{
    char *end;
    errno = 0;
    const unsigned long long value = strtoull(text, &end, 10);
    const char *unit = *end ? strchr("KMGT", *end) : NULL;
    const int shift = unit ? 10 * (int)(unit - "KMGT" + 1) : 0;
    if (errno || end == text || *text == '-' || (*end && !unit) || (*end && end[1]) || !value ||
        value > UINT64_MAX >> shift)
        return false;
    *bytes = (uint64_t)value << shift;
    return true;
}

static bool read_board(const char *text, int *width, int *height)
{
    const size_t length = strlen(text);
    if (length != 3 || (text[1] != 'x' && text[1] != 'X'))
        return false;
    *width = text[0] - '0';
    *height = text[2] - '0';
    return *width >= 0 && *width <= 9 && *height >= 0 && *height <= 9;
}

static bool read_win(const char *text, enum nk_win *win)
{
    for (int w = 0; w < NK_WIN_RULES; w++)
        if (strcmp(text, nk_win_name((enum nk_win)w)) == 0) {
            *win = (enum nk_win)w;
            return true;
        }
    return false;
}

/* Complains about an option's argument; returns the exit status. */
static int wrong_argument(const char *option, const char *argument, const char *expected)
{
    fprintf(stderr, "%s: %s '%.40s': expected %s\n", program, option, argument, expected);
    return usage_error();
}

/* Reads the options. Returns the exit status when that is all there is to do, or GO_ON. */
static int read_options(int argc, char **argv, struct options *out)
{
    enum {
        VERIFY = 256,
        CHECK,
        NO_TRAPS,
        JSON,
        QUIET,
        VERSION,
        BOARD,
        PIECES,
        ROW,
        WIN,
        THREADS,
        MEMORY,
        CHECKPOINT,
        SECONDS
    };
    static const struct option known[] = {
        {"output", required_argument, NULL, 'o'},
        {"verify", no_argument, NULL, VERIFY},
        {"check", required_argument, NULL, CHECK},
        {"no-traps", no_argument, NULL, NO_TRAPS},
        {"json", no_argument, NULL, JSON},
        {"quiet", no_argument, NULL, QUIET},
        {"board", required_argument, NULL, BOARD},
        {"pieces", required_argument, NULL, PIECES},
        {"row", required_argument, NULL, ROW},
        {"win", required_argument, NULL, WIN},
        {"threads", required_argument, NULL, THREADS},
        {"memory", required_argument, NULL, MEMORY},
        {"checkpoint", required_argument, NULL, CHECKPOINT},
        {"checkpoint-every", required_argument, NULL, SECONDS},
        {"help", no_argument, NULL, 'h'},
        {"version", no_argument, NULL, VERSION},
        {NULL, 0, NULL, 0},
    };
    int width = 5, height = 5, pieces = 3, row = 0;
    enum nk_win win = NK_WIN_LINE;
    bool game_named = false;
    struct options options = {.seconds = 180};
    int option;
    while ((option = getopt_long(argc, argv, "o:h", known, NULL)) != -1)
        switch (option) {
        case 'o':
            options.output = optarg;
            break;
        case VERIFY:
            options.verify = true;
            break;
        case CHECK:
            options.check = optarg;
            break;
        case NO_TRAPS:
            options.no_traps = true;
            break;
        case JSON:
            options.json = true;
            break;
        case QUIET:
            options.quiet = true;
            break;
        case BOARD:
            game_named = true;
            if (!read_board(optarg, &width, &height))
                return wrong_argument("--board", optarg, "width x height, as in 7x7");
            break;
        case PIECES:
            game_named = true;
            if (!read_number(optarg, 0, 99, &pieces))
                return wrong_argument("--pieces", optarg, "a number from 2 to 5");
            break;
        case ROW:
            game_named = true;
            if (!read_number(optarg, 1, 99, &row))
                return wrong_argument("--row", optarg, "a number from 2 to that of the pieces");
            break;
        case WIN:
            game_named = true;
            if (!read_win(optarg, &win))
                return wrong_argument("--win", optarg, "line, orthogonal, diagonal, equidistant or centre");
            break;
        case THREADS:
            if (!read_number(optarg, 1, 256, &options.threads))
                return wrong_argument("--threads", optarg, "a number from 1 to 256");
            break;
        case MEMORY:
            if (!read_size(optarg, &options.memory))
                return wrong_argument("--memory", optarg, "a size, as in 800M or 12G");
            break;
        case CHECKPOINT:
            options.checkpoint = optarg;
            break;
        case SECONDS:
            if (!read_number(optarg, 0, 1000000, &options.seconds))
                return wrong_argument("--checkpoint-every", optarg, "a number of seconds");
            break;
        case 'h':
            fputs(help, stdout);
            return printed_all();
        case VERSION:
            puts("neutreeko-solve (Neutreeko) " NK_VERSION);
            return printed_all();
        default:
            return usage_error();
        }
    if (optind < argc) {
        fprintf(stderr, "%s: unexpected argument '%s'\n", program, argv[optind]);
        return usage_error();
    }
    if (options.check && (options.output || options.verify || options.no_traps || options.checkpoint)) {
        fprintf(
            stderr,
            "%s: --check solves nothing: it goes without --output, --verify, --no-traps and --checkpoint\n",
            program);
        return usage_error();
    }
    if (options.check && game_named) {
        fprintf(stderr, "%s: --check takes the game from the table: it goes without --board and the like\n",
                program);
        return usage_error();
    }
    if (!row)
        row = win == NK_WIN_EQUIDISTANT || win == NK_WIN_CENTRE || pieces < 3 ? pieces : 3;
    struct nk_error error;
    struct nk_rules standard;
    if (nk_rules_init(&options.rules, width, height, pieces, row, win, &error)) {
        fprintf(stderr, "%s: %s\n", program, error.text);
        return usage_error();
    }
    nk_rules_standard(&standard);
    if (!options.output && !options.check && !nk_rules_equal(&options.rules, &standard)) {
        fprintf(stderr, "%s: %s is for the standard game: name another file with --output\n", program,
                default_output);
        return usage_error();
    }
    if (!options.output)
        options.output = default_output;
    *out = options;
    return GO_ON;
}

/* Whether all ranks were started for the same, without which they would wait for each other or mix their
 * boards up. `status` is that of read_options. The first rank complains. */
static bool all_want_the_same(const struct options *options, int status)
{
    const char *directory = options->checkpoint ? options->checkpoint : "";
    const struct {
        const char *what;
        uint64_t value;
    } values[] = {
        {"arguments", (uint64_t)status},
        {"--check", options->check != NULL},
        {"--board", (uint64_t)(options->rules.width * 10 + options->rules.height)},
        {"--pieces", (uint64_t)options->rules.pieces},
        {"--row", (uint64_t)options->rules.row_length},
        {"--win", (uint64_t)options->rules.win},
        {"--no-traps", options->no_traps},
        {"--memory", options->memory},
        {"--checkpoint", XXH3_64bits(directory, strlen(directory))},
        {"--checkpoint-every", (uint64_t)options->seconds},
    };
    for (size_t i = 0; i < sizeof values / sizeof values[0]; i++)
        if (!nk_comm_same(values[i].value)) {
            if (nk_comm_rank() == 0)
                fprintf(stderr, "%s: the ranks were started with different %s: start all with the same\n",
                        program, values[i].what);
            return false;
        }
    return true;
}

static int run(int argc, char **argv)
{
    struct options options = {0};
    const int status = read_options(argc, argv, &options);
    if (!all_want_the_same(&options, status))
        return EXIT_USAGE;
    if (status != GO_ON)
        return status;
    return options.check ? check(&options) : solve(&options);
}

int main(int argc, char **argv)
{
    nk_program_begin();
    nk_comm_init(&argc, &argv);
    const int status = run(argc, argv);
    nk_comm_finalize();
    return status;
}
