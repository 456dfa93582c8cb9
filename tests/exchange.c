/* What ranks hand each other, among one: several are started by mpi.py. */

#include "solver/analysis.h"
#include "tests/support.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

/* Every row comes back as it was, under the seat of its configuration; those said to be empty stay out. */
Test(exchange, brings_every_row_to_its_seat)
{
    static const struct board boards[] = {{3, 3, 3, 3, NK_WIN_LINE}, {5, 5, 3, 3, NK_WIN_LINE}};
    for (size_t i = 0; i < COUNT(boards); i++) {
        const struct nk_rules rules = rules_of(boards[i]);
        struct nk_index *index;
        struct nk_exchange exchange;
        cr_assert(!nk_index_new(&rules, &index));
        const size_t rows = index->configurations;
        nk_lanes *found = aligned_alloc(sizeof *found, rows * sizeof *found);
        uint8_t *any = malloc(rows), *seen = calloc(rows, 1);
        cr_assert(found && any && seen);
        for (size_t r = 0; r < rows; r++) {
            any[r] = r % 3 != 0;
            for (size_t w = 0; w < NK_LANE_WORDS; w++) /* some words, other ones from row to row */
                found[r].word[w] = (r >> w % 5 & 1) * (r << 32 | w | 1 << 8);
        }
        cr_assert(!nk_exchange_make(index, &exchange));
        cr_assert_eq(nk_exchange_rounds(&exchange), 1);
        cr_assert_eq(nk_exchange_round(&exchange, 0, found, any), 1);
        cr_assert_eq(exchange.sources[0].slice, 0);
        cr_assert_eq(exchange.sent, 0, "nothing goes to others");
        for (size_t r = 0; r < rows; r++) {
            const uint32_t seat = exchange.seat[r];
            const bool empty = !any[r] || nk_is_empty(&found[r]);
            cr_assert(seat < rows && !seen[seat]++, "row %zu sits on another", r);
            cr_assert_eq(exchange.sources[0].any[seat] == 0, empty, "row %zu", r);
            cr_assert(empty || !memcmp(&exchange.sources[0].rows[seat], &found[r], sizeof *found), "row %zu",
                      r);
        }
        /* A round in which this rank has no slice. */
        cr_assert_eq(nk_exchange_round(&exchange, 1, NULL, NULL), 0);
        nk_exchange_free(&exchange);
        nk_index_free(index);
        free(seen);
        free(any);
        free(found);
    }
}
