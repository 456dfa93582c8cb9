/* Nearly all that the library, the solver and the player do, through a plain main: for sanitizers, valgrind,
 * other machines and other compilers (scripts/sanitize, scripts/portable). Prints checksums that are the same
 * everywhere.
 *
 * Usage: exercise [--quick] [--vector BYTES] [--probe] [--plant FAULT]
 *
 *   --quick   without the large table and with shorter matches
 *   --vector  solve with vectors of that width only
 *   --probe   only tell by the exit status whether this machine has vectors of that width
 *   --plant   a fault of that kind: leak, overrun, overflow, shift, uninitialised, race. The tool that watches must
 * notice
 */

#include "tests/support.h"
#include "common/table_format.h"
#include "common/parallel.h"
#include "player/match.h"
#include "player/puzzle.h"
#include "player/random.h"
#include "player/game.h"
#include "player/explain.h"
#include "solver/kernel.h"
#include "solver/retrograde.h"
#include "solver/trap.h"
#include "solver/verify.h"
#include "tests/seal.h"

#include <inttypes.h>
#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include <xxhash.h>

enum { THREADS = 4, ASKED = 20000 };

static const char table_name[] = "exercise.dat", directory_name[] = "exercise-saved";

static const struct board boards[] = {
    {3, 4, 3, 2, NK_WIN_LINE}, {4, 4, 3, 3, NK_WIN_LINE},        {4, 3, 2, 2, NK_WIN_DIAGONAL},
    {5, 4, 2, 2, NK_WIN_LINE}, {5, 5, 3, 3, NK_WIN_EQUIDISTANT}, {5, 5, 3, 3, NK_WIN_LINE},
};

static bool quick;
static int vector_bytes;

/* ---- threads that ask one table ---- */

struct crowd {
    struct nk_table *table;
    const uint8_t *codes; /* what it must answer; NULL: large_code */
};

static uint8_t large_code(uint64_t entry)
{
    const uint64_t block = entry >> 14;
    return (uint8_t)(NK_CODE_LOSS + block % 251);
}

static void ask(void *context, uint32_t item, int worker)
{
    const struct crowd *crowd = context;
    const uint64_t entries = nk_table_index(crowd->table)->entries;
    uint64_t random = nk_random_split(7, item);
    (void)worker;
    for (int i = 0; i < ASKED; i++) {
        const uint64_t entry = nk_random(&random) % entries;
        uint8_t code;
        CHECK(!nk_table_code(crowd->table, entry, &code, NULL));
        CHECK(code == (crowd->codes ? crowd->codes[entry] : large_code(entry)));
    }
}

/* A table of which not all blocks may stay in memory. */
static void large_table(void)
{
    enum { PIECE = 1 << 20 };
    AUTO_INDEX *index = index_of((struct board){6, 5, 4, 4, NK_WIN_LINE});
    struct nk_table_writer *writer;
    struct crowd crowd = {0};
    uint8_t *codes = malloc(PIECE);
    const struct nk_summary summary = {.placements = index->placements};
    CHECK(!nk_table_writer_open(table_name, index, &writer, NULL));
    for (uint64_t done = 0; codes && done < index->entries; done += PIECE) {
        const uint64_t left = index->entries - done, count = left < PIECE ? left : PIECE;
        for (uint64_t i = 0; i < count; i++)
            codes[i] = large_code(done + i);
        CHECK(!nk_table_writer_append(writer, codes, count, NULL));
    }
    CHECK(!nk_table_writer_close(writer, &summary, NULL, NULL, NULL));
    CHECK(!nk_table_open(table_name, &crowd.table, NULL));
    nk_parallel(THREADS, THREADS, ask, &crowd);
    printf("large table  codes %016" PRIx64 "\n", nk_table_codes_checksum(crowd.table));
    nk_table_close(crowd.table);
    free(codes);
}

/* ---- playing ---- */

static void play(struct nk_table *table, struct nk_position position)
{
    struct nk_match match = {.start = NK_START_GIVEN,
                             .position = position,
                             .seed = 11,
                             .games = quick ? 4 : 40,
                             .threads = THREADS,
                             .max_plies = 200};
    const atomic_bool stop = false;
    struct nk_score score = {0};
    CHECK(!nk_opponent_parse("perfect", &match.opponents[0], NULL));
    CHECK(!nk_opponent_parse("alphabeta:3", &match.opponents[1], NULL));
    CHECK(!nk_match_play_part(table, &match, 1, 0, match.games, &stop, &score, NULL));
    printf("match        %" PRIu64 " %" PRIu64 " %" PRIu64 ", %" PRIu64 " plies\n", score.wins[0],
           score.draws, score.wins[1], score.plies);
}

/* One game: chosen, explained, written, read and reviewed. */
static void one_game(struct nk_table *table, struct nk_position position)
{
    const struct nk_rules *rules = nk_table_rules(table);
    struct nk_game *game, *read;
    uint64_t random = 3;
    int marks = 0;
    CHECK(!nk_game_new(rules, position, NK_BLACK, &game, NULL));
    while (nk_game_end(game, NULL) == NK_END_NONE && nk_game_plies(game) < 100) {
        struct nk_move move;
        struct nk_explanation why;
        struct nk_opponent opponent;
        CHECK(!nk_opponent_parse(nk_game_plies(game) % 2 ? "level:2" : "perfect", &opponent, NULL));
        CHECK(!nk_opponent_move(opponent, table, game, &random, &move, NULL, NULL));
        CHECK(!nk_explain(table, game, nk_game_plies(game), move, &why, NULL));
        CHECK(!nk_game_play(game, move, NULL));
    }
    char *text = nk_record_text(game);
    CHECK(text);
    CHECK(!nk_record_read(text, strlen(text), rules, &read, NULL));
    for (int ply = 0; ply < nk_game_plies(read); ply++) {
        struct nk_reviewed reviewed;
        CHECK(!nk_review(table, read, ply, &reviewed, NULL));
        marks += reviewed.mark != NK_MARK_NONE;
    }
    printf("game         %d plies, %d marks, record %016" PRIx64 "\n", nk_game_plies(read), marks,
           (uint64_t)XXH3_64bits(text, strlen(text)));
    free(text);
    nk_game_free(read);
    nk_game_free(game);
}

static void puzzles(struct nk_table *table)
{
    struct nk_puzzle puzzle;
    struct nk_puzzle_count count;
    uint64_t random = 5;
    char text[NK_POSITION_TEXT] = "none";
    CHECK(!nk_puzzle_take(table, NULL, 3, &random, &puzzle, 1, &count, NULL));
    if (count.total)
        nk_position_print(nk_table_rules(table), puzzle.position, puzzle.to_move, text);
    printf("puzzles      %" PRIu64 ", %s\n", count.total, text);
}

/* ---- the analysis ---- */

static void stop_early(void *context, int ply, uint64_t decided)
{
    (void)context, (void)decided;
    if (ply == 5)
        raise(SIGKILL);
}

/* Begins to solve a board in another process, which is killed and leaves its log in a directory. */
static void interrupt(const struct nk_index *index)
{
    struct nk_solution *solution;
    struct nk_solve_options options = {
        .threads = THREADS, .vector_bytes = vector_bytes, .progress = stop_early};
    int status;
    const pid_t child = fork();
    if (child == 0) {
        if (!nk_log_open(directory_name, index, &options.log, NULL) &&
            !nk_solve(index, &options, &solution, NULL)) /* before ply 5 */
            raise(SIGKILL);
        _exit(EXIT_FAILURE);
    }
    CHECK(child > 0 && waitpid(child, &status, 0) == child && WIFSIGNALED(status) &&
          WTERMSIG(status) == SIGKILL);
}

/* Solves a board, with its log in a directory. */
static struct nk_solution *solve(const struct nk_index *index, struct nk_log **log)
{
    struct nk_solution *solution;
    struct nk_solve_options options = {.threads = THREADS, .vector_bytes = vector_bytes};
    CHECK(!nk_log_open(directory_name, index, log, NULL));
    options.log = *log;
    CHECK(!nk_solve(index, &options, &solution, NULL));
    return solution;
}

/* Goes on from the complete log; the codes must be the same. */
static void solve_again(const struct nk_index *index, const uint8_t *codes)
{
    struct nk_solution *solution;
    uint8_t *again;
    struct nk_solve_options options = {.vector_bytes = vector_bytes};
    CHECK(!nk_log_open(directory_name, index, &options.log, NULL));
    CHECK(!nk_solve(index, &options, &solution, NULL));
    CHECK(!all_codes(solution, &again, NULL));
    CHECK(memcmp(codes, again, index->entries) == 0);
    nk_solution_free(solution);
    nk_log_remove(options.log);
    nk_log_close(options.log);
    free(again);
}

static void one_board(const struct board *board)
{
    AUTO_INDEX *index = index_of(*board);
    struct nk_verified verified;
    uint8_t *codes;
    interrupt(index);
    struct nk_log *log;
    struct nk_solution *solution = solve(index, &log);
    CHECK(!all_codes(solution, &codes, NULL));
    nk_log_close(log);
    solve_again(index, codes);
    uint8_t *traps = traps_of(index, codes, THREADS);
    const struct solved solved = {.index = index, .solution = solution, .codes = codes, .traps = traps};
    const struct nk_file file = write_table(&solved, table_name);
    struct crowd crowd = {.codes = codes};
    CHECK(!nk_table_open(table_name, &crowd.table, NULL));
    nk_parallel(THREADS, THREADS, ask, &crowd);
    CHECK(!nk_verify(crowd.table, &(struct nk_verify_options){.threads = THREADS}, &verified, NULL));
    CHECK(memcmp(&verified.summary, &solution->summary, sizeof verified.summary) == 0);
    printf("%dx%d %d %d %-11s codes %016" PRIx64 " traps %016" PRIx64 " table %016" PRIx64 ", %" PRIu64
           " bytes\n",
           board->width, board->height, board->pieces, board->row_length, nk_win_name(board->win),
           (uint64_t)XXH3_64bits(codes, index->entries),
           traps ? (uint64_t)XXH3_64bits(traps, nk_count_draws(codes, index->entries)) : 0, file.checksum,
           file.bytes);
    struct nk_position start;
    if (nk_rules_start(&index->rules, &start)) {
        play(crowd.table, start);
        one_game(crowd.table, start);
    }
    puzzles(crowd.table);
    nk_table_close(crowd.table);
    free(traps);
    free(codes);
    nk_solution_free(solution);
}

/* ---- boards beyond the machine ---- */

/* Where addresses have 32 bits, what needs more is refused, and not begun with what is left of the number. */
static void beyond_addresses(void)
{
    const struct nk_solve_options options = {.threads = 1};
    struct nk_solution *solution;
    struct nk_table *table;
    struct nk_verified verified;
    size_t size;
    AUTO_INDEX *index = index_of((struct board){8, 6, 4, 4, NK_WIN_LINE});
    CHECK(nk_solve(index, &options, &solution, NULL) == NK_E_MEMORY);
    uint8_t *bytes =
        made_up_table(index, NK_MAX_PLIES, false, &size); /* such distances need two bytes for an entry */
    CHECK(bytes);
    CHECK(!nk_table_open_bytes(bytes, size, &table, NULL));
    CHECK(nk_verify(table, &(struct nk_verify_options){.memory = UINT64_MAX}, &verified, NULL) ==
          NK_E_MEMORY);
    nk_table_close(table);
    free(bytes);
}

/* ---- faults for those who watch ---- */

static int shared_by_a_race;

static void *race(void *context)
{
    for (int i = 0; i < 1000; i++)
        ++*(volatile int *)context;
    return NULL;
}

static bool plant(const char *fault, int one)
{
    volatile int number = INT_MAX;
    pthread_t thread;
    volatile char *block = malloc(8);
    if (!block)
        return false;
    if (strcmp(fault, "leak") == 0) {
        block = NULL;
    } else if (strcmp(fault, "overrun") == 0) {
        block[7 + one] = 1;
    } else if (strcmp(fault, "overflow") == 0) {
        number += one;
    } else if (strcmp(fault, "shift") == 0) {
        number = one << (31 + one);
    } else if (strcmp(fault, "uninitialised") == 0) {
        if (block[3] == 77)
            puts("");
    } else if (strcmp(fault, "race") == 0) {
        if (pthread_create(&thread, NULL, race, &shared_by_a_race))
            return false;
        race(&shared_by_a_race);
        pthread_join(thread, NULL);
    } else {
        return false;
    }
    (void)number;
    free((void *)block);
    return true;
}

int main(int argc, char **argv)
{
    static const char usage[] = "Usage: exercise [--quick] [--vector BYTES] [--probe] [--plant FAULT]\n";
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--quick") == 0) {
            quick = true;
        } else if (strcmp(argv[i], "--vector") == 0 && i + 1 < argc) {
            vector_bytes = atoi(argv[++i]);
        } else if (strcmp(argv[i], "--probe") == 0) {
            return nk_find_kernel(vector_bytes) ? EXIT_SUCCESS : EXIT_FAILURE;
        } else if (strcmp(argv[i], "--plant") == 0 && i + 1 < argc) {
            return plant(argv[i + 1], argc - i - 1) ? EXIT_SUCCESS : 2;
        } else {
            fputs(usage, stderr);
            return 2;
        }
    }
    for (size_t b = 0; b < sizeof boards / sizeof boards[0]; b++)
        one_board(&boards[b]);
    if (SIZE_MAX <= UINT32_MAX)
        beyond_addresses();
    if (!quick)
        large_table();
    unlink(table_name);
    return fflush(stdout) ? EXIT_FAILURE : EXIT_SUCCESS;
}
