/* The exchange between processes, with a single one; tests/mpi.py runs several. */

#include "solver/analysis.h"
#include "tests/support.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

/* Every row that is not marked as empty arrives unchanged, as the local row of its configuration. */
Test(exchange, every_row_becomes_its_local_row)
{
    static const struct board boards[] = {{3, 3, 3, 3, NK_WIN_LINE}, {5, 5, 3, 3, NK_WIN_LINE}};
    for (size_t i = 0; i < COUNT(boards); i++) {
        AUTO_INDEX *index = index_of(boards[i]);
        struct nk_exchange exchange;
        struct nk_memory memory = {0};
        const size_t rows = index->configurations;
        nk_lanes *next = aligned_alloc(sizeof *next, rows * sizeof *next);
        uint8_t *nonempty = malloc(rows), *seen = calloc(rows, 1);
        cr_assert(next && nonempty && seen);
        for (size_t r = 0; r < rows; r++) {
            nonempty[r] = r % 3 != 0;
            for (size_t w = 0; w < NK_LANE_WORDS; w++) /* different words in different rows, 1 among them */
                next[r].word[w] = (r >> w % 5 & 1) * (r % 7 ? r << 32 | w | 1 << 8 : 1);
        }
        nk_exchange_init(index, &exchange, &memory);
        cr_assert(nk_memory_is_ready(&memory));
        cr_assert_eq(nk_exchange_round(&exchange, 0, next, nonempty), 1);
        cr_assert_eq(exchange.sources[0].slice, 0);
        cr_assert_eq(exchange.sent, 0, "a single process sends nothing");
        for (size_t r = 0; r < rows; r++) {
            const uint32_t local_row = exchange.local_row[r];
            const bool empty = !nonempty[r] || !nk_lanes_any(&next[r]);
            cr_assert(local_row < rows && !seen[local_row]++, "row %zu has the local row of another", r);
            cr_assert_eq(exchange.sources[0].nonempty[local_row] == 0, empty, "row %zu", r);
            cr_assert(empty || !memcmp(&exchange.sources[0].rows[local_row], &next[r], sizeof *next),
                      "row %zu", r);
        }
        /* A round in which this process has no slice. */
        cr_assert_eq(nk_exchange_round(&exchange, 1, NULL, NULL), 0);
        nk_memory_clear(&memory);
        free(seen);
        free(nonempty);
        free(next);
    }
}
