/* Every allocation of the library's calls fails once: each must then say NK_E_MEMORY, or do without, and must
 * not keep a block. Linked to faults.c; prints TAP; works in the directory named as its argument. */

#include "faults.h"

#include "common/file.h"
#include "common/table.h"
#include "player/match.h"
#include "player/puzzle.h"
#include "player/game.h"
#include "solver/exchange.h"
#include "solver/retrograde.h"
#include "solver/trap.h"
#include "solver/verify.h"

#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* What the calls work on; made before anything fails. */
static struct nk_rules rules;
static struct nk_index *board;
static struct nk_solution *solved;
static uint8_t *all_codes, *all_traps;
static struct nk_table *opened, *opened_long;
static uint8_t table_bytes[1 << 17];
static size_t table_size;
static struct nk_position start;
static const char table_name[] = "library.dat", large_name[] = "large.dat";
static int pipe_end;

enum { MOST = 100000, PLIES = 200 };

/* ---- the calls ----
 * Each does something whole and gives back all it was given. */

static enum nk_status index_make(void)
{
    struct nk_index *index;
    const enum nk_status status = nk_index_new(&rules, &index);
    if (!status)
        nk_index_free(index);
    return status;
}

static enum nk_status solve(void)
{
    struct nk_solution *solution;
    const struct nk_solve_options options = {.threads = 1};
    const enum nk_status status = nk_solve(board, &options, &solution, NULL);
    if (!status)
        nk_solution_free(solution);
    return status;
}

static enum nk_status codes(void)
{
    uint8_t *bytes;
    const enum nk_status status = nk_solution_codes(solved, &bytes, NULL);
    if (!status)
        free(bytes);
    return status;
}

static enum nk_status traps(void)
{
    uint8_t *bytes;
    const enum nk_status status = nk_traps(board, all_codes, 1, &bytes);
    if (!status)
        free(bytes);
    return status;
}

static enum nk_status table_write(void)
{
    return nk_table_write("written.dat", board, &solved->summary, all_codes, all_traps, NULL, NULL);
}

/* To a file, through a link and into a pipe. */
static enum nk_status file_write(void)
{
    char got[sizeof table_name];
    enum nk_status status = nk_file_write("link", table_name, sizeof table_name, NULL);
    if (!status)
        status = nk_file_write("pipe", table_name, sizeof table_name, NULL);
    return status || read(pipe_end, got, sizeof got) == sizeof got ? status : NK_E_READ;
}

static enum nk_status describe(void)
{
    struct nk_file file;
    return nk_file_describe(table_name, &file, NULL);
}

static enum nk_status table_ask(void)
{
    struct nk_table *table;
    struct nk_move_value moves[NK_MAX_MOVES];
    struct nk_value value;
    int count;
    uint8_t trap;
    enum nk_status status = nk_table_open(table_name, &table, NULL);
    if (status)
        return status;
    if (!(status = nk_table_value(table, start, &value, NULL)) &&
        !(status = nk_table_moves(table, start, moves, &count, NULL)))
        status = nk_table_trap(table, start, &trap, NULL);
    nk_table_close(table);
    return status;
}

static enum nk_status table_load(void)
{
    struct nk_table *table;
    struct nk_value value;
    enum nk_status status = nk_table_open(table_name, &table, NULL);
    if (status)
        return status;
    status = nk_table_load(table, NULL);
    /* A table that could not be loaded is still read. */
    const enum nk_status asked = nk_table_value(table, start, &value, NULL);
    nk_table_close(table);
    return status ? status : asked;
}

/* Of a table so large that not all of it is kept. */
static enum nk_status large_ask(void)
{
    struct nk_table *table;
    uint8_t code;
    enum nk_status status = nk_table_open(large_name, &table, NULL);
    if (status)
        return status;
    status = nk_table_code(table, 0, &code, NULL);
    nk_table_close(table);
    return status;
}

static enum nk_status bytes_open(void)
{
    struct nk_table *table;
    const enum nk_status status = nk_table_open_bytes(table_bytes, table_size, &table, NULL);
    if (!status)
        nk_table_close(table);
    return status;
}

static enum nk_status exchange_init(void)
{
    struct nk_exchange exchange;
    const enum nk_status status = nk_exchange_init(board, &exchange);
    nk_exchange_clear(&exchange);
    return status;
}

static enum nk_status verify(void)
{
    struct nk_verified verified;
    return nk_verify(opened, 1, &verified, NULL);
}

/* A table whose header speaks of very long distances, which is wrong, but takes more room. */
static enum nk_status verify_long(void)
{
    struct nk_verified verified;
    const enum nk_status status = nk_verify(opened_long, 1, &verified, NULL);
    return status == NK_E_CORRUPT ? NK_OK : status;
}

static void forget(void *context, const struct nk_error *error)
{
    *(enum nk_status *)context = error->status;
}

/* Saves checkpoints; what goes wrong with them is told and the analysis goes on. */
static enum nk_status checkpoint_save(void)
{
    enum nk_status told = NK_OK;
    struct nk_solution *solution;
    struct nk_solve_options options = {.threads = 1, .warn = forget, .context = &told};
    enum nk_status status = nk_solve_checkpoint(board, "saving", 0, &options.checkpoint, NULL);
    if (status)
        return status;
    if (!(status = nk_solve(board, &options, &solution, NULL)))
        nk_solution_free(solution);
    nk_checkpoint_remove(options.checkpoint);
    nk_checkpoint_close(options.checkpoint);
    return status ? status : told;
}

static enum nk_status checkpoint_load(void)
{
    struct nk_solution *solution;
    struct nk_solve_options options = {.threads = 1};
    enum nk_status status = nk_solve_checkpoint(board, "saved", 1000, &options.checkpoint, NULL);
    if (status)
        return status;
    if (!(status = nk_solve(board, &options, &solution, NULL)))
        nk_solution_free(solution);
    nk_checkpoint_close(options.checkpoint);
    return status;
}

static void produce_zeros(void *context, uint64_t offset, uint8_t *bytes, size_t length)
{
    (void)context, (void)offset;
    memset(bytes, 0, length);
}

static bool consume_any(void *context, uint64_t offset, const uint8_t *bytes, size_t length)
{
    (void)context, (void)offset, (void)bytes, (void)length;
    return true;
}

/* A slice that is saved and loaded in several chunks. */
static enum nk_status checkpoint_large(void)
{
    const uint64_t decided = 1;
    struct nk_checkpoint *checkpoint;
    enum nk_status status = nk_checkpoint_open("large", &rules, 1, 3 << 20, 0, &checkpoint, NULL);
    if (status)
        return status;
    if (!(status = nk_checkpoint_save(checkpoint, 0, 0, produce_zeros, NULL, NULL)) &&
        !(status = nk_checkpoint_commit(checkpoint, 0, &decided, NK_OK, NULL)))
        status = nk_checkpoint_load(checkpoint, 0, consume_any, NULL, NULL);
    nk_checkpoint_remove(checkpoint);
    nk_checkpoint_close(checkpoint);
    return status;
}

/* A long game: to and fro, and back. */
static enum nk_status game(void)
{
    struct nk_game *played;
    enum nk_status status = nk_game_new(&rules, start, NK_BLACK, &played, NULL);
    if (status)
        return status;
    for (int ply = 0; ply < PLIES && !status && nk_game_end(played, NULL) == NK_END_NONE; ply++) {
        uint64_t random = (uint64_t)ply;
        struct nk_move move;
        struct nk_opponent opponent;
        if (!(status = nk_opponent_parse("random", &opponent, NULL)) &&
            !(status = nk_opponent_move(opponent, opened, played, &random, &move, NULL, NULL)))
            status = nk_game_play(played, move, NULL);
    }
    if (!status) {
        char *text = nk_record_text(played);
        status = text ? NK_OK : NK_E_MEMORY;
        free(text);
    }
    nk_game_free(played);
    return status;
}

static enum nk_status record_read(void)
{
    struct nk_game *read;
    struct nk_reviewed reviewed;
    char text[128];
    char place[NK_POSITION_TEXT], move[NK_MOVE_TEXT];
    struct nk_move moves[NK_MAX_MOVES];
    nk_position_print(&rules, start, NK_BLACK, place);
    nk_position_moves(&rules, start, moves);
    nk_move_print(&rules, moves[0], move);
    snprintf(text, sizeof text, "start %s\n1. %s\n", place, move);
    enum nk_status status = nk_record_read(text, strlen(text), &rules, &read, NULL);
    if (status)
        return status;
    status = nk_review(opened, read, 0, &reviewed, NULL);
    nk_game_free(read);
    return status;
}

static enum nk_status match(void)
{
    struct nk_match options = {
        .start = NK_START_RANDOM, .games = 4, .threads = 1, .max_plies = 100, .seed = 5};
    struct nk_score score;
    enum nk_status status = nk_opponent_parse("perfect", &options.opponents[0], NULL);
    if (!status)
        status = nk_opponent_parse("level:4", &options.opponents[1], NULL);
    return status ? status : nk_match_play(opened, &options, &score, NULL);
}

static enum nk_status puzzle(void)
{
    struct nk_puzzle puzzles[3];
    struct nk_puzzle_count count;
    uint64_t random = 1;
    struct nk_table *table;
    enum nk_status status = nk_table_open(table_name, &table, NULL);
    if (status)
        return status;
    status = nk_puzzle_take(table, NULL, 3, &random, puzzles, 3, &count, NULL);
    nk_table_close(table);
    return status;
}

static const struct {
    const char *name;
    enum nk_status (*call)(void);
} calls[] = {
    {"nk_index_new", index_make},
    {"nk_solve", solve},
    {"nk_solution_codes", codes},
    {"nk_traps", traps},
    {"nk_table_write", table_write},
    {"nk_file_write", file_write},
    {"nk_file_describe", describe},
    {"nk_table_open, _value, _moves, _trap", table_ask},
    {"nk_table_load", table_load},
    {"nk_table_open, _code of a large table", large_ask},
    {"nk_table_open_bytes", bytes_open},
    {"nk_exchange_init", exchange_init},
    {"nk_verify", verify},
    {"nk_verify, long distances", verify_long},
    {"nk_checkpoint_save", checkpoint_save},
    {"nk_checkpoint_load", checkpoint_load},
    {"nk_checkpoint_save, _load of a large slice", checkpoint_large},
    {"nk_game_new, _play, nk_record_text", game},
    {"nk_record_read, nk_review", record_read},
    {"nk_match_play", match},
    {"nk_puzzle_take", puzzle},
};

/* ---- all of them ---- */

static void stop_early(void *context, int ply, uint64_t decided)
{
    (void)context;
    (void)decided;
    if (ply == 3)
        _exit(0);
}

static bool prepare(void)
{
    struct nk_move moves[NK_MAX_MOVES];
    const struct nk_solve_options options = {.threads = 1};
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET((size_t)sched_getcpu(), &one);
    /* One processor: no threads, whose stacks the C library keeps for later. */
    if (sched_setaffinity(0, sizeof one, &one) || nk_rules_init(&rules, 4, 4, 3, 3, NK_WIN_LINE, NULL) ||
        nk_index_new(&rules, &board) || nk_solve(board, &options, &solved, NULL) ||
        nk_solution_codes(solved, &all_codes, NULL) || nk_traps(board, all_codes, 1, &all_traps) ||
        nk_table_write(table_name, board, &solved->summary, all_codes, all_traps, NULL, NULL) ||
        nk_table_open(table_name, &opened, NULL))
        return false;
    for (uint64_t entry = 0; entry < board->entries; entry++) {
        start = nk_index_position(board, entry);
        if (all_codes[entry] == NK_CODE_DRAW && nk_position_moves(&rules, start, moves))
            break;
    }
    return true;
}

static bool prepare_files(void)
{
    enum { PIECE = 1 << 20 };
    struct nk_rules large;
    struct nk_index *index;
    struct nk_table_writer *writer;
    uint8_t *codes = calloc(PIECE, 1);
    if (!codes || nk_rules_init(&large, 6, 5, 4, 4, NK_WIN_LINE, NULL) || nk_index_new(&large, &index) ||
        nk_table_writer_open(large_name, index, &writer, NULL))
        return false;
    const struct nk_summary summary = {.placements = index->placements};
    for (uint64_t left = index->entries, length; left; left -= length) {
        length = left < PIECE ? left : PIECE;
        if (nk_table_writer_append(writer, codes, length, NULL))
            return false;
    }
    const enum nk_status status = nk_table_writer_close(writer, &summary, NULL, NULL, NULL);
    nk_index_free(index);
    free(codes);
    const int file = open(table_name, O_RDONLY | O_CLOEXEC);
    const ssize_t size = file < 0 ? -1 : read(file, table_bytes, sizeof table_bytes);
    table_size = (size_t)size;
    struct nk_summary long_one = solved->summary;
    long_one.longest = 400;
    return !status && size > 0 && !close(file) &&
           !nk_table_write("long.dat", board, &long_one, all_codes, all_traps, NULL, NULL) &&
           !nk_table_open("long.dat", &opened_long, NULL) && !symlink("written.dat", "link") &&
           !mkfifo("pipe", 0666) && (pipe_end = open("pipe", O_RDWR | O_NONBLOCK | O_CLOEXEC)) >= 0;
}

/* Leaves a checkpoint in "saved". */
static bool interrupt(void)
{
    struct nk_solution *solution;
    struct nk_solve_options options = {.threads = 1, .progress = stop_early};
    return !nk_solve_checkpoint(board, "saved", 0, &options.checkpoint, NULL) &&
           !nk_solve(board, &options, &solution, NULL);
}

/* Prints one line of TAP. */
static bool fail_each(int number, const char *name, enum nk_status (*call)(void))
{
    const char *fault = call() || call() ? "fails without a fault" : NULL;
    long n = 0, refused = 0;
    for (bool reached = true; reached && !fault && n < MOST;) {
        const long before = faults_live();
        faults_arm(++n);
        const enum nk_status status = call();
        reached = faults_disarm();
        refused += status == NK_E_MEMORY;
        if (status && status != NK_E_MEMORY)
            fault = "another status than NK_E_MEMORY";
        else if (status && !reached)
            fault = "a failure without a fault";
        else if (faults_live() != before)
            fault = "a block is kept";
    }
    printf("%sok %d - %s: %ld allocations, %ld of them needed%s%s\n", fault ? "not " : "", number, name,
           n - 1, refused, fault ? " # " : "", fault ? fault : "");
    if (fault)
        printf("# allocation %ld: %s\n", n, fault);
    return !fault;
}

/* That a block which is kept is noticed. */
static enum nk_status leak(void)
{
    static char *kept;
    char *first = malloc(1), *second = first ? malloc(1) : NULL;
    if (!first || !second) {
        kept = first;
        return NK_E_MEMORY;
    }
    (void)kept;
    free(first);
    free(second);
    return NK_OK;
}

int main(int argc, char **argv)
{
    const int count = (int)(sizeof calls / sizeof calls[0]);
    bool good = true;
    if (argc < 2 || chdir(argv[1])) {
        fputs("Usage: library DIRECTORY [--plant]\n", stderr);
        return 2;
    }
    setvbuf(stdout, NULL, _IOLBF, BUFSIZ);
    if (!prepare()) {
        puts("Bail out! the board cannot be solved");
        return EXIT_FAILURE;
    }
    if (argc > 2 && strcmp(argv[2], "--interrupt") == 0)
        return interrupt();
    if (argc > 2 && strcmp(argv[2], "--plant") == 0)
        return fail_each(1, "a leak", leak) ? EXIT_SUCCESS : EXIT_FAILURE;
    if (!prepare_files()) {
        puts("Bail out! the files cannot be made");
        return EXIT_FAILURE;
    }
    printf("1..%d\n", count);
    for (int i = 0; i < count; i++)
        good &= fail_each(i + 1, calls[i].name, calls[i].call);
    nk_table_close(opened_long);
    nk_table_close(opened);
    free(all_traps);
    free(all_codes);
    nk_solution_free(solved);
    nk_index_free(board);
    return good ? EXIT_SUCCESS : EXIT_FAILURE;
}
