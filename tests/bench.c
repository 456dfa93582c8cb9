/* Benchmarks: prints medians.
 * Usage: bench [RUNS]   (default 25) */

#include "tests/support.h"
#include "player/random.h"
#include "solver/verify.h"

#include <libgen.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { MAX_RUNS = 1000, POSITIONS = 200000 };

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

static int by_size(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Prints least, median and greatest of the figures that some runs return. Nothing is printed if the first one is
 * negative: this machine cannot do it. */
static void measure(const char *what, double scale, const char *unit, int runs, double (*run)(void *),
                    void *context)
{
    double figures[MAX_RUNS] = {0};
    for (int i = 0; i < runs; i++)
        if ((figures[i] = run(context)) < 0)
            return;
    qsort(figures, (size_t)runs, sizeof *figures, by_size);
    printf("%-46s %10.3f %10.3f %10.3f %s\n", what, figures[0] * scale, figures[runs / 2] * scale,
           figures[runs - 1] * scale, unit);
    fflush(stdout);
}

static double solve(void *vector_bytes)
{
    const struct nk_solve_options options = {.vector_bytes = *(const int *)vector_bytes};
    struct nk_solution *solution;
    uint8_t *codes;
    const double begin = now();
    AUTO_INDEX *index = index_of(STANDARD);
    const enum nk_status status = nk_solve(index, &options, &solution, NULL);
    if (status == NK_E_RULES)
        return -1;
    CHECK(!status && !all_codes(solution, &codes, NULL));
    const double seconds = now() - begin;
    nk_solution_free(solution);
    free(codes);
    return seconds;
}

/* neutreeko-solve as a whole process: start, solve, write, flush to disk, exit. */
struct process {
    const char *solver, *table;
    bool memory; /* to be measured instead of the time */
};

static double run_process(void *context)
{
    const struct process *process = context;
    struct rusage usage;
    int status;
    const double begin = now();
    const pid_t child = fork();
    if (child == 0) {
        execl(process->solver, process->solver, "--quiet", "-o", process->table, (char *)NULL);
        _exit(127);
    }
    CHECK(child > 0 && wait4(child, &status, 0, &usage) == child && status == 0);
    return process->memory ? (double)usage.ru_maxrss / 1024 : now() - begin;
}

static double open_and_ask(void *path)
{
    struct nk_table *table;
    struct nk_position start;
    struct nk_value value;
    struct nk_move_value moves[NK_MAX_MOVES];
    int count;
    const double begin = now();
    CHECK(!nk_table_open(path, &table, NULL));
    (void)nk_rules_start(nk_table_rules(table), &start);
    CHECK(!nk_table_value(table, start, &value, NULL));
    CHECK(!nk_table_moves(table, start, moves, &count, NULL));
    const double seconds = now() - begin;
    nk_table_close(table);
    return seconds;
}

static double open_and_load(void *path)
{
    struct nk_table *table;
    const double begin = now();
    CHECK(!nk_table_open(path, &table, NULL));
    CHECK(!nk_table_load(table, NULL));
    const double seconds = now() - begin;
    nk_table_close(table);
    return seconds;
}

static struct nk_position random_legal(const struct nk_index *index, uint64_t *random)
{
    struct nk_position position;
    do
        position = nk_index_position(index, nk_random(random) % index->entries);
    while (nk_position_check(&index->rules, position, NK_BLACK, NULL));
    return position;
}

static double look_up(void *table)
{
    static struct nk_position positions[POSITIONS];
    uint64_t random = 1;
    for (int i = 0; i < POSITIONS && !positions[i].mover; i++)
        positions[i] = random_legal(nk_table_index(table), &random);
    const double begin = now();
    for (int i = 0; i < POSITIONS; i++) {
        struct nk_value value;
        CHECK(!nk_table_value(table, positions[i], &value, NULL));
    }
    return (now() - begin) / POSITIONS;
}

/* Plays `moves` there and back until a few positions have occurred twice: false if that is not possible. */
static bool repeat(struct nk_game *game, uint64_t *random)
{
    struct nk_move moves[NK_MAX_MOVES], there[2] = {{0, 0}, {0, 0}};
    const int plies = 4 + (int)nk_random_below(random, 4);
    for (int ply = 0; ply < plies; ply++) {
        const int count = nk_position_moves(nk_game_rules(game), nk_game_position(game), moves);
        const struct nk_move first = there[ply % 2], back = {first.to, first.from};
        struct nk_move move = ply % 4 < 2 ? first : back;
        if (ply < 2)
            move = there[ply] = moves[nk_random_below(random, (uint32_t)count)];
        if (nk_game_play(game, move, NULL) || nk_game_end(game, NULL))
            return false;
    }
    return true;
}

/* A move of the perfect player after the game has repeated won or lost positions. */
static double choose_after_repetition(void *table)
{
    static uint64_t random = 1;
    for (;;) {
        struct nk_game *game;
        struct nk_move move;
        struct nk_value value;
        const struct nk_position start = random_legal(nk_table_index(table), &random);
        CHECK(!nk_table_value(table, start, &value, NULL));
        if (value.result == NK_DRAW || value.plies < 2)
            continue;
        CHECK(!nk_game_new(nk_table_rules(table), start, NK_BLACK, &game, NULL));
        const bool repeated = repeat(game, &random);
        const double begin = now();
        if (repeated)
            CHECK(!nk_choose(table, game, &random, &move, NULL));
        const double seconds = now() - begin;
        nk_game_free(game);
        if (repeated)
            return seconds;
    }
}

static double verify(void *table)
{
    struct nk_verified verified;
    const double begin = now();
    CHECK(!nk_verify(table, &(struct nk_verify_options){.threads = 1}, &verified, NULL));
    return now() - begin;
}

static void bench_table(char *path, int runs)
{
    struct nk_table *table;
    struct nk_file written;
    CHECK(!nk_file_describe(path, &written, NULL));
    printf("%-46s %21llu bytes\n", "size of the table", (unsigned long long)written.bytes);
    measure("open and first answer with all its moves", 1e3, "ms", runs, open_and_ask, path);
    CHECK(!nk_table_open(path, &table, NULL));
    look_up(table); /* to warm up */
    measure("result and distance of a random position", 1e9, "ns", runs, look_up, table);
    measure("open and load the table", 1e3, "ms", runs, open_and_load, path);
    measure("verify every position", 1e3, "ms", runs, verify, table);
    CHECK(!nk_table_load(table, NULL));
    measure("the same position in a loaded table", 1e9, "ns", runs, look_up, table);
    measure("a choice after repetition, 1,000 games", 1e3, "ms", MAX_RUNS, choose_after_repetition, table);
    nk_table_close(table);
}

int main(int argc, char **argv)
{
    const int runs = argc > 1 ? atoi(argv[1]) : 25;
    if (runs < 1 || runs > MAX_RUNS) {
        fprintf(stderr, "bench: RUNS is 1 to %d\n", MAX_RUNS);
        return 2;
    }
    char *self = strdup(argv[0]), *solver, table[] = "/tmp/neutreeko-bench-XXXXXX";
    const int file = mkstemp(table);
    if (!self || file < 0 || asprintf(&solver, "%s/../solver/neutreeko-solve", dirname(self)) < 0)
        return EXIT_FAILURE;
    close(file);
    printf("%-46s %10s %10s %10s\n", "", "least", "median", "greatest");
    measure("solve, memory to memory, best vectors", 1e3, "ms", runs, solve, &(int){0});
    measure("solve, memory to memory, 512-bit vectors", 1e3, "ms", runs, solve, &(int){64});
    measure("solve, memory to memory, 256-bit vectors", 1e3, "ms", runs, solve, &(int){32});
    measure("solve, memory to memory, 128-bit vectors", 1e3, "ms", runs, solve, &(int){16});
    struct process process = {solver, table, false};
    measure("neutreeko-solve, whole process", 1e3, "ms", runs, run_process, &process);
    process.memory = true;
    measure("neutreeko-solve, peak memory", 1, "MiB", runs, run_process, &process);
    bench_table(table, runs);
    unlink(table);
    free(solver);
    free(self);
    return EXIT_SUCCESS;
}
