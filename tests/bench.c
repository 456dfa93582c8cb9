/* Benchmarks: prints medians, with the slow reference solver next to ours in the same run.
 * Usage: bench [RUNS]   (default 25) */

#include "common/table.h"
#include "solver/retrograde.h"
#include "solver/verify.h"
#include "tests/solver/reference.h"

#include <libgen.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { MAX_RUNS = 1000 };

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

/* Sorts the figures and prints least, median and greatest. Returns the median. */
static double print_figures(const char *what, double *figures, int count, double scale, const char *unit)
{
    qsort(figures, (size_t)count, sizeof *figures, by_size);
    const double median = figures[count / 2];
    printf("%-46s %10.3f %10.3f %10.3f %s\n", what, figures[0] * scale, median * scale,
           figures[count - 1] * scale, unit);
    fflush(stdout);
    return median;
}

static void check(enum nk_status status, const char *what)
{
    if (status) {
        fprintf(stderr, "bench: %s failed\n", what);
        exit(EXIT_FAILURE);
    }
}

static double bench_solve(const struct nk_rules *rules, int runs, int vector_bytes)
{
    double seconds[MAX_RUNS] = {0};
    char what[64];
    for (int i = 0; i < runs; i++) {
        struct nk_index *index;
        struct nk_solution *solution = NULL;
        uint8_t *codes = NULL;
        const double begin = now();
        check(nk_index_new(rules, &index), "the index");
        const enum nk_status status =
            nk_solve(index, &(struct nk_solve_options){.vector_bytes = vector_bytes}, &solution, NULL);
        if (!status)
            check(nk_solution_codes(solution, &codes, NULL), "the codes");
        seconds[i] = now() - begin;
        nk_solution_free(solution);
        free(codes);
        nk_index_free(index);
        if (status == NK_E_RULES)
            return 0; /* this machine has no such vectors */
        check(status, "solving");
    }
    snprintf(what, sizeof what, "solve, memory to memory, %d-bit vectors", 8 * vector_bytes);
    return print_figures(vector_bytes ? what : "solve, memory to memory, best vectors", seconds, runs, 1e3,
                         "ms");
}

static double bench_reference(int runs)
{
    const struct ref_board board = {5, 5, 3, 3, REF_WIN_LINE};
    double seconds[MAX_RUNS] = {0};
    for (int i = 0; i < runs; i++) {
        const double begin = now();
        struct ref_solution *solution = ref_solve(board);
        seconds[i] = now() - begin;
        check(solution ? NK_OK : NK_E_MEMORY, "the reference solver");
        ref_free(solution);
    }
    return print_figures("reference solver", seconds, runs, 1e3, "ms");
}

/* neutreeko-solve as a whole process: start, solve, write, flush to disk, exit. */
static void bench_process(const char *solver, const char *table, int runs)
{
    double seconds[MAX_RUNS] = {0}, megabytes[MAX_RUNS] = {0};
    for (int i = 0; i < runs; i++) {
        struct rusage usage;
        int status;
        const double begin = now();
        const pid_t child = fork();
        if (child == 0) {
            execl(solver, solver, "--quiet", "-o", table, (char *)NULL);
            _exit(127);
        }
        if (child < 0 || wait4(child, &status, 0, &usage) < 0 || status != 0) {
            fprintf(stderr, "bench: cannot run %s\n", solver);
            exit(EXIT_FAILURE);
        }
        seconds[i] = now() - begin;
        megabytes[i] = (double)usage.ru_maxrss / 1024;
    }
    print_figures("neutreeko-solve, whole process", seconds, runs, 1e3, "ms");
    print_figures("neutreeko-solve, peak memory", megabytes, runs, 1, "MiB");
}

static void bench_open(const char *path, int runs)
{
    double seconds[MAX_RUNS] = {0};
    for (int i = 0; i < runs; i++) {
        struct nk_table *table;
        struct nk_position start;
        struct nk_value value;
        struct nk_move_value moves[NK_MAX_MOVES];
        int count;
        const double begin = now();
        check(nk_table_open(path, &table, NULL), "opening the table");
        (void)nk_rules_start(nk_table_rules(table), &start);
        check(nk_table_value(table, start, &value, NULL), "asking the table");
        check(nk_table_moves(table, start, moves, &count, NULL), "asking the table");
        seconds[i] = now() - begin;
        nk_table_close(table);
    }
    print_figures("open and first answer with all its moves", seconds, runs, 1e3, "ms");
}

/* Looks up every position once to warm up, then so many times. */
static void bench_probes(const char *what, struct nk_table *table, const struct nk_position *positions,
                         int count, int runs)
{
    double seconds[MAX_RUNS] = {0};
    for (int run = -1; run < runs; run++) {
        const double begin = now();
        for (int i = 0; i < count; i++) {
            struct nk_value value;
            check(nk_table_value(table, positions[i], &value, NULL), "asking the table");
        }
        if (run >= 0)
            seconds[run] = (now() - begin) / count;
    }
    print_figures(what, seconds, runs, 1e9, "ns");
}

static void bench_values(const char *path, int runs)
{
    enum { POSITIONS = 200000 };
    double seconds[MAX_RUNS] = {0};
    struct nk_table *table, *loaded = NULL;
    struct nk_position *positions = malloc(POSITIONS * sizeof *positions);
    check(positions ? nk_table_open(path, &table, NULL) : NK_E_MEMORY, "opening the table");
    const struct nk_index *index = nk_table_index(table);
    srand(1);
    for (int i = 0; i < POSITIONS;) {
        const uint64_t random = (uint64_t)rand() * 2147483648U + (uint64_t)rand();
        positions[i] = nk_index_position(index, random % index->entries);
        i += nk_position_check(&index->rules, positions[i], NK_BLACK, NULL) == NK_OK;
    }
    bench_probes("result and distance of a random position", table, positions, POSITIONS, runs);
    for (int run = 0; run < runs; run++) {
        nk_table_close(loaded);
        const double begin = now();
        check(nk_table_open(path, &loaded, NULL), "opening the table");
        check(nk_table_load(loaded, NULL), "loading the table");
        seconds[run] = now() - begin;
    }
    print_figures("open and load the table", seconds, runs, 1e3, "ms");
    bench_probes("the same position in a loaded table", loaded, positions, POSITIONS, runs);
    nk_table_close(loaded);

    for (int run = 0; run < runs; run++) {
        struct nk_verified verified;
        const double begin = now();
        check(nk_verify(table, 1, &verified, NULL), "the verifier");
        seconds[run] = now() - begin;
    }
    print_figures("verify every position", seconds, runs, 1e3, "ms");
    nk_table_close(table);
    free(positions);
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

    struct nk_rules rules;
    struct nk_file written;
    nk_rules_standard(&rules);
    printf("%-46s %10s %10s %10s\n", "", "least", "median", "greatest");
    const double ours = bench_solve(&rules, runs, 0);
    for (int bytes = 64; bytes >= 16; bytes /= 2)
        bench_solve(&rules, runs, bytes);
    const double reference = bench_reference(runs < 3 ? runs : 3);
    printf("%-46s %21.0f times ours\n", "", reference / ours);
    bench_process(solver, table, runs);
    check(nk_file_describe(table, &written, NULL), "reading the table");
    printf("%-46s %21llu bytes\n", "size of the table", (unsigned long long)written.bytes);
    bench_open(table, runs);
    bench_values(table, runs);
    unlink(table);
    free(solver);
    free(self);
    return EXIT_SUCCESS;
}
