/* Measures what no program prints about itself: the minimum, median and maximum of some runs.
 * Usage: bench TABLE [RUNS]   (default 25) */

#include "common/play/play.h"
#include "common/system/system.h"
#include "common/table/table.h"
#include "solver/analysis/analysis.h"
#include "solver/verify/verify.h"
#include "tests/solver/support.h"
#include "tests/table_format.h"

#include <stdio.h>
#include <stdlib.h>

enum { MAX_RUNS = 1000, POSITIONS = 200000 };

static int by_size(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Prints the minimum, median and maximum of the figures that some runs return. Nothing is printed if the first one is
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
    const struct nk_analysis_options options = {.kernel = nk_find_kernel(*(const int *)vector_bytes)};
    struct nk_losses *log;
    uint8_t *codes;
    if (!options.kernel)
        return -1;
    const double began = nk_system_now();
    AUTO_INDEX *index = index_of(STANDARD);
    CHECK(!nk_losses_new(index, NULL, NULL, &log, NULL));
    CHECK(!run_passes(log, &options, NULL));
    CHECK(!all_codes(log, &codes, NULL));
    const double seconds = nk_system_now() - began;
    nk_losses_free(log);
    free(codes);
    return seconds;
}

static double open_and_ask(void *path)
{
    struct nk_table *table;
    struct nk_position start;
    struct nk_value value;
    struct nk_move_value moves[NK_MAX_MOVES];
    int count;
    const double began = nk_system_now();
    CHECK(!nk_table_open(path, &table, NULL));
    (void)nk_rules_start(nk_table_rules(table), &start);
    CHECK(!nk_table_value(table, start, &value, NULL));
    CHECK(!nk_table_moves(table, start, moves, &count, NULL));
    const double seconds = nk_system_now() - began;
    nk_table_close(table);
    return seconds;
}

static double open_and_load(void *path)
{
    struct nk_table *table;
    const double began = nk_system_now();
    CHECK(!nk_table_open(path, &table, NULL));
    CHECK(!nk_table_load(table, NULL));
    const double seconds = nk_system_now() - began;
    nk_table_close(table);
    return seconds;
}

static double open_and_verify(void *path)
{
    const struct nk_verify_options options = {.threads = 1};
    struct nk_table *table;
    struct nk_verified verified;
    const double began = nk_system_now();
    CHECK(!nk_table_open(path, &table, NULL));
    CHECK(!nk_verify(table, &options, &verified, NULL));
    const double seconds = nk_system_now() - began;
    nk_table_close(table);
    return seconds;
}

static double look_up(void *context)
{
    struct nk_table *const table = context;
    static struct nk_position positions[POSITIONS];
    const struct nk_index *index = table->index;
    uint64_t random = 1;
    for (int i = 0; i < POSITIONS; i++)
        while (!positions[i].mover || nk_position_check(&index->rules, positions[i], NK_BLACK, NULL))
            positions[i] = nk_index_position(index, nk_random(&random) % index->entries);
    const double began = nk_system_now();
    for (int i = 0; i < POSITIONS; i++) {
        struct nk_value value;
        CHECK(!nk_table_value(table, positions[i], &value, NULL));
    }
    return (nk_system_now() - began) / (double)POSITIONS;
}

/* The codes of a table, and its blocks as they are compressed now. */
struct blocks {
    uint8_t *codes;
    uint64_t count;
    struct block {
        uint8_t compressed[2 * TABLE_BLOCK_CODES];
        size_t length;
    } * compressed;
};

static double pack_and_compress(void *context)
{
    struct blocks *blocks = context;
    uint8_t packed[NK_PACK_BOUND(TABLE_BLOCK_CODES)];
    const double began = nk_system_now();
    for (uint64_t at = 0; at < blocks->count; at += TABLE_BLOCK_CODES) {
        const uint64_t left = blocks->count - at;
        const size_t count = left < TABLE_BLOCK_CODES ? (size_t)left : TABLE_BLOCK_CODES;
        struct block *block = &blocks->compressed[at / TABLE_BLOCK_CODES];
        const size_t length = nk_pack(blocks->codes + at, count, packed);
        CHECK(!nk_compress(packed, length, block->compressed, &block->length));
    }
    return nk_system_now() - began;
}

static double uncompress_and_unpack(void *context)
{
    const struct blocks *blocks = context;
    uint8_t packed[NK_PACK_BOUND(TABLE_BLOCK_CODES)], codes[TABLE_BLOCK_CODES];
    const double began = nk_system_now();
    for (uint64_t at = 0; at < blocks->count; at += TABLE_BLOCK_CODES) {
        const uint64_t left = blocks->count - at;
        const size_t count = left < TABLE_BLOCK_CODES ? (size_t)left : TABLE_BLOCK_CODES;
        const struct block *block = &blocks->compressed[at / TABLE_BLOCK_CODES];
        size_t length;
        CHECK(!nk_uncompress(block->compressed, block->length, packed, sizeof packed, &length));
        CHECK(nk_unpack(packed, length, codes, count));
    }
    return nk_system_now() - began;
}

static void measure_compression(struct nk_table *table, int runs)
{
    struct nk_code_reader reader = {0};
    struct blocks blocks = {.count = table->index->entries};
    blocks.codes = malloc(blocks.count);
    blocks.compressed = calloc(table_blocks(blocks.count), sizeof *blocks.compressed);
    CHECK(blocks.codes);
    CHECK(blocks.compressed);
    CHECK(!nk_table_codes(table, &reader, 0, blocks.count, blocks.codes, NULL));
    measure("pack and compress all codes", 1e3, "ms", runs, pack_and_compress, &blocks);
    measure("uncompress and unpack all codes", 1e3, "ms", runs, uncompress_and_unpack, &blocks);
    free(blocks.codes);
    free(blocks.compressed);
}

int main(int argc, char **argv)
{
    static const struct {
        int bytes;
        const char *what;
    } vectors[] = {{0, "best"}, {64, "512-bit"}, {32, "256-bit"}, {16, "128-bit"}};
    const int runs = argc > 2 ? atoi(argv[2]) : 25;
    struct nk_table *table;
    if (argc < 2 || runs < 1 || runs > MAX_RUNS) {
        fprintf(stderr, "Usage: bench TABLE [RUNS], with 1 to %d runs\n", MAX_RUNS);
        return 2;
    }
    printf("%-46s %10s %10s %10s\n", "", "minimum", "median", "maximum");
    for (size_t v = 0; v < COUNT(vectors); v++) {
        char what[46];
        int bytes = vectors[v].bytes;
        snprintf(what, sizeof what, "solve, memory to memory, %s vectors", vectors[v].what);
        measure(what, 1e3, "ms", runs, solve, &bytes);
    }
    measure("open and first answer with all its moves", 1e3, "ms", runs, open_and_ask, argv[1]);
    measure("open and load the table", 1e3, "ms", runs, open_and_load, argv[1]);
    measure("open and verify the table, one thread", 1e3, "ms", runs, open_and_verify, argv[1]);
    CHECK(!nk_table_open(argv[1], &table, NULL));
    measure_compression(table, runs);
    look_up(table); /* to warm up */
    measure("result and distance of a random position", 1e9, "ns", runs, look_up, table);
    CHECK(!nk_table_load(table, NULL));
    measure("the same position in a loaded table", 1e9, "ns", runs, look_up, table);
    nk_table_close(table);
    return EXIT_SUCCESS;
}
